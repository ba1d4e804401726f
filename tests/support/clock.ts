import type { Clock } from '../../src/domain/clock.ts';

/** A clock that moves only when told to; `sleep` resolves when the time has come. Its machine has been up for a day. */
export class ManualClock implements Clock {
  #now: number;
  #elapsed = 0;
  #uptimeAtStart = 24 * 60 * 60_000;
  #sleepers: { until: number; wake: () => void }[] = [];

  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  elapsed(): number {
    return this.#elapsed;
  }

  uptime(): number {
    return this.#uptimeAtStart + this.#elapsed;
  }

  /** Sets the time of day, as a person or a network does: no time passes, and nobody wakes. */
  setBy(ms: number): void {
    this.#now += ms;
  }

  /** The machine was off for so long, and starts now. Who sleeps goes on: to be used between two processes. */
  restartMachine(offMs: number): void {
    this.#now += offMs;
    this.#uptimeAtStart = -this.#elapsed;
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
      const sleeper = { until: this.#elapsed + ms, wake };
      this.#sleepers.push(sleeper);
      signal?.addEventListener('abort', interrupt, { once: true });
    });
  }

  /** Resolves as soon as somebody sleeps for at least `ms`: then `advance` meets them. */
  async untilAsleep(ms = 0): Promise<void> {
    while (!this.#sleepers.some(({ until }) => until - this.#elapsed >= ms)) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  get sleeping(): number {
    return this.#sleepers.length;
  }

  advance(ms: number): void {
    this.#now += ms;
    this.#elapsed += ms;
    const due = this.#sleepers.filter((sleeper) => sleeper.until <= this.#elapsed);
    this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.until > this.#elapsed);
    for (const sleeper of due) sleeper.wake();
  }
}
