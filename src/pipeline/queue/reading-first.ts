import type { SharedPlaces } from '../../domain/turns/shared-places.ts';

/** Enrichment of an account's items waits at most so long for what the account has to read. */
const maxHeldBackMs = 15_000;

/**
 * Lets an account read before its items are enriched: enriching takes the processor from what makes items findable, and memory
 * at the same time as reading does. When an account has read for `maxHeldBackMs` without a break, one item at a time is enriched beside it,
 * and more while places to read are free.
 */
export class ReadingFirst {
  readonly #places: Readonly<Record<'read' | 'enrich', SharedPlaces>>;
  /** Since when each account has been reading without a break. */
  readonly #since = new Map<string, number>();

  constructor(places: Readonly<Record<'read' | 'enrich', SharedPlaces>>) {
    this.#places = places;
  }

  /**
   * Call before the account is given items to read: it begins anew when it reads nothing.
   * @param now monotonic, in milliseconds
   */
  noteReading(accountId: string, now: number): void {
    if (this.#places.read.heldBy(accountId) === 0) this.#since.set(accountId, now);
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
