/**
 * Requests started per turn of the event loop. Only one, because serialising the largest responses takes a tenth of a
 * second each.
 */
const maxPerTurn = 1;

/**
 * Spreads simultaneous requests over turns of the event loop. Hundreds of connections may become readable in one turn;
 * handled all at once, they would block everything else on this thread.
 */
export class RequestTurns {
  #begun = 0;
  #isScheduled = false;
  readonly #waiting = new Set<() => void>();

  /** Resolves when the caller may go on, first come, first served. */
  next(): Promise<void> {
    if (this.#begun < maxPerTurn && this.#waiting.size === 0) {
      this.#begun += 1;
      this.#schedule();
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#begun = 0;
      for (const resolve of this.#waiting) {
        if (this.#begun >= maxPerTurn) break;
        this.#waiting.delete(resolve);
        this.#begun += 1;
        resolve();
      }
      if (this.#begun > 0) this.#schedule();
    });
  }
}
