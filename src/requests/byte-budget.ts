/** Limits on the bytes held at once: by all owners together and by each owner. */
export interface ByteBudgetLimits {
  maxBytes: number;
  maxOwnerBytes: number;
}

/** Each owner's guaranteed share when the total is exhausted: otherwise a few owners could block all others. */
const freeBytes = 64 * 1024;

/** Counts bytes held in memory, in total and by owner. */
export class ByteBudget {
  readonly #limits: ByteBudgetLimits;
  readonly #byOwner = new Map<string, number>();
  #held = 0;

  constructor(limits: ByteBudgetLimits) {
    this.#limits = limits;
  }

  /** Creates an empty reservation, which grows as bytes arrive. */
  open(owner: string): Reservation {
    return new Reservation((bytes, always) => this.#take(owner, bytes, always));
  }

  /** Whether an owner can reserve no further bytes. */
  isFull(owner: string): boolean {
    const { maxBytes, maxOwnerBytes } = this.#limits;
    const held = this.#heldBy(owner);
    return held >= maxOwnerBytes || (held >= freeBytes && this.#held >= maxBytes);
  }

  #heldBy(owner: string): number {
    return this.#byOwner.get(owner) ?? 0;
  }

  /** @param bytes negative to release bytes */
  #take(owner: string, bytes: number, always: boolean): boolean {
    const { maxBytes, maxOwnerBytes } = this.#limits;
    const held = this.#heldBy(owner) + bytes;
    if (!always && (held > maxOwnerBytes || (held > freeBytes && this.#held + bytes > maxBytes))) return false;
    this.#held += bytes;
    if (held === 0) this.#byOwner.delete(owner);
    else this.#byOwner.set(owner, held);
    return true;
  }
}

/** The bytes that one request has reserved. */
export class Reservation {
  readonly #take: (bytes: number, always: boolean) => boolean;
  #bytes = 0;
  #released = false;

  constructor(take: (bytes: number, always: boolean) => boolean) {
    this.#take = take;
  }

  /** @returns false when there is no room; the reservation is then unchanged */
  growTo(bytes: number): boolean {
    if (this.#released || bytes <= this.#bytes) return true;
    if (!this.#take(bytes - this.#bytes, false)) return false;
    this.#bytes = bytes;
    return true;
  }

  /** Counts bytes that are already in memory, even beyond the limits. */
  force(bytes: number): void {
    if (this.#released) return;
    this.#take(bytes - this.#bytes, true);
    this.#bytes = bytes;
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#take(-this.#bytes, true);
  }
}
