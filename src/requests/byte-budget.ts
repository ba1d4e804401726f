/** How many bytes may be held at once, by everybody together and by each owner. */
export interface ByteBudgetLimits {
  maxBytes: number;
  maxOwnerBytes: number;
}

/** Counts bytes that are held in memory for somebody. */
export class ByteBudget {
  readonly #limits: ByteBudgetLimits;
  readonly #byOwner = new Map<string, number>();
  #held = 0;

  constructor(limits: ByteBudgetLimits) {
    this.#limits = limits;
  }

  /** An empty reservation, which grows as bytes come. */
  open(owner: string): Reservation {
    return new Reservation((bytes, always) => this.#take(owner, bytes, always));
  }

  /** Whether an owner has room for nothing more. */
  isFull(owner: string): boolean {
    return this.#held >= this.#limits.maxBytes || this.#heldBy(owner) >= this.#limits.maxOwnerBytes;
  }

  #heldBy(owner: string): number {
    return this.#byOwner.get(owner) ?? 0;
  }

  /** @param bytes negative to give back */
  #take(owner: string, bytes: number, always: boolean): boolean {
    const { maxBytes, maxOwnerBytes } = this.#limits;
    const held = this.#heldBy(owner) + bytes;
    if (!always && (this.#held + bytes > maxBytes || held > maxOwnerBytes)) return false;
    this.#held += bytes;
    if (held === 0) this.#byOwner.delete(owner);
    else this.#byOwner.set(owner, held);
    return true;
  }
}

/** What one request holds of a budget. */
export class Reservation {
  readonly #take: (bytes: number, always: boolean) => boolean;
  #bytes = 0;
  #released = false;

  constructor(take: (bytes: number, always: boolean) => boolean) {
    this.#take = take;
  }

  /** @returns false when there is no room; then it stays as it is */
  growTo(bytes: number): boolean {
    if (this.#released || bytes <= this.#bytes) return true;
    if (!this.#take(bytes - this.#bytes, false)) return false;
    this.#bytes = bytes;
    return true;
  }

  /** Counts bytes that are there already, even beyond the limits. */
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
