import type { Clock } from '../../domain/clock.ts';
import { workOf } from '../../domain/records/stages.ts';
import { ProcessingError } from '../../errors.ts';
import { HostBusyError } from '../../fetching/host-turns.ts';
import type { Log } from '../../workers/log.ts';
import { type Claim, LeaseLostError } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import type { JobPlace, OnNetwork } from './job-places.ts';
import { type Outage, describeFailure } from './retry.ts';

/**
 * Runs the claimed stage, stores its result and returns the claim for the next stage, or null after the last and when the
 * job was released with the result. `yield`: part of a long stage is done and stored; the rest runs after the other
 * due jobs.
 */
export type RunStage = (
  store: Store,
  claim: Claim,
  signal: AbortSignal,
  onNetwork: OnNetwork,
) => Promise<Claim | null | 'yield'>;

export interface JobSettings {
  /** Attempts at one stage before a retryable failure becomes final. */
  maxAttempts: number;
  leaseMs: number;
}

export interface JobParts {
  runStage: RunStage;
  clock: Clock;
  log: Log;
  /** Jitter for retries; in [0, 1). */
  random: () => number;
  settings: JobSettings;
}

/** Runs the stages that this place allows, one after the other, under one renewed lease. */
export async function runJob(
  parts: JobParts & { outage: Outage },
  store: Store,
  first: Claim,
  place: JobPlace,
  stopped: AbortSignal,
): Promise<void> {
  const { clock, log, outage, random, runStage, settings } = parts;
  // Not `AbortSignal.any`: it keeps its listeners for as long as the worker lives.
  const job = new AbortController();
  const { signal } = job;
  const interrupt = () => job.abort(stopped.reason);
  stopped.addEventListener('abort', interrupt);
  if (stopped.aborted) interrupt();
  let lost = false;
  const ended = new AbortController();
  const renew = (): Promise<boolean> =>
    store.renewLease(first, settings.leaseMs).catch((error: unknown) => {
      log.warn({ err: error, contentId: first.contentId }, 'a lease could not be renewed; trying again');
      return true;
    });
  const heartbeat = keepLease(clock, settings.leaseMs, ended.signal, renew, () => {
    lost = true;
    job.abort(new LeaseLostError());
  });

  let claim: Claim | null = first;
  try {
    if (first.attempts > settings.maxAttempts) {
      throw new ProcessingError(
        'interrupted',
        'The program ended each time while it processed this item. The item may be too large for this machine; `commonplace retry` tries again.',
      );
    }
    while (claim !== null) {
      signal.throwIfAborted();
      log.debug({ contentId: claim.contentId, stage: claim.stage, attempts: claim.attempts }, 'stage begins');
      const next: Claim | null | 'yield' = await runStage(store, claim, signal, (work) =>
        place.onNetwork(signal, work),
      );
      if (claim.stage === 'fetch') outage.noteSuccess(clock.elapsed());
      if (next === 'yield') return await store.releaseJob(claim);
      claim = next;
      // The next stage waits for its turn: quickly fetched items are not read before others, and enrichment delays no reading.
      if (claim !== null && workOf(claim.stage) !== place.work) return await store.releaseJob(claim);
    }
  } catch (error) {
    if (claim === null || error instanceof LeaseLostError || lost) return;
    if (stopped.aborted) return await store.releaseJob(claim);
    if (error instanceof HostBusyError) return await store.releaseJob(claim, error.host);
    const isOffline = error instanceof ProcessingError && error.code === 'offline';
    const awayMs = isOffline ? outage.noteFailure(clock.elapsed()) : null;
    const { maxAttempts } = settings;
    const failure = describeFailure(error, claim, { now: clock.now(), maxAttempts, random, awayMs });
    log.warn(
      {
        contentId: claim.contentId,
        stage: claim.stage,
        code: failure.code,
        attempts: claim.attempts,
        err: failure.code === 'internal' || failure.code === 'machine_limit' ? error : undefined,
      },
      'stage failed',
    );
    await store.failJob(claim, failure).catch((failing: unknown) => {
      if (!(failing instanceof LeaseLostError)) throw failing;
    });
  } finally {
    place.leave();
    stopped.removeEventListener('abort', interrupt);
    // A given reason: an error with its stack would be made for each job otherwise.
    ended.abort('ended');
    await heartbeat;
  }
}

/**
 * Renews a lease until the work has ended, three times in its length, so that a renewal that fails (a busy file) is made
 * up for by the next one.
 * @param renew whether the lease is still ours; true as well when that could not be asked
 * @param onLost called when another worker has it, at most once
 */
export async function keepLease(
  clock: Pick<Clock, 'sleep'>,
  leaseMs: number,
  ended: AbortSignal,
  renew: () => Promise<boolean>,
  onLost: () => void,
): Promise<void> {
  while (!ended.aborted) {
    await clock.sleep(leaseMs / 3, ended).catch(() => undefined);
    if (ended.aborted) return;
    if (await renew()) continue;
    onLost();
    return;
  }
}
