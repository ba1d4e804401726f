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
  #isWaiting = false;

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

  /** One after the other: a job has one place. Aborting rejects with the signal's reason. */
  async onNetwork<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.work === 'fetch') return work();
    if (this.#isWaiting) throw new Error('a job waits for the network twice at once');
    this.#isWaiting = true;
    try {
      // No deadlock: a holder of a network place never waits for a place of another kind.
      const network = await this.#places.fetch.take(this.#accountId, signal);
      this.#place.leave();
      this.#onRoom();
      try {
        return await work();
      } finally {
        network.leave();
        this.#place = await this.#places[this.work].take(this.#accountId, signal);
      }
    } finally {
      this.#isWaiting = false;
    }
  }

  leave(): void {
    this.#place.leave();
  }
}
