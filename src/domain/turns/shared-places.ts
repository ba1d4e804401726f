import { FairQueue } from './fair-queue.ts';

/** Number of places (permits), and how many of them are reserved for accounts that hold none. */
export interface PlaceCounts {
  total: number;
  reserved: number;
}

/** Whether an account may take a place: the last `reserved` ones are only for accounts that hold none. */
export function mayTakePlace({ total, reserved }: PlaceCounts, taken: number, heldByAccount: number): boolean {
  const free = total - taken;
  return free > reserved || (free > 0 && heldByAccount === 0);
}

/** A place that is held. Leaving it again has no effect. */
export interface HeldPlace {
  leave(): void;
}

interface WaitingForPlace {
  readonly accountId: string;
  resolve(place: HeldPlace): void;
}

/**
 * A semaphore that all accounts share. One account alone can take all places that are not reserved. A second account
 * then gets a reserved place at once, however long the first one holds its own. Waiting accounts take turns.
 */
export class SharedPlaces {
  readonly #counts: PlaceCounts;
  readonly #held = new Map<string, number>();
  readonly #waiting = new FairQueue<WaitingForPlace>();
  #taken = 0;

  constructor(counts: PlaceCounts) {
    this.#counts = counts;
  }

  /** Whether `tryTake` would return a place now. */
  hasRoom(accountId: string): boolean {
    return mayTakePlace(this.#counts, this.#taken, this.#held.get(accountId) ?? 0);
  }

  /** How many places the account holds. */
  heldBy(accountId: string): number {
    return this.#held.get(accountId) ?? 0;
  }

  /** How many places the account may take now, one after the other. */
  roomFor(accountId: string): number {
    const { total, reserved } = this.#counts;
    return Math.max(this.hasRoom(accountId) ? 1 : 0, total - this.#taken - reserved);
  }

  /** A place, or null when the account may not have one now. */
  tryTake(accountId: string): HeldPlace | null {
    return this.hasRoom(accountId) ? this.#give(accountId) : null;
  }

  /** Waits for a place. Aborting rejects with the signal's reason. */
  async take(accountId: string, signal: AbortSignal): Promise<HeldPlace> {
    signal.throwIfAborted();
    const place = this.tryTake(accountId);
    if (place !== null) return place;
    const { promise, resolve, reject } = Promise.withResolvers<HeldPlace>();
    const waiting: WaitingForPlace = { accountId, resolve };
    const leave = (): void => {
      if (this.#waiting.remove(waiting)) reject(signal.reason as Error);
    };
    this.#waiting.add(waiting);
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  #give(accountId: string): HeldPlace {
    this.#taken += 1;
    this.#held.set(accountId, (this.#held.get(accountId) ?? 0) + 1);
    let isHeld = true;
    return {
      leave: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#taken -= 1;
        const held = (this.#held.get(accountId) ?? 0) - 1;
        if (held > 0) this.#held.set(accountId, held);
        else this.#held.delete(accountId);
        this.#giveToWaiting();
      },
    };
  }

  #giveToWaiting(): void {
    for (;;) {
      const next = this.#waiting.next(({ accountId }) => this.hasRoom(accountId));
      if (next === undefined) return;
      next.resolve(this.#give(next.accountId));
    }
  }
}
