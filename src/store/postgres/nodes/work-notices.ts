import type { Clock } from '../../../domain/clock.ts';
import type { Pool } from '../database.ts';

const channel = 'commonplace_work';

/**
 * At most one notice in this time from each node, whatever it saves: while transactions with notices commit, the
 * server lets no other one commit. For the same reason notices are not part of the writes. One that is lost is made up for by polling.
 */
const betweenNoticesMs = 250;
/** Before a lost connection is made again. */
const betweenAttemptsMs = 1_000;

/** Tells other nodes that there is work, and hears it from them. */
export class WorkNotices {
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #ending = new AbortController();
  #isDue = false;
  #telling: Promise<void> | null = null;
  #listening: Promise<void> | null = null;

  constructor(pool: Pool, clock: Clock) {
    this.#pool = pool;
    this.#clock = clock;
  }

  /** Call after work was written. */
  tell(): void {
    this.#isDue = true;
    this.#telling ??= this.#tellWhileDue();
  }

  async #tellWhileDue(): Promise<void> {
    while (this.#isDue && !this.#ending.signal.aborted) {
      this.#isDue = false;
      await this.#pool.unsafe(`NOTIFY ${channel}`).catch(() => undefined);
      await this.#pause(betweenNoticesMs);
    }
    this.#telling = null;
  }

  /** Calls `wake` for each notice, and when some may have been missed. */
  listen(wake: () => void): void {
    this.#listening ??= this.#listenUntilEnded(wake);
  }

  async #listenUntilEnded(wake: () => void): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      const isPossible = await this.#pool.listen(channel, wake, signal).catch(() => true);
      if (!isPossible) return;
      await this.#pause(betweenAttemptsMs);
    }
  }

  async #pause(ms: number): Promise<void> {
    await this.#clock.sleep(ms, this.#ending.signal).catch(() => undefined);
  }

  async end(): Promise<void> {
    this.#ending.abort();
    await Promise.all([this.#telling, this.#listening]);
  }
}
