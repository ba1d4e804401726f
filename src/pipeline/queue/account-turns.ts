import type { Work } from '../../domain/records/stages.ts';

/** What accounts are given by turns: places for jobs of a kind of work, and for checks of sources. */
export type Turn = Work | 'source';

/** In which order accounts are given places for one kind of work, and whether each one's newest or oldest job is next. */
export class AccountTurns {
  readonly #lastServed: Record<Turn, string> = { fetch: '', read: '', enrich: '', source: '' };
  /**
   * Accounts whose next job is the one that has been due the longest. For all others it is the job of the newest item.
   */
  readonly #oldestNext: Record<Work, Set<string>> = { fetch: new Set(), read: new Set(), enrich: new Set() };

  /**
   * Starts after the account that was served last. Otherwise the first accounts would take every place when there are
   * fewer places than accounts.
   */
  inTurn<T extends { accountId: string }>(work: Turn, accounts: readonly T[]): T[] {
    const inOrder = accounts.toSorted((a, b) => (a.accountId < b.accountId ? -1 : 1));
    const next = inOrder.findIndex(({ accountId }) => accountId > this.#lastServed[work]);
    return next === -1 ? inOrder : [...inOrder.slice(next), ...inOrder.slice(0, next)];
  }

  noteServed(work: Turn, accountId: string): void {
    this.#lastServed[work] = accountId;
  }

  /**
   * Alternates between the newest item and the job that has been due the longest: an import of hundreds does not delay an
   * item saved by hand, and items saved later do not delay the import.
   */
  isNewestNext(work: Work, accountId: string): boolean {
    return !this.#oldestNext[work].has(accountId);
  }

  /** @param count of jobs that were claimed at once: the newest and the oldest by turns */
  noteClaimed(work: Work, accountId: string, count: number): void {
    const oldestNext = this.#oldestNext[work];
    if (count % 2 === 1 && !oldestNext.delete(accountId)) oldestNext.add(accountId);
  }
}
