import type { Work } from '../../domain/records/stages.ts';
import type { HeldPlace, SharedPlaces } from '../../domain/turns/shared-places.ts';

export type WorkPlaces = Readonly<Record<Work, SharedPlaces>>;

/** Runs work that waits for the network. */
export type OnNetwork = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * The place of one job. A job that reads or enriches gives up its place while it waits for the network, and holds a
 * network place instead.
 */
export class JobPlace {
  readonly work: Work;
  readonly #places: WorkPlaces;
  readonly #accountId: string;
  readonly #onRoom: () => void;
  #place: HeldPlace;
  /** Number of network waits under way. */
  #waits = 0;

  private constructor(places: WorkPlaces, work: Work, accountId: string, place: HeldPlace, onRoom: () => void) {
    this.#places = places;
    this.work = work;
    this.#accountId = accountId;
    this.#place = place;
    this.#onRoom = onRoom;
  }

  /**
   * Takes a place; null when the account may not have one now.
   * @param onRoom called when the job gives up its place while it goes on
   */
  static tryTake(places: WorkPlaces, work: Work, accountId: string, onRoom: () => void): JobPlace | null {
    const place = places[work].tryTake(accountId);
    return place === null ? null : new JobPlace(places, work, accountId, place, onRoom);
  }

  /** Aborting rejects with the signal's reason. */
  async onNetwork<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.work === 'fetch') return work();
    // No deadlock: a holder of a network place never waits for a place of another kind.
    const network = await this.#places.fetch.take(this.#accountId, signal);
    this.#waits += 1;
    this.#place.leave();
    this.#onRoom();
    try {
      return await work();
    } finally {
      network.leave();
      this.#waits -= 1;
      if (this.#waits === 0) await this.#comeBack(signal);
    }
  }

  leave(): void {
    this.#place.leave();
  }

  async #comeBack(signal: AbortSignal): Promise<void> {
    const place = await this.#places[this.work].take(this.#accountId, signal);
    // Another wait may have begun and ended meanwhile and taken a place, too. The job keeps only one.
    this.#place.leave();
    this.#place = place;
  }
}
