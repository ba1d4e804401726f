import { isMachineLimit } from '../../domain/machine-limits.ts';
import { machineLimit, ProcessingError } from '../../errors.ts';
import { HostHeldError } from '../../fetching/host-turns.ts';
import type { Claim, JobFailure } from '../../store/records.ts';

/** Attempts before an item that could still succeed is given up: the last comes some six hours after the first. */
export const maxAttempts = 6;
const firstRetryMs = 15_000;
const maxRetryMs = 6 * 3_600_000;
const maxRetryAfterMs = 24 * 3_600_000;

/** 15 s, 1 min, 4 min, … up to 6 h, ±20 %, and never earlier than the server asked for (up to a day). */
export function retryDelayMs(attempts: number, retryAfterMs: number | undefined, random: () => number): number {
  const backoff = Math.min(firstRetryMs * 4 ** Math.max(0, attempts - 1), maxRetryMs);
  const spread = backoff * (0.8 + 0.4 * random());
  return Math.round(Math.max(spread, Math.min(retryAfterMs ?? 0, maxRetryAfterMs)));
}

/** As long as the network has been away, so that each pause doubles, from 15 s up to a day. */
function outagePauseMs(awayMs: number, random: () => number): number {
  const pause = Math.max(firstRetryMs, awayMs) * (0.8 + 0.4 * random());
  return Math.round(Math.min(pause, maxRetryAfterMs));
}

/**
 * Turns any error of a stage into the failure that is stored on the item. The text of unknown errors is never stored.
 * While the machine's own network is away (`awayMs`), attempts do not count.
 */
export function describeFailure(
  error: unknown,
  claim: Claim,
  worker: { now: number; maxAttempts: number; random: () => number; awayMs?: number | null },
): JobFailure {
  const known = explained(error);
  const awayMs = known.code === 'offline' ? (worker.awayMs ?? null) : null;
  const isUntried = known instanceof HostHeldError || awayMs !== null;
  const again = known.retryable && (isUntried || claim.attempts < worker.maxAttempts);
  const pauseMs =
    awayMs === null
      ? retryDelayMs(claim.attempts, known.retryAfterMs, worker.random)
      : outagePauseMs(awayMs, worker.random);
  return {
    code: known.code,
    message: known.message,
    retryable: known.retryable,
    known: known.known,
    ...(isUntried && { isUntried }),
    nextAttemptAt: again ? worker.now + pauseMs : null,
  };
}

/** The error itself if it has advice, else one that does. */
export function explained(error: unknown): ProcessingError {
  const isExplained = error instanceof ProcessingError && error.code !== 'internal';
  // An unexplained error may come from a limit of the machine.
  if (!isExplained && isMachineLimit(error)) return machineLimit(error);
  if (error instanceof ProcessingError) return error;
  return new ProcessingError(
    'internal',
    'Something went wrong inside Commonplace while this was processed. If it keeps failing, run it with --log-level debug and report what the log says.',
    { retryable: true, cause: error },
  );
}

/** A failure soon after a page was fetched may be the fault of one site, whatever it looks like. */
const workedLatelyMs = 10 * 60_000;

/** This process's observations of the machine's own network. Times are those of `Clock.elapsed`, in milliseconds. */
export class Outage {
  #since: number | null = null;
  #workedAt = Number.NEGATIVE_INFINITY;

  noteSuccess(elapsed: number): void {
    this.#since = null;
    this.#workedAt = elapsed;
  }

  /** @returns for how long the network has been away; null when it worked a short while ago */
  noteFailure(elapsed: number): number | null {
    this.#since ??= elapsed;
    return elapsed - this.#workedAt < workedLatelyMs ? null : elapsed - this.#since;
  }
}
