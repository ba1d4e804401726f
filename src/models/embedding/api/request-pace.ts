import type { Clock } from '../../../domain/clock.ts';
import { SharedPlaces } from '../../../domain/turns/shared-places.ts';

/**
 * Limits the rate and concurrency of requests, and pauses them on demand. All callers of one server share one instance.
 */
export class RequestPace {
  readonly #clock: Clock;
  readonly #spacingMs: number;
  readonly #places: SharedPlaces;
  /** When the next request may begin (`Clock.elapsed`). */
  #nextAt = 0;
  #pausedUntil = 0;

  /** @param perMinute 0: no limit */
  constructor(clock: Clock, { perMinute, atOnce }: { perMinute: number; atOnce: number }) {
    this.#clock = clock;
    this.#spacingMs = perMinute === 0 ? 0 : 60_000 / perMinute;
    this.#places = new SharedPlaces({ total: atOnce, reserved: 0 });
  }

  /** Milliseconds for which the server still asks not to be called. */
  get pausedForMs(): number {
    return Math.max(0, this.#pausedUntil - this.#clock.elapsed());
  }

  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.elapsed() + ms);
  }

  /** Counts a request that does not wait for its turn; later requests are delayed for it. */
  note(): void {
    this.#nextAt = Math.max(this.#nextAt, this.#clock.elapsed()) + this.#spacingMs;
  }

  /**
   * Runs `task` when it is its turn. Accounts take turns; the calls of one account run in their order.
   * @param mayWait called before every wait with the remaining pause that the server asked for; an error that it throws
   *   ends the call
   */
  async run<T>(
    task: () => Promise<T>,
    signal: AbortSignal,
    mayWait: (pausedForMs: number) => void,
    accountId = '',
  ): Promise<T> {
    const place = await this.#places.take(accountId, signal);
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
      place.leave();
    }
  }
}
