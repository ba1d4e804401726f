import { bestFirst, type RankedPassage } from '../../../../domain/records/texts/passage.ts';
import type { PassageFilter } from '../../../records/search-records.ts';
import { deletedItems, nameItems } from '../../items/items.ts';
import type { SqliteFile } from '../../files/sqlite-file.ts';
import { applyChanges, fillRows, readLog, type RowsWanted } from './fill-rows.ts';
import { type MemoryAddress, readTop, type SharedMemory, writeQuery, writeTop } from './scan-kernel.ts';
import { maxHits, rowsState, type ScratchMemory, type VectorBlock } from './shared-vector-layout.ts';
import { VectorRows } from './vector-rows.ts';
import type { VectorMemory } from './vector-memories.ts';
import { candidatesFor } from '../quantize.ts';
import { itemCondition, matching, phrasesOf } from '../passage-filter.ts';
import { indexedLanguages } from '../words/indexed-languages.ts';

/** Marked rows cost as much to scan as others: when more than this share of the rows is marked, all are read again. */
const maxMarked = 0.25;
const minToCompact = 4_096;

/**
 * The vectors of one account and embedder in memory, which other threads may share. The thread that finds the file
 * changed applies the changes, while the others search the rows that are there. Only the first filling is waited for.
 */
export class VectorCache {
  readonly #rows: VectorRows;
  readonly #wanted: RowsWanted;

  constructor(memory: SharedMemory, wanted: RowsWanted) {
    this.#rows = new VectorRows(memory);
    this.#wanted = wanted;
  }

  /** Must not be used any more: these vectors have another memory, or will get one. */
  get isRetired(): boolean {
    return this.#rows.state === rowsState.retired;
  }

  /**
   * The passages nearest to `query`, best first. Null when the file has to be searched instead: there are few vectors
   * or few that the filter lets through, there is no room for all vectors or for this thread, `limit` is too large, the
   * query has other dimensions, or the memory is retired.
   */
  search(file: SqliteFile, query: Float32Array, filter: PassageFilter, limit: number): RankedPassage[] | null {
    if (limit > maxHits || query.length !== this.#rows.dimensions) return null;
    return file.read(() => {
      if (!this.#refresh(file)) return null;
      const mask = readMask(file, filter, this.#wanted.few);
      const { place } = this.#rows;
      if (mask === 'few' || place === null) return null;
      const found = scanRows(this.#rows, query, mask, limit, place);
      this.#retireWhenSparse();
      return nameItems(file, found);
    });
  }

  /** Brings the rows up to date. Returns whether they can be searched. */
  #refresh(file: SqliteFile): boolean {
    const rows = this.#rows;
    while (rows.state === rowsState.empty) {
      if (!this.#isWorthwhile(file)) return false;
      const filled = rows.tryAlone(() => {
        if (rows.state === rowsState.empty) fillRows(file, rows, this.#wanted);
      });
      if (!filled) rows.waitForOther();
    }
    if (rows.state === rowsState.filled && rows.schema !== file.schema()) rows.state = rowsState.retired;
    if (rows.state === rowsState.filled && rows.lastChange < readLog(file).newest) {
      rows.tryAlone(() => applyChanges(file, rows, this.#wanted));
    }
    return rows.state === rowsState.filled;
  }

  #isWorthwhile(file: SqliteFile): boolean {
    const some = file.get<{ count: number }>(
      'SELECT count(*) AS count FROM (SELECT 1 FROM vectors WHERE embedder = ? LIMIT ?)',
      this.#wanted.embedder,
      this.#wanted.few + 1,
    );
    return (some?.count ?? 0) > this.#wanted.few;
  }

  #retireWhenSparse(): void {
    const { marked, count } = this.#rows;
    if (marked >= minToCompact && marked > count * maxMarked) this.#rows.state = rowsState.retired;
  }
}

/** One thread's views of the memories that it was given. A view is dropped once its memory is retired. */
export class AttachedVectorCaches {
  readonly #caches = new Map<number, VectorCache>();

  /** @param embedder key of the embedder whose vectors the memory holds */
  of(given: VectorMemory | null, embedder: number): VectorCache | null {
    if (given === null) return null;
    for (const [id, cache] of this.#caches) if (cache.isRetired) this.#caches.delete(id);
    // Look up by id: each time a memory is sent to a thread, it arrives as a new object.
    let cache = this.#caches.get(given.id);
    if (cache === undefined) {
      cache = new VectorCache(given.memory, { embedder, ...given.limits });
      this.#caches.set(given.id, cache);
    }
    return cache;
  }
}

interface RankedRow {
  row: number;
  passageId: number;
  item: number;
  /** The cosine. */
  score: number;
}

/**
 * The nearest of the rows that `mask` lets through, best first. All rows are compared with the query in 8 bits, and the
 * best of them again with the query in 16 bits.
 */
export function scanRows(
  rows: VectorRows,
  query: Float32Array,
  mask: RowMask,
  limit: number,
  place: ScratchMemory,
): RankedRow[] {
  const { count, kernel, memory, width } = rows;
  const length = writeQuery(memory, place.query, query, width);
  writeTop(memory, place.top, limit);
  writeTop(memory, place.found, candidatesFor(limit));
  const isMasked = mask.items !== null || mask.passages.length > 0;
  const areMarked = rows.marked > 0;
  for (const block of rows.blocks(count)) {
    if (isMasked) writeMask(memory, place.mask, block, mask);
    const counts = isMasked ? place.mask : areMarked ? block.counts : 0;
    kernel.scan(block.rows, block.factors, counts, block.first, block.count, width, place.query, place.found);
  }
  kernel.finish(place.found);
  rows.refine(place);
  kernel.finish(place.top);
  const best = new Map<number, RankedRow>();
  for (const found of rows.owned(readTop(rows.memory, place.top))) {
    const before = best.get(found.passageId);
    found.score = length === 0 ? 0 : found.score / length;
    // A passage is found twice only while another thread replaces its vector; the later row is the newer one.
    if (before === undefined || found.row > before.row) best.set(found.passageId, found);
  }
  return [...best.values()].sort(bestFirst);
}

/** One byte per key, 1 for keys that count. `beyond` applies to keys past the end of `bytes`. */
interface Membership {
  bytes: Uint8Array;
  beyond: 0 | 1;
}

export interface RowMask {
  items: Membership | null;
  passages: Membership[];
}

/** @param value for the listed keys; all others get the opposite */
function membership(keys: readonly number[], value: 0 | 1): Membership {
  const bytes = new Uint8Array(keys.reduce((most, key) => Math.max(most, key), 0) + 1).fill(1 - value);
  for (const key of keys) bytes[key] = value;
  return { bytes, beyond: value === 1 ? 0 : 1 };
}

/** The mask of a filter and of deleted items; `'few'` when no more than `few` passages are left. */
export function readMask(file: SqliteFile, filter: PassageFilter, few: number): RowMask | 'few' {
  const { having, without } = phrasesOf(filter, indexedLanguages(file));
  const mask: RowMask = { items: null, passages: [] };
  if (having !== null) {
    const passages = readKeys(file, `SELECT rowid AS key FROM (${matching})`, [having]);
    if (passages.length <= few) return 'few';
    mask.passages.push(membership(passages, 1));
  }
  if (without !== null) {
    const passages = readKeys(file, `SELECT rowid AS key FROM (${matching})`, [without]);
    if (passages.length > 0) mask.passages.push(membership(passages, 0));
  }
  const items = itemCondition(file, filter);
  if (items === null) {
    const deleted = readKeys(file, `SELECT seq AS key FROM (${deletedItems})`, []);
    if (deleted.length > 0) mask.items = membership(deleted, 0);
    return mask;
  }
  const left = file.get<{ keys: string; passages: number | null }>(
    `SELECT json_group_array(i.seq) AS keys, sum(i.passage_count) AS passages FROM items i
     WHERE i.deleted_at IS NULL AND ${items.sql}`,
    ...items.parameters,
  );
  if ((left?.passages ?? 0) <= few) return 'few';
  mask.items = membership(JSON.parse(left?.keys ?? '[]') as number[], 1);
  return mask;
}

function readKeys(file: SqliteFile, sql: string, parameters: readonly unknown[]): number[] {
  const row = file.get<{ keys: string }>(`SELECT json_group_array(key) AS keys FROM (${sql})`, ...parameters);
  return JSON.parse(row?.keys ?? '[]') as number[];
}

/** Writes a byte for each row of a block to `at`: 0 for rows to skip. */
export function writeMask(
  memory: SharedMemory,
  at: MemoryAddress,
  block: VectorBlock & { count: number; passages: Float64Array; items: Uint32Array },
  { items, passages }: RowMask,
): void {
  const target = new Uint8Array(memory.buffer, at, block.count);
  target.set(new Uint8Array(memory.buffer, block.counts, block.count));
  if (items !== null) keep(target, block.items, items);
  for (const some of passages) keep(target, block.passages, some);
}

function keep(target: Uint8Array, keys: Uint32Array | Float64Array, { bytes, beyond }: Membership): void {
  for (let row = 0; row < target.length; row += 1) {
    if ((bytes[keys[row] ?? 0] ?? beyond) === 0) target[row] = 0;
  }
}
