import type { Claim } from '../store/records.ts';
import type { Store, Stores } from '../store/store.ts';
import { hasChores } from './chores.ts';
import { type JobParts, type JobSettings, runJob } from './run-job.ts';

export interface WorkerSettings extends JobSettings {
  /** Items processed at once. */
  concurrency: number;
  /** How often to look for work that another process announced. */
  pollMs: number;
}

export interface WorkerParts extends JobParts {
  stores: Stores;
  /** Does what an account has to do beside its items' jobs (`hasChores`), in small writes. */
  doChores: (store: Store, signal: AbortSignal) => Promise<void>;
  settings: WorkerSettings;
}

/** How often hints of waiting work are made anew: for items whose time in the trash is over, and for a `control.db` that was put back. */
const hintSweepMs = 5 * 60_000;
/** After chores have failed. */
const choresRetryMs = 60_000;

/**
 * Takes jobs of all accounts of a data folder and runs them, several at once. Any number of processes may do
 * so on the same folder: a claim is a compare-and-swap with a lease, and a lost lease keeps nothing.
 */
export class Worker {
  readonly #parts: WorkerParts;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #naps = new Set<AbortController>();
  /** Accounts whose file could not be used when it was tried last: said once, not at every poll. */
  readonly #unusable = new Set<string>();
  /** Accounts whose chores are being done, or have failed and wait until then (`Clock.elapsed`). */
  readonly #chores = new Map<string, number>();
  /** Counts what may have made a difference, so that what happens while a loop looks for work is not slept through. */
  #events = 0;
  #lastServed = '';
  #hintsSweptAt = Number.NEGATIVE_INFINITY;
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
    this.#events += 1;
    for (const nap of this.#naps) nap.abort();
  }

  /** Stops taking jobs, interrupts those that run and gives them back. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.wake();
    await this.#loop;
    await Promise.all(this.#running);
  }

  /**
   * Processes everything that is due and everything that becomes due while doing so, then returns. Waits for no later
   * retry, but for the jobs that other processes hold: they end, or their leases do when the process was killed.
   * @throws the first reason why some account's jobs could not be looked at, after those of all others are done
   */
  async runUntilEmpty(signal?: AbortSignal): Promise<void> {
    const stopped = signal === undefined ? this.#stopping.signal : AbortSignal.any([signal, this.#stopping.signal]);
    const wake = () => this.wake();
    stopped.addEventListener('abort', wake);
    try {
      await this.#drain(stopped);
    } finally {
      stopped.removeEventListener('abort', wake);
    }
  }

  async #drain(stopped: AbortSignal): Promise<void> {
    await this.#sweepHints();
    while (!stopped.aborted) {
      const seen = this.#events;
      const { claimed, failures } = await this.#fill(stopped);
      if (this.#running.size > 0) await this.#nap(seen);
      else if (!claimed && failures.length > 0) throw failures[0];
      else if (!claimed && !(await this.#othersWork())) return;
      else if (!claimed) await this.#nap(seen);
    }
    await Promise.all(this.#running);
  }

  /** Whether any account has a job that another process claimed. */
  async #othersWork(): Promise<boolean> {
    const { stores } = this.#parts;
    for (const { accountId } of await stores.control.accountsWithWork()) {
      if ((await (await stores.open(accountId)).nextLeaseEndsAt()) !== null) return true;
    }
    return false;
  }

  async #takeUntilStopped(): Promise<void> {
    const { signal } = this.#stopping;
    const { clock, log } = this.#parts;
    while (!signal.aborted) {
      const seen = this.#events;
      try {
        if (clock.elapsed() - this.#hintsSweptAt >= hintSweepMs) await this.#sweepHints();
        await this.#fill(signal);
      } catch (error) {
        log.error({ err: error }, 'looking for work failed; trying again');
      }
      await this.#nap(seen);
    }
  }

  /** Waits for the next poll, or until something happens; not at all when something has happened since `seen`. */
  async #nap(seen: number): Promise<void> {
    if (this.#events !== seen) return;
    const { clock, settings } = this.#parts;
    // A race against the jobs would leave a callback on a long one at every nap: the end of a job aborts the nap instead.
    const nap = new AbortController();
    this.#naps.add(nap);
    await clock.sleep(settings.pollMs, nap.signal).catch(() => undefined);
    this.#naps.delete(nap);
  }

  /** Claims jobs, one account after the other, until all places are taken or nothing is due. An account that cannot be used does not hold up the others. */
  async #fill(signal: AbortSignal): Promise<{ claimed: boolean; failures: unknown[] }> {
    const { stores, settings, log } = this.#parts;
    let claimed = false;
    for (;;) {
      let claimedInThisRound = false;
      const failures: unknown[] = [];
      for (const { accountId, generation } of this.#inTurn(await stores.control.accountsWithWork())) {
        if (this.#running.size >= settings.concurrency || signal.aborted) return { claimed, failures };
        try {
          if (await this.#takeJob(accountId, generation, signal)) {
            this.#lastServed = accountId;
            claimedInThisRound = true;
            claimed = true;
          }
          this.#unusable.delete(accountId);
        } catch (error) {
          failures.push(error);
          if (!this.#unusable.has(accountId))
            log.error({ err: error, accountId }, 'jobs of this account cannot be taken; trying again');
          this.#unusable.add(accountId);
        }
      }
      if (!claimedInThisRound) return { claimed, failures };
    }
  }

  /** Begins after the account that was served last: with fewer places than accounts the first one would take every place. */
  #inTurn<T extends { accountId: string }>(accounts: readonly T[]): T[] {
    const inOrder = accounts.toSorted((a, b) => (a.accountId < b.accountId ? -1 : 1));
    const next = inOrder.findIndex(({ accountId }) => accountId > this.#lastServed);
    return next === -1 ? inOrder : [...inOrder.slice(next), ...inOrder.slice(0, next)];
  }

  async #takeJob(accountId: string, generation: number, signal: AbortSignal): Promise<boolean> {
    const { clock, stores, settings } = this.#parts;
    const store = await stores.open(accountId);
    if (clock.elapsed() >= (this.#chores.get(accountId) ?? Number.NEGATIVE_INFINITY) && (await hasChores(store))) {
      this.#launchChores(accountId, store, signal);
      return true;
    }
    const claim = await store.claimJob(settings.leaseMs);
    if (claim !== null) this.#launch(store, claim, signal);
    else if (await store.settleWork(generation)) await stores.control.clearWork(accountId, generation);
    return claim !== null;
  }

  /** One at a time for an account. Two processes may do the same ones: each write looks at what is left. */
  #launchChores(accountId: string, store: Store, signal: AbortSignal): void {
    const { clock, doChores, log } = this.#parts;
    this.#chores.set(accountId, Number.POSITIVE_INFINITY);
    const chores = doChores(store, signal)
      .then(() => void this.#chores.delete(accountId))
      .catch((error: unknown) => {
        this.#chores.set(accountId, clock.elapsed() + choresRetryMs);
        if (!signal.aborted) log.warn({ err: error, accountId }, 'chores of this account failed; trying again later');
      })
      .finally(() => {
        this.#running.delete(chores);
        this.wake();
      });
    this.#running.add(chores);
  }

  #launch(store: Store, claim: Claim, stopped: AbortSignal): void {
    const job = runJob(this.#parts, store, claim, stopped)
      .catch((error: unknown) =>
        this.#parts.log.error(
          { err: error, contentId: claim.contentId },
          'a job could not be ended properly; its lease will run out',
        ),
      )
      .finally(() => {
        this.#running.delete(job);
        this.wake();
      });
    this.#running.add(job);
  }

  /** Announces the work of every account that has some: a crash, or another process, may have lost a hint. */
  async #sweepHints(): Promise<void> {
    const { clock, stores } = this.#parts;
    const known = new Set((await stores.control.accountsWithWork()).map((entry) => entry.accountId));
    for (const account of await stores.control.listAccounts()) {
      if (this.#stopping.signal.aborted) return;
      if (known.has(account.id)) continue;
      // An account that cannot be looked into counts as one with work: taking its jobs will say what is wrong.
      const hasWork = await stores
        .open(account.id)
        .then(async (store) => (await hasChores(store)) || (await store.nextJobDueAt()) !== null)
        .catch(() => true);
      if (hasWork) await stores.control.announceWork(account.id);
    }
    this.#hintsSweptAt = clock.elapsed();
  }
}
