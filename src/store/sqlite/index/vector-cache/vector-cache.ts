import type { RankedPassage } from '../../../../domain/records/passage.ts';
import type { PassageFilter } from '../../../search-records.ts';
import { nameKnown } from '../../items/passage-owners.ts';
import type { SqliteFile } from '../../files/sqlite-file.ts';
import { applyChanges, fillRows, readLog, type RowsWanted } from './fill-rows.ts';
import { readMask } from './row-mask.ts';
import type { ScanBuild } from './scan-kernel.ts';
import type { SharedMemory } from './kernel-interface.ts';
import { scanRows } from './scan-rows.ts';
import { maxHits, rowsState } from './shared-vector-layout.ts';
import { VectorRows } from './vector-rows.ts';

/** Rows that no longer count cost as much as those that do: from a quarter of them on, all are read again. */
const maxMarked = 0.25;
const minToCompact = 4_096;

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
