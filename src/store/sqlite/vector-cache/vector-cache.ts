import type { RankedPassage } from '../../../domain/passage.ts';
import type { PassageFilter } from '../../records.ts';
import { type QuantizedVector, quantize } from '../quantize.ts';
import type { SqliteFile } from '../sqlite-file.ts';
import { applyChanges, fillRows, readLog, type RowsWanted } from './fill-rows.ts';
import { readMask, type RowMask, writeMask } from './row-mask.ts';
import type { ScanBuild, SharedMemory } from './scan-kernel.ts';
import { readTop, writeQuery, writeTop } from './scan-layout.ts';
import { mostHits, type Place, rowsState, VectorRows } from './vector-rows.ts';

/** Rows that no longer count cost as much as those that do: from a quarter of them on, all are read again. */
const mostMarked = 0.25;
const leastToCompact = 4_096;

/**
 * The vectors of an account and an embedder in memory. Other threads may have the same memory: whoever finds that the file has
 * changed catches up, and the others go on with what is there meanwhile. Only the first filling is waited for.
 */
export class VectorCache {
  readonly #rows: VectorRows;
  readonly #wanted: RowsWanted;

  constructor(memory: SharedMemory, wanted: RowsWanted, build?: ScanBuild) {
    this.#rows = new VectorRows(memory, build);
    this.#wanted = wanted;
  }

  /** No longer to be used: there is another memory for these vectors, or will be. */
  get isRetired(): boolean {
    return this.#rows.state === rowsState.retired;
  }

  /**
   * The passages nearest to `query`, best first; null when the file has to be asked: there are few vectors or few that
   * the filter lets through, there is no room for all, or the memory is no longer to be used.
   */
  search(file: SqliteFile, query: Float32Array, filter: PassageFilter, limit: number): RankedPassage[] | null {
    if (limit > mostHits || query.length !== this.#rows.dimensions) return null;
    return file.read(() => {
      if (!this.#refresh(file)) return null;
      const mask = readMask(file, filter, this.#wanted.few);
      const { place } = this.#rows;
      if (mask === 'few' || place === null) return null;
      const found = this.#scan(quantize(query), mask, limit, place);
      this.#retireWhenSparse();
      return withItems(file, found);
    });
  }

  /** Whether the rows can be searched. */
  #refresh(file: SqliteFile): boolean {
    const rows = this.#rows;
    while (rows.state === rowsState.empty) {
      if (!this.#isWorthwhile(file)) return false;
      const filled = rows.tryAlone(() => {
        if (rows.state === rowsState.empty) fillRows(file, rows, this.#wanted);
      });
      if (!filled) rows.waitForOther();
    }
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

  #scan(query: QuantizedVector, mask: RowMask, limit: number, place: Place): RankedRow[] {
    const { memory, kernel, width } = this.#rows;
    const isMasked = mask.items !== null || mask.passages.length > 0;
    const count = this.#rows.count;
    const areMarked = this.#rows.marked > 0;
    writeQuery(memory, place.query, query, width);
    writeTop(memory, place.top, limit);
    for (const block of this.#rows.blocks(count)) {
      if (isMasked) writeMask(memory, place.mask, block, mask);
      const counts = isMasked ? place.mask : areMarked ? block.counts : 0;
      kernel.scan(block.rows, block.factors, counts, block.first, block.count, width, place.query, place.top);
    }
    kernel.finish(place.top);
    const length = Math.hypot(...query.components);
    const best = new Map<number, RankedRow>();
    for (const { row, score } of readTop(memory, place.top)) {
      const { passageId, item } = this.#rows.ownerOf(row);
      const before = best.get(passageId);
      // Twice only while another thread replaces it: the later row is the newer one.
      if (before === undefined || row > before.row)
        best.set(passageId, { row, passageId, item, score: score / length });
    }
    return [...best.values()].sort((a, b) => b.score - a.score || a.passageId - b.passageId);
  }

  #retireWhenSparse(): void {
    const { marked, count } = this.#rows;
    if (marked >= leastToCompact && marked > count * mostMarked) this.#rows.state = rowsState.retired;
  }
}

interface RankedRow {
  row: number;
  passageId: number;
  item: number;
  score: number;
}

/** Names the items; what the file does not have any more is left out. */
function withItems(file: SqliteFile, found: readonly RankedRow[]): RankedPassage[] {
  const items = file.all<{ seq: number; id: string }>(
    'SELECT c.seq, c.id FROM json_each(?) wanted JOIN content c ON c.seq = wanted.value',
    JSON.stringify([...new Set(found.map(({ item }) => item))]),
  );
  const ids = new Map(items.map(({ seq, id }) => [seq, id]));
  return found.flatMap(({ passageId, item, score }) => {
    const contentId = ids.get(item);
    return contentId === undefined ? [] : [{ passageId, contentId, score }];
  });
}
