import type { Stage } from '../domain/records/content.ts';
import type { Place, SharedPlaces } from '../domain/turns/shared-places.ts';

/** What a stage needs: the network, which takes long and costs nothing here, or the processor. */
export type Work = 'fetch' | 'process';

export function workOf(stage: Stage): Work {
  return stage === 'fetch' ? 'fetch' : 'process';
}

export type WorkPlaces = Readonly<Record<Work, SharedPlaces>>;

/** Does what waits for the network. */
export type OnNetwork = <T>(work: () => Promise<T>) => Promise<T>;

/** The place of one job. One that processes gives its place to others while it waits for the network, and holds one of the network's meanwhile. */
export class JobPlace {
  readonly work: Work;
  readonly #places: WorkPlaces;
  readonly #accountId: string;
  readonly #onRoom: () => void;
  #place: Place;
  /** What waits for the network just now. */
  #waits = 0;

  private constructor(places: WorkPlaces, work: Work, accountId: string, place: Place, onRoom: () => void) {
    this.#places = places;
    this.work = work;
    this.#accountId = accountId;
    this.#place = place;
    this.#onRoom = onRoom;
  }

  /**
   * A place, or null when the account may not have one now.
   * @param onRoom called when others may have a place while the job goes on
   */
  static tryTake(places: WorkPlaces, work: Work, accountId: string, onRoom: () => void): JobPlace | null {
    const place = places[work].tryTake(accountId);
    return place === null ? null : new JobPlace(places, work, accountId, place, onRoom);
  }

  /** Aborting rejects with the signal's reason. */
  async onNetwork<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.work === 'fetch') return work();
    // Nobody who holds a place of the network waits for one to process: this ends.
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
    const place = await this.#places.process.take(this.#accountId, signal);
    // Two waits may end while the first of them comes back: the job has one place all the same.
    this.#place.leave();
    this.#place = place;
  }
}
