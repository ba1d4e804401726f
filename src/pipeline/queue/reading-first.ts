import type { Work } from '../../domain/records/stages.ts';
import type { SharedPlaces } from '../../domain/turns/shared-places.ts';

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

  /** Call when the account has nothing to read that waits: what it reads later begins anew, unless it still reads. */
  noteNothingWaits(accountId: string): void {
    if (this.#places.read.heldBy(accountId) === 0) this.#since.delete(accountId);
  }

  /**
   * How many of the account's items may be given to enrich now.
   * @param now monotonic, in milliseconds
   */
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
