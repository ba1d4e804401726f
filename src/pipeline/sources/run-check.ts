import type { Clock } from '../../domain/clock.ts';
import { newChange } from '../../domain/records/change.ts';
import type { CheckOutcome, SourceClaim, SourceKind } from '../../domain/records/sources/source.ts';
import { AppError } from '../../errors.ts';
import { HostBusyError } from '../../fetching/host-turns.ts';
import type { Log } from '../../workers/log.ts';
import { LeaseLostError } from '../../store/records.ts';
import type { Store, Stores } from '../../store/store.ts';
import { keepLease } from '../queue/run-job.ts';
import { explained } from '../queue/retry.ts';
import { z } from 'zod';

/**
 * Looks for new entries of a source, and stores them. `store` records all its writes as one change of the source. A check may end
 * at any moment: entries and items are stored in such an order that the next one continues without duplicates. `claim.memory` is
 * the state of the last one.
 * @throws {ProcessingError} when the source cannot be read: it is retried later
 */
export type CheckSource = (store: Store, claim: SourceClaim, signal: AbortSignal) => Promise<CheckOutcome>;

/** How this process checks each kind of source. It leaves the others to other processes. */
export type SourceCheckers = Partial<Record<SourceKind, CheckSource>>;

interface CheckParts {
  stores: Pick<Stores, 'open'>;
  clock: Clock;
  log: Log;
  /** Jitter; in [0, 1). */
  random: () => number;
}

export const sourceLeaseMs = 60_000;
const shortestPauseMs = 15 * 60_000;
const longestPauseMs = 24 * 3_600_000;

/** Runs one check under a lease that is renewed meanwhile. Never rejects: what fails is noted on the source. */
export async function runCheck(
  parts: CheckParts,
  check: CheckSource,
  accountId: string,
  claim: SourceClaim,
  stopped: AbortSignal,
): Promise<void> {
  const { stores, clock, log } = parts;
  const ended = new AbortController();
  const lost = new AbortController();
  const signal = AbortSignal.any([stopped, lost.signal, ended.signal]);
  try {
    const change = newChange({
      face: claim.kind,
      by: claim.name,
      operation: 'check_source',
      scopes: ['content:write'],
    });
    const store = await stores.open({ account: accountId, change });
    const renew = (): Promise<boolean> =>
      store.renewSource(claim, sourceLeaseMs).catch((error: unknown) => {
        log.warn({ err: error, sourceId: claim.id }, 'the lease of a check could not be renewed; trying again');
        return true;
      });
    const heartbeat = keepLease(clock, sourceLeaseMs, ended.signal, renew, () => lost.abort(new LeaseLostError()));
    const outcome = await check(store, claim, signal).catch((error: unknown) => {
      if (error instanceof HostBusyError || stopped.aborted || lost.signal.aborted) return null;
      return failedCheck(parts, claim, error);
    });
    ended.abort('ended');
    await heartbeat;
    // Undo takes back what it brought, and not that it was made.
    await (await stores.open(accountId)).endSourceCheck(claim, outcome);
  } catch (error) {
    if (error instanceof LeaseLostError || (error instanceof AppError && error.code === 'not_found')) return;
    log.warn({ err: error, sourceId: claim.id }, 'a check of a source could not be ended; it is repeated later');
  } finally {
    ended.abort('ended');
  }
}

/** A check that failed is repeated after ever longer pauses, and never earlier than the server asked for. */
function failedCheck({ log, random }: CheckParts, claim: SourceClaim, error: unknown): CheckOutcome | null {
  if (error instanceof LeaseLostError) return null;
  const { code, message, retryAfterMs = 0 } = explained(error);
  log.warn(
    { err: code === 'internal' ? error : undefined, sourceId: claim.id, code },
    'a source could not be checked; it is tried again later',
  );
  const usualMs = Math.max(shortestPauseMs, (claim.everyMinutes ?? 0) * 60_000);
  const backoffMs = Math.min(longestPauseMs, usualMs * 2 ** Math.min(claim.failures, 10)) * (0.8 + 0.4 * random());
  return {
    nextCheckInMs: Math.min(longestPauseMs, Math.max(backoffMs, retryAfterMs)),
    hasChanged: false,
    problem: { code, message },
  };
}

const dayMs = 24 * 3_600_000;

/** How many there were in the day that began at `since`. */
export const dayCount = z.object({ since: z.number(), count: z.number().min(0) });
type DayCount = z.infer<typeof dayCount>;

/** The count to continue: it starts over on a new day. */
export function countOfDay(last: DayCount | undefined, now: number): DayCount {
  return last !== undefined && now - last.since < dayMs ? last : { since: now, count: 0 };
}
