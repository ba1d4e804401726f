import type { RankedPassage } from '../../../../domain/records/passage.ts';
import type { PassageFilter } from '../../../records/search-records.ts';
import { nameKnown } from '../../items/passage-owners.ts';
import type { SqliteFile } from '../../files/sqlite-file.ts';
import { applyChanges, fillRows, readLog, type RowsWanted } from './fill-rows.ts';
import { readMask } from './row-mask.ts';
import type { SharedMemory } from './kernel-interface.ts';
import { scanRows } from './scan-rows.ts';
import { maxHits, rowsState } from './shared-vector-layout.ts';
import { VectorRows } from './vector-rows.ts';

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
      return nameKnown(file, found);
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
