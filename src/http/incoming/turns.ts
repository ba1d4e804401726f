/** Requests that are begun in one turn of the event loop. Only one: the largest answers take a tenth of a second each to be written. */
const maxPerTurn = 1;

/**
 * Spreads requests that come at the same instant over turns of the event loop. Hundreds of connections may become readable
 * in one turn; answered all in it, they would hold up everything else that the thread does.
 */
export class Turns {
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
