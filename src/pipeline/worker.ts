import { SharedPlaces } from '../domain/turns/shared-places.ts';
import type { HostTurns } from '../fetching/host-turns.ts';
import type { Claim } from '../store/records.ts';
import type { Store, Stores } from '../store/store.ts';
import { hasChores } from './maintenance.ts';
import { noteFailedItems } from './failed-items.ts';
import { JobPlace, type Work, type WorkPlaces } from './job-place.ts';
import { type JobParts, type JobSettings, runJob } from './run-job.ts';

export interface WorkerSettings extends JobSettings {
  /** Items of one account processed at once; one more of another account. What is fetched has places of its own. */
  concurrency: number;
  /** How often to look for work that another process announced. */
  pollMs: number;
}

export interface WorkerParts extends JobParts {
  stores: Stores;
  /** Does what an account has to do beside its items' jobs (`hasChores`), in small writes. */
  doChores: (store: Store, signal: AbortSignal) => Promise<void>;
  /** Whose requests jobs of the network wait for. It calls `wake` when there is room again. */
  hosts: Pick<HostTurns, 'busyHosts'>;
  settings: WorkerSettings;
}

/** How often hints of waiting work are made anew: for items whose time in the trash is over, and for a `control.db` that was put back. */
const hintSweepMs = 5 * 60_000;
/** After chores have failed. */
const choresRetryMs = 60_000;

/** Pages that are fetched at once, most of which are waited for. A third is kept for accounts that fetch nothing yet. */
const fetchPlaces = { total: 24, reserved: 8 };
/** Of one account at one host: a job that finds no room there would hold its place for nothing. */
const maxFetchesAtHost = 2;

/**
 * Takes jobs of all accounts of a data folder and runs them, several at once (decision 35): those that wait for the network and those
 * that need the processor have places apart, accounts take turns in both, and none can hold all places. Any number of processes may do
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
  readonly #places: WorkPlaces;
  readonly #lastServed: Record<Work, string> = { fetch: '', process: '' };
  /** Whose next job is the one that has been due the longest, by kind of work: the others' is that of their newest item. */
  readonly #oldestNext: Record<Work, Set<string>> = { fetch: new Set(), process: new Set() };
  /** Fetches that run, some of which have not come to their host yet. */
  readonly #fetching = new Set<{ accountId: string; host: string }>();
  #hintsSweptAt = Number.NEGATIVE_INFINITY;
  #loop: Promise<void> | null = null;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
    this.#places = {
      fetch: new SharedPlaces(fetchPlaces),
      process: new SharedPlaces({ total: parts.settings.concurrency + 1, reserved: 1 }),
    };
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
      else if (!claimed && !(await this.#othersWork()) && !(await this.#waitsForHosts())) return;
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

  /** Whether an account may have jobs that wait for the pause after a request. */
  async #waitsForHosts(): Promise<boolean> {
    const { hosts, stores } = this.#parts;
    return (await stores.control.accountsWithWork()).some(({ accountId }) => hosts.busyHosts(accountId).length > 0);
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
    const { stores, log } = this.#parts;
    let claimed = false;
    for (;;) {
      let claimedInThisRound = false;
      const failures: unknown[] = [];
      const accounts = await stores.control.accountsWithWork();
      for (const work of ['process', 'fetch'] as const) {
        for (const { accountId, generation } of this.#inTurn(work, accounts)) {
          if (signal.aborted) return { claimed, failures };
          if (!this.#places[work].hasRoom(accountId)) continue;
          try {
            if (await this.#takeJob(work, accountId, generation, signal)) {
              this.#lastServed[work] = accountId;
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
      }
      if (!claimedInThisRound) return { claimed, failures };
    }
  }

  /** Begins after the account that was served last: with fewer places than accounts the first one would take every place. */
  #inTurn<T extends { accountId: string }>(work: Work, accounts: readonly T[]): T[] {
    const inOrder = accounts.toSorted((a, b) => (a.accountId < b.accountId ? -1 : 1));
    const next = inOrder.findIndex(({ accountId }) => accountId > this.#lastServed[work]);
    return next === -1 ? inOrder : [...inOrder.slice(next), ...inOrder.slice(0, next)];
  }

  async #takeJob(work: Work, accountId: string, generation: number, signal: AbortSignal): Promise<boolean> {
    const { clock, stores, settings } = this.#parts;
    const store = await stores.open(accountId);
    const mayDoChores =
      work === 'process' && clock.elapsed() >= (this.#chores.get(accountId) ?? Number.NEGATIVE_INFINITY);
    const hasThem = mayDoChores && (await hasChores(store));
    const place = JobPlace.tryTake(this.#places, work, accountId, () => this.wake());
    if (place === null) return false;
    if (hasThem) {
      this.#launchChores(accountId, store, place, signal);
      return true;
    }
    // An import of hundreds does not hold up what is saved by hand meanwhile, and nothing that is saved later holds up the import.
    const oldestNext = this.#oldestNext[work];
    const which = { work, busyHosts: this.#busyHosts(accountId), newestFirst: !oldestNext.has(accountId) };
    const claim = await store.claimJob(settings.leaseMs, which).catch((error: unknown) => {
      place.leave();
      throw error;
    });
    if (claim !== null) {
      if (!oldestNext.delete(accountId)) oldestNext.add(accountId);
      this.#launch(store, claim, place, signal);
      return true;
    }
    place.leave();
    if (work === 'process' && (await store.settleWork(generation))) {
      await noteFailedItems(stores.control, store);
      await stores.control.clearWork(accountId, generation);
    }
    return false;
  }

  #busyHosts(accountId: string): string[] {
    const counts = new Map<string, number>();
    for (const one of this.#fetching)
      if (one.accountId === accountId) counts.set(one.host, (counts.get(one.host) ?? 0) + 1);
    const own = [...counts].filter(([, count]) => count >= maxFetchesAtHost).map(([host]) => host);
    return [...new Set([...own, ...this.#parts.hosts.busyHosts(accountId)])];
  }

  /** One at a time for an account. Two processes may do the same ones: each write looks at what is left. */
  #launchChores(accountId: string, store: Store, place: JobPlace, signal: AbortSignal): void {
    const { clock, doChores, log } = this.#parts;
    this.#chores.set(accountId, Number.POSITIVE_INFINITY);
    const chores = doChores(store, signal)
      .then(() => void this.#chores.delete(accountId))
      .catch((error: unknown) => {
        this.#chores.set(accountId, clock.elapsed() + choresRetryMs);
        if (!signal.aborted) log.warn({ err: error, accountId }, 'chores of this account failed; trying again later');
      })
      .finally(() => {
        place.leave();
        this.#running.delete(chores);
        this.wake();
      });
    this.#running.add(chores);
  }

  #launch(store: Store, claim: Claim, place: JobPlace, stopped: AbortSignal): void {
    const fetching = claim.host === null ? null : { accountId: store.accountId, host: claim.host };
    if (fetching !== null) this.#fetching.add(fetching);
    const job = runJob(this.#parts, store, claim, place, stopped)
      .catch((error: unknown) =>
        this.#parts.log.error(
          { err: error, contentId: claim.contentId },
          'a job could not be ended properly; its lease will run out',
        ),
      )
      .finally(() => {
        if (fetching !== null) this.#fetching.delete(fetching);
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
        .then(async (store) => {
          await noteFailedItems(stores.control, store);
          return (await hasChores(store)) || (await store.nextJobDueAt()) !== null;
        })
        .catch(() => true);
      if (hasWork) await stores.control.announceWork(account.id);
    }
    this.#hintsSweptAt = clock.elapsed();
  }
}
