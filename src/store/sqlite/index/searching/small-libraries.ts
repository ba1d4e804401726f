import type { Clock } from '../../../../domain/clock.ts';
import type { SqliteFile } from '../../files/sqlite-file.ts';

/**
 * A library is searched in threads from then on when this many of its reads took this long. One slow read is allowed, because
 * the first read of any library loads code and vectors.
 */
const slowMs = 100;
const maxSlowReads = 2;

/**
 * Reads small libraries in the calling thread. With 10,000 passages that takes a millisecond, a third less than in
 * another thread, whose caches are cold and which takes 20 MB. Only while one person is served: others would wait meanwhile.
 */
export class SmallLibraries {
  readonly #maxPassages: number;
  /** How many slow reads each account had: texts or questions can take long, however few there are. */
  readonly #slowReads = new Map<string, number>();

  constructor(maxPassages: number) {
    this.#maxPassages = maxPassages;
  }

  /** Runs a read, unless the library is too large or slow to read: then null. */
  read<T>(accountId: string, file: SqliteFile, clock: Clock, work: () => T): { answer: T } | null {
    const slowReads = this.#slowReads.get(accountId) ?? 0;
    if (slowReads >= maxSlowReads) return null;
    return file.read(() => {
      if (countUpTo(file, this.#maxPassages + 1) > this.#maxPassages) return null;
      const began = clock.elapsed();
      const answer = work();
      if (clock.elapsed() - began >= slowMs) this.#slowReads.set(accountId, slowReads + 1);
      return { answer };
    });
  }
}

/** The number of passages, counted up to `most`. */
function countUpTo(file: SqliteFile, most: number): number {
  return file.remember(`passages up to ${most}`, () => {
    const row = file.get<{ count: number }>(
      'SELECT count(*) AS count FROM (SELECT 1 FROM passages INDEXED BY passages_by_item LIMIT ?)',
      most,
    );
    return row?.count ?? 0;
  });
}
