import type { Clock } from '../../src/domain/clock.ts';

/** A clock that moves only when told to; `sleep` resolves when the time has come. */
export class ManualClock implements Clock {
  #now: number;
  #sleepers: { until: number; wake: () => void }[] = [];

  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const interrupt = () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal?.reason as Error);
      };
      const wake = () => {
        signal?.removeEventListener('abort', interrupt);
        resolve();
      };
      const sleeper = { until: this.#now + ms, wake };
      this.#sleepers.push(sleeper);
      signal?.addEventListener('abort', interrupt, { once: true });
    });
  }

  /** Resolves as soon as somebody sleeps for at least `ms`: then `advance` meets them. */
  async untilAsleep(ms = 0): Promise<void> {
    while (!this.#sleepers.some(({ until }) => until - this.#now >= ms)) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  get sleeping(): number {
    return this.#sleepers.length;
  }

  advance(ms: number): void {
    this.#now += ms;
    const due = this.#sleepers.filter((sleeper) => sleeper.until <= this.#now);
    this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.until > this.#now);
    for (const sleeper of due) sleeper.wake();
  }
}
