import type { PassageFilter } from '../../../records/search-records.ts';
import { deletedItems } from '../../items/deleted.ts';
import { matching, phrasesOf, itemCondition } from '../passage-filter.ts';
import { indexedLanguages } from '../words/indexed-languages.ts';
import type { SqliteFile } from '../../files/sqlite-file.ts';
import type { MemoryAddress, SharedMemory } from './scan-kernel.ts';
import type { VectorBlock } from './shared-vector-layout.ts';

/** One byte per key, 1 for keys that count. `beyond` applies to keys past the end of `bytes`. */
interface Membership {
  bytes: Uint8Array;
  beyond: 0 | 1;
}

/** Which rows a filter lets through. */
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
