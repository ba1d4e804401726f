import type { Clock } from '../domain/clock.ts';

/** A time limit that can be paused. */
export class TimeLimit {
  readonly #clock: Clock;
  readonly #over = new AbortController();
  readonly #reason: () => Error;
  #leftMs: number;
  #running: { since: number; stop: AbortController } | null = null;

  /** @param reason creates the signal's reason when the time is over */
  constructor(clock: Clock, ms: number, reason: () => Error) {
    this.#clock = clock;
    this.#leftMs = ms;
    this.#reason = reason;
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  run(): void {
    if (this.#running !== null) return;
    const stop = new AbortController();
    this.#running = { since: this.#clock.elapsed(), stop };
    this.#clock.sleep(Math.max(0, this.#leftMs), stop.signal).then(
      () => this.#over.abort(this.#reason()),
      () => undefined, // the limit was stopped first
    );
  }

  stop(): void {
    if (this.#running === null) return;
    this.#leftMs -= this.#clock.elapsed() - this.#running.since;
    // A given reason: an error with its stack would be made for each page otherwise.
    this.#running.stop.abort('stopped');
    this.#running = null;
  }

  /** Runs `wait` without counting its time. */
  async without<T>(wait: () => Promise<T>): Promise<T> {
    this.stop();
    try {
      return await wait();
    } finally {
      this.run();
    }
  }
}
