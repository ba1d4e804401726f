import type { Work } from '../../domain/records/stages.ts';
import type { SharedPlaces } from '../../domain/turns/shared-places.ts';

/** Slots that accounts get in turns: for jobs by kind of work, and for checks of sources. */
export type Turn = Work | 'source';

/** In which order accounts are given places for one kind of work, and whether each one's newest or oldest job is next. */
export class AccountTurns {
  readonly #lastServed: Record<Turn, string> = { fetch: '', read: '', enrich: '', source: '' };
  /** Accounts whose next job is the one due the longest; for all others it is the newest item's. */
  readonly #oldestNext: Record<Work, Set<string>> = { fetch: new Set(), read: new Set(), enrich: new Set() };

  /** Starts after the account served last: the first ones would take every place when places are few. */
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

/** How long an account's items wait at most to be enriched while other items of the account are read. */
const maxHeldBackMs = 15_000;

/**
 * Gives reading precedence over enriching within an account. Enriching would take processor time from reading, which makes items
 * findable, and both would need memory at once. When an account has been reading for `maxHeldBackMs` without a break, one of its items
 * is enriched at a time, and more while places for reading are free. Where reading and enriching share one place, a part of one item is
 * enriched after that time, of any account.
 */
export class ReadingFirst {
  readonly #places: Readonly<Record<'read' | 'enrich', SharedPlaces>>;
  /** Since when each account has been reading without a break, as seen when its items were to be enriched. */
  readonly #since = new Map<string, number>();
  /** Since when items have been read, of any account, and none enriched. */
  #noneEnrichedSince: number | null = null;

  constructor(places: Readonly<Record<'read' | 'enrich', SharedPlaces>>) {
    this.#places = places;
  }

  /** Whether enriching comes before reading this time. Reading would take their one place again whenever it is left. */
  isEnrichingNext(now: number): boolean {
    const { read, enrich } = this.#places;
    return read === enrich && this.#noneEnrichedSince !== null && now - this.#noneEnrichedSince >= maxHeldBackMs;
  }

  /** Call when a job of this kind was given a place. */
  noteGiven(work: Work, now: number): void {
    if (work === 'read') this.#noneEnrichedSince ??= now;
    if (work === 'enrich') this.#noneEnrichedSince = null;
  }

  /** Call when the account has no waiting readings: later readings start over, unless it still reads. */
  noteNothingWaits(accountId: string): void {
    if (this.#places.read.heldBy(accountId) === 0) this.#since.delete(accountId);
  }

  /** How many of the account's items may be enriched now. @param now monotonic, in milliseconds */
  roomToEnrich(accountId: string, now: number): number {
    const { read, enrich } = this.#places;
    const room = enrich.roomFor(accountId);
    if (read.heldBy(accountId) === 0) {
      this.#since.delete(accountId);
      return room;
    }
    const since = this.#since.get(accountId) ?? now;
    this.#since.set(accountId, since);
    if (now - since < maxHeldBackMs) return 0;
    if (read.hasRoom(accountId)) return room;
    return enrich.heldBy(accountId) === 0 ? Math.min(room, 1) : 0;
  }
}
