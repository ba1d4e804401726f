import type { Clock } from '../domain/clock.ts';
import { ProcessingError } from '../errors.ts';
import type { Log } from '../log.ts';
import { LeaseLostError, type Claim, type JobFailure, type Store, type Stores } from '../store/store.ts';

export interface WorkerSettings {
  /** Items processed at once. */
  concurrency: number;
  /** Attempts at one stage before an item that could still succeed is given up. */
  maxAttempts: number;
  leaseMs: number;
  /** How often to look for work that another process announced. */
  pollMs: number;
}

/** Runs the claimed stage, keeps its result and returns the claim for the next stage, or null after the last. */
export type RunStage = (store: Store, claim: Claim, signal: AbortSignal) => Promise<Claim | null>;

export interface WorkerParts {
  stores: Stores;
  runStage: RunStage;
  clock: Clock;
  log: Log;
  /** Spreads retries; in [0, 1). */
  random: () => number;
  settings: WorkerSettings;
}

const firstRetryMs = 15_000;
const longestRetryMs = 6 * 3_600_000;
const longestRetryAfterMs = 24 * 3_600_000;

/**
 * How long to wait before the next attempt: 15 s, 1 min, 4 min, … up to 6 h, ±20 %, and never earlier than
 * the other side asked for (up to a day).
 */
export function retryDelayMs(attempts: number, retryAfterMs: number | undefined, random: () => number): number {
  const backoff = Math.min(firstRetryMs * 4 ** Math.max(0, attempts - 1), longestRetryMs);
  const spread = backoff * (0.8 + 0.4 * random());
  return Math.round(Math.max(spread, Math.min(retryAfterMs ?? 0, longestRetryAfterMs)));
}

/** Turns whatever a stage threw into what is kept on the item. Text of unknown errors never gets there. */
export function describeFailure(error: unknown, claim: Claim, worker: { now: number; maxAttempts: number; random: () => number }): JobFailure {
  const known =
    error instanceof ProcessingError
      ? error
      : new ProcessingError('internal', 'Something went wrong inside Commonplace while this was processed. It is tried again; if it keeps failing, run `commonplace retry` with logLevel debug and report what the log says.', { retryable: true, cause: error });
  const again = known.retryable && claim.attempts < worker.maxAttempts;
  return {
    code: known.code,
    message: known.message,
    retryable: known.retryable,
    nextAttemptAt: again ? worker.now + retryDelayMs(claim.attempts, known.retryAfterMs, worker.random) : null,
  };
}

/**
 * Takes jobs of all accounts of a data folder and runs them, several at once. Any number of processes may do
 * so on the same folder: a claim is a compare-and-swap with a lease, and a lost lease keeps nothing.
 */
export class Worker {
  readonly #parts: WorkerParts;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #wake: () => void = () => undefined;
  #loop: Promise<void> | null = null;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
  }

  /** Starts taking jobs until `stop`. */
  start(): void {
    this.#loop ??= this.#takeUntilStopped();
  }

  /** Looks for work now instead of at the next poll. */
  wake(): void {
    this.#wake();
  }

  /** Stops taking jobs, interrupts those that run and gives them back. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake();
    await this.#loop;
    await Promise.all(this.#running);
  }

  /** Processes everything that is due and everything that becomes due while doing so, then returns. Waits for no later retry. */
  async runUntilEmpty(signal?: AbortSignal): Promise<void> {
    const stopped = signal === undefined ? this.#stopping.signal : AbortSignal.any([signal, this.#stopping.signal]);
    await this.#rebuildHints();
    while (!stopped.aborted) {
      const claimed = await this.#fill(stopped);
      if (this.#running.size > 0) await Promise.race(this.#running);
      else if (!claimed) return;
    }
    await Promise.all(this.#running);
  }

  async #takeUntilStopped(): Promise<void> {
    const { signal } = this.#stopping;
    const { log } = this.#parts;
    let hintsRebuilt = false;
    while (!signal.aborted) {
      try {
        if (!hintsRebuilt) {
          await this.#rebuildHints();
          hintsRebuilt = true;
        }
        await this.#fill(signal);
      } catch (error) {
        log.error({ err: error }, 'looking for work failed; trying again');
      }
      await this.#nap(signal);
    }
  }

  /** Waits until a job ends, somebody wakes us, or the next poll. */
  async #nap(signal: AbortSignal): Promise<void> {
    const { clock, settings } = this.#parts;
    if (signal.aborted) return;
    const nap = new AbortController();
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    const poll = clock.sleep(settings.pollMs, nap.signal).catch(() => undefined);
    await Promise.race([woken, poll, ...this.#running]);
    nap.abort();
  }

  /** Claims jobs, one account after the other, until all places are taken or nothing is due. */
  async #fill(signal: AbortSignal): Promise<boolean> {
    const { stores, settings } = this.#parts;
    let claimedAny = false;
    let idle = false;
    while (!idle && this.#running.size < settings.concurrency && !signal.aborted) {
      idle = true;
      for (const { accountId, generation } of await stores.control.accountsWithWork()) {
        if (this.#running.size >= settings.concurrency || signal.aborted) break;
        const store = await stores.open(accountId);
        const claim = await store.claimJob(settings.leaseMs);
        if (claim !== null) {
          idle = false;
          claimedAny = true;
          this.#launch(store, claim, signal);
        } else if ((await store.nextJobDueAt()) === null) {
          await stores.control.clearWork(accountId, generation);
        }
      }
    }
    return claimedAny;
  }

  #launch(store: Store, claim: Claim, signal: AbortSignal): void {
    const job = this.#runJob(store, claim, signal)
      .catch((error: unknown) => this.#parts.log.error({ err: error, contentId: claim.contentId }, 'a job could not be ended properly; its lease will run out'))
      .finally(() => {
        this.#running.delete(job);
        this.#wake();
      });
    this.#running.add(job);
  }

  /** Runs an item's stages, one after the other, under one lease that is renewed meanwhile. */
  async #runJob(store: Store, first: Claim, stopped: AbortSignal): Promise<void> {
    const { clock, log, random, runStage, settings } = this.#parts;
    const lost = new AbortController();
    const signal = AbortSignal.any([stopped, lost.signal]);
    const ended = new AbortController();
    let claim: Claim | null = first;
    const heartbeat = (async () => {
      for (;;) {
        await clock.sleep(settings.leaseMs / 3, ended.signal);
        if (claim !== null && !(await store.renewLease(claim, settings.leaseMs))) lost.abort(new LeaseLostError());
      }
    })().catch(() => undefined);

    try {
      if (first.attempts > settings.maxAttempts) {
        throw new ProcessingError('interrupted', 'Processing this was interrupted too often, the program ended each time. It may be too large for this machine; `commonplace retry` tries again.');
      }
      while (claim !== null) {
        log.debug({ contentId: claim.contentId, stage: claim.stage, attempts: claim.attempts }, 'stage begins');
        claim = await runStage(store, claim, signal);
        if (claim !== null) signal.throwIfAborted();
      }
    } catch (error) {
      if (claim === null || error instanceof LeaseLostError || lost.signal.aborted) return;
      if (stopped.aborted) {
        await store.releaseJob(claim);
        return;
      }
      const failure = describeFailure(error, claim, { now: clock.now(), maxAttempts: settings.maxAttempts, random });
      log.warn({ contentId: claim.contentId, stage: claim.stage, code: failure.code, attempts: claim.attempts, err: failure.code === 'internal' ? error : undefined }, 'stage failed');
      await store.failJob(claim, failure).catch((failing: unknown) => {
        if (!(failing instanceof LeaseLostError)) throw failing;
      });
    } finally {
      ended.abort();
      await heartbeat;
    }
  }

  /** Announces the work of every account that has some: a crash may have lost a hint. */
  async #rebuildHints(): Promise<void> {
    const { control } = this.#parts.stores;
    const known = new Set((await control.accountsWithWork()).map((entry) => entry.accountId));
    for (const account of await control.listAccounts()) {
      if (this.#stopping.signal.aborted) return;
      if (known.has(account.id)) continue;
      const store = await this.#parts.stores.open(account.id);
      if ((await store.countUnfinishedJobs()) > 0) await control.announceWork(account.id);
    }
  }
}
