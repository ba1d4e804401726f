import type { Clock } from '../../domain/clock.ts';
import { AppError } from '../../errors.ts';

/** How often the token of a call that goes on is looked up: a revoked one is noticed up to this much later. */
const checkMs = 1_000;

/** The token of a request, as it was shown. */
export interface ShownToken {
  token: string;
  /** @throws {AppError} `unauthorized` when it is no longer valid */
  check: () => Promise<unknown>;
}

/** A call that may take long. */
interface OpenCall {
  /** Aborted when the token becomes invalid, with the reason for its owner. */
  signal: AbortSignal;
  end(): void;
}

/** Calls that may take long. They end when their token is revoked, expires or was rotated long enough ago, here or by another process. */
export class OpenCalls {
  readonly #clock: Clock;
  readonly #closing = new AbortController();
  readonly #byToken = new Map<string, { check: ShownToken['check']; calls: Set<AbortController> }>();
  #isWatching = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  begin({ token, check }: ShownToken): OpenCall {
    const call = new AbortController();
    const known = this.#byToken.get(token) ?? { check, calls: new Set() };
    this.#byToken.set(token, known);
    known.calls.add(call);
    void this.#watch();
    return {
      signal: call.signal,
      end: () => {
        known.calls.delete(call);
        if (known.calls.size === 0) this.#byToken.delete(token);
      },
    };
  }

  /** Stops checking tokens. */
  close(): void {
    this.#closing.abort();
  }

  async #watch(): Promise<void> {
    if (this.#isWatching) return;
    this.#isWatching = true;
    try {
      while (this.#byToken.size > 0) {
        await this.#clock.sleep(checkMs, this.#closing.signal);
        for (const known of this.#byToken.values()) await endUnlessValid(known);
      }
    } catch (error) {
      if (!this.#closing.signal.aborted) throw error;
    } finally {
      this.#isWatching = false;
    }
  }
}

async function endUnlessValid({ check, calls }: { check: ShownToken['check']; calls: Set<AbortController> }) {
  try {
    await check();
  } catch (error) {
    // When the token cannot be looked up now, it is looked up again.
    if (!(error instanceof AppError) || error.code !== 'unauthorized') return;
    for (const call of calls) call.abort(error);
  }
}
