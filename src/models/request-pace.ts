import type { Clock } from '../domain/clock.ts';

/** How fast requests may follow each other, and when there may be none: one for all who call the same server. */
export class RequestPace {
  readonly #clock: Clock;
  readonly #spacingMs: number;
  #free: number;
  readonly #waiting: (() => void)[] = [];
  /** When the next request may begin (`Clock.elapsed`). */
  #nextAt = 0;
  #pausedUntil = 0;

  /** @param perMinute 0: no limit */
  constructor(clock: Clock, { perMinute, atOnce }: { perMinute: number; atOnce: number }) {
    this.#clock = clock;
    this.#spacingMs = perMinute === 0 ? 0 : 60_000 / perMinute;
    this.#free = atOnce;
  }

  /** Milliseconds for which the other side asked not to be called. */
  get pausedForMs(): number {
    return Math.max(0, this.#pausedUntil - this.#clock.elapsed());
  }

  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.elapsed() + ms);
  }

  /** Counts a request that waits for nothing; later ones make room for it. */
  note(): void {
    this.#nextAt = Math.max(this.#nextAt, this.#clock.elapsed()) + this.#spacingMs;
  }

  /**
   * Runs `task` when it is its turn, in the order of the calls.
   * @param mayWait asked before every wait that the other side asked for; what it throws ends the call
   */
  async run<T>(task: () => Promise<T>, signal: AbortSignal, mayWait: (pausedForMs: number) => void): Promise<T> {
    await this.#take(signal);
    try {
      for (;;) {
        const waitMs = Math.max(this.#nextAt, this.#pausedUntil) - this.#clock.elapsed();
        if (waitMs <= 0) break;
        mayWait(this.pausedForMs);
        await this.#clock.sleep(waitMs, signal);
      }
      this.note();
      return await task();
    } finally {
      this.#free += 1;
      this.#waiting.shift()?.();
    }
  }

  async #take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    while (this.#free === 0) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const leave = (): void => {
        const at = this.#waiting.indexOf(resolve);
        if (at !== -1) this.#waiting.splice(at, 1);
        // It may have been called already: then the place is the next one's.
        else this.#waiting.shift()?.();
        reject(signal.reason as Error);
      };
      this.#waiting.push(resolve);
      signal.addEventListener('abort', leave, { once: true });
      try {
        await promise;
      } finally {
        signal.removeEventListener('abort', leave);
      }
    }
    this.#free -= 1;
  }
}
