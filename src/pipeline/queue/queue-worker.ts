import { sourceKinds } from '../../domain/records/sources/source.ts';
import { type Work, works } from '../../domain/records/stages.ts';
import type { HostTurns } from '../../fetching/host-turns.ts';
import type { Claim } from '../../store/records.ts';
import type { Store, Stores } from '../../store/store.ts';
import { SharedPlaces } from '../../domain/turns/shared-places.ts';
import { runCheck, type SourceCheckers, sourceLeaseMs } from '../sources/run-check.ts';
import { AccountTurns, type Turn, ReadingFirst } from './account-turns.ts';
import { WorkAnnouncements, noteFailedItems, haveUnclaimableWork, isAccountRemoved } from './announce-work.ts';
import { HostFetches, JobPlace, type WorkPlaces, placesFor, withPlaceOfItsOwn } from './job-places.ts';
import { MaintenanceTurns } from './maintenance-turns.ts';
import { Outage } from './retry.ts';
import { type JobParts, type JobSettings, runJob } from './run-job.ts';

export interface QueueWorkerSettings extends JobSettings {
  /**
   * Items of one account that are read at once, and at most as many that are enriched. One more place of each kind is
   * reserved for another account. Fetches have their own places.
   */
  concurrency: number;
  /**
   * Of all accounts together, one item is read or enriched at a time, because there is little memory: what reads, what
   * analyses and the sentence model each take tens of megabytes. Accounts take turns, and so one waits for an item of another;
   * `concurrency` does not count then.
   */
  isOneAtATime?: boolean | undefined;
  /** How often to look for work that another process announced. */
  pollMs: number;
}

export interface QueueWorkerParts extends JobParts {
  stores: Stores;
  /** Whether this process does what is due for all processes: one of them in each span of time. */
  takeTurn: (name: string, everyMs: number) => Promise<boolean>;
  /** Does an account's maintenance (`Store.hasMaintenance`), in small writes. */
  doMaintenance: (store: Store, signal: AbortSignal) => Promise<void>;
  /** Checks sources that are due, for a worker that was started or told to. */
  checkers?: SourceCheckers | undefined;
  /** Jobs for busy hosts are not claimed. It has to call `wake` when a host has room again. */
  hosts: Pick<HostTurns, 'busyHosts'>;
  settings: QueueWorkerSettings;
}

/** With several accounts, how long one may keep the others waiting for its answer. */
const maxWaitMs = 100;

const worksEnrichingFirst: readonly Work[] = ['enrich', 'fetch', 'read'];

/** Sources checked at once: a check mostly waits for a server. Half of the places is for accounts that check none yet. */
const checkPlaces = { total: 8, reserved: 4 };

/**
 * Takes jobs of all accounts of a data folder and runs several at once (docs/decisions/queue.md). Each kind of work has places of its
 * own: embedding and analysing one item never delays fetching or reading another one. Accounts take turns in
 * each, and none can hold all places. With little memory reading and enriching have one place (`isOneAtATime`). Any number of
 * processes may work on the same folder: a claim is a compare-and-swap with a lease, and a job that lost its lease stores nothing.
 */
export class QueueWorker {
  readonly #parts: QueueWorkerParts;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #naps = new Set<AbortController>();
  /** Accounts whose file could not be used at the last attempt. The error is logged once, not at every poll. */
  readonly #unusable = new Set<string>();
  /** Accounts that were asked for jobs and have not answered yet. */
  readonly #late = new Set<string>();
  /** By account, the kinds of work it answered late for. The others are asked for first, so that none is never asked for. */
  readonly #lateWorks = new Map<string, Set<Turn>>();
  /** Errors of late accounts, for the next look. */
  readonly #lateFailures: unknown[] = [];
  readonly #maintenance: MaintenanceTurns;
  /** Counts wake-ups, so that the loop does not sleep through an event that happened while it looked for work. */
  #events = 0;
  readonly #places: WorkPlaces;
  readonly #checks = new SharedPlaces(checkPlaces);
  readonly #readingFirst: ReadingFirst;
  readonly #turns = new AccountTurns();
  readonly #fetches: HostFetches;
  readonly #announcements: WorkAnnouncements;
  readonly #outage = new Outage();
  #loop: Promise<void> | null = null;
  /** A caller that only waits for new saves does not wait for feeds. */
  #checksSources = false;

  constructor(parts: QueueWorkerParts) {
    this.#parts = parts;
    this.#fetches = new HostFetches(parts.hosts);
    this.#announcements = new WorkAnnouncements({ ...parts, isStopped: () => this.#stopping.signal.aborted });
    this.#places = placesFor(parts.settings);
    this.#maintenance = new MaintenanceTurns(parts.settings.isOneAtATime === true ? withPlaceOfItsOwn(parts) : parts);
    this.#readingFirst = new ReadingFirst(this.#places);
  }

  start(): void {
    this.#checksSources = true;
    this.#loop ??= this.#takeUntilStopped();
  }

  /** Looks for work now instead of at the next poll. */
  wake(): void {
    this.#events += 1;
    // A given reason: an error with its stack would be made for each wake-up otherwise.
    for (const nap of this.#naps) nap.abort('woken');
  }

  /** Whether neither a job nor maintenance runs. */
  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  /** Stops taking jobs, interrupts the running ones and releases them. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.wake();
    await this.#loop;
    await this.#ended();
  }

  /**
   * Processes everything that is due or becomes due meanwhile, sources as well if so told, then returns. Does not wait
   * for later retries. Waits for jobs that other processes hold: they end, or their leases expire when the process was
   * killed.
   * @throws the first error that kept an account's jobs from being taken, after the jobs of all other accounts are done
   */
  async runUntilEmpty(signal?: AbortSignal, { checksSources = false } = {}): Promise<void> {
    this.#checksSources ||= checksSources;
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
    await this.#announcements.announce();
    while (!stopped.aborted) {
      const seen = this.#events;
      const { claimed, failures } = await this.#fill(stopped);
      if (this.#running.size > 0) await this.#nap(seen);
      else if (!claimed && failures.length > 0) throw failures[0];
      else if (!claimed && !(await haveUnclaimableWork(this.#parts))) {
        // A job that ended while work was looked for may have left some behind.
        if (this.#events === seen) return;
      } else if (!claimed) await this.#nap(seen);
    }
    await this.#ended();
  }

  /** A late answer may begin jobs even now; they end at once. */
  async #ended(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #takeUntilStopped(): Promise<void> {
    const { signal } = this.#stopping;
    const { log } = this.#parts;
    let hasFailed = false;
    while (!signal.aborted) {
      const seen = this.#events;
      try {
        await this.#announcements.announceWhenDue();
        await this.#fill(signal);
        if (hasFailed) log.info({}, 'work can be looked for again');
        hasFailed = false;
      } catch (error) {
        // Once, not at every poll: a database can be away for hours.
        if (!hasFailed) log.error({ err: error }, 'looking for work failed; trying again until it succeeds');
        hasFailed = true;
      }
      await this.#nap(seen);
    }
  }

  /** Waits for the next poll or the next event; returns at once when there was an event since `seen`. */
  async #nap(seen: number): Promise<void> {
    if (this.#events !== seen) return;
    const { clock, settings } = this.#parts;
    // Racing against the job promises would add a callback to a long job at every nap. The end of a job aborts the nap
    // instead.
    const nap = new AbortController();
    this.#naps.add(nap);
    await clock.sleep(settings.pollMs, nap.signal).catch(() => undefined);
    this.#naps.delete(nap);
  }

  /** Claims jobs, account after account, until places or jobs run out. An unusable account holds up no other. */
  async #fill(signal: AbortSignal): Promise<{ claimed: boolean; failures: unknown[] }> {
    const { stores, log } = this.#parts;
    let claimed = false;
    const opened = new Map<string, Store>();
    for (;;) {
      let claimedInThisRound = false;
      let isPutOff = false;
      const failures = this.#lateFailures.splice(0);
      const accounts = await stores.control.accountsWithWork();
      const isEnrichingNext = this.#readingFirst.isEnrichingNext(this.#parts.clock.elapsed());
      const order: readonly Turn[] = isEnrichingNext ? worksEnrichingFirst : works;
      for (const work of this.#checksSources ? [...order, 'source' as const] : order) {
        for (const { accountId, generation } of this.#turns.inTurn(work, accounts)) {
          if (signal.aborted) return { claimed, failures };
          const room = this.#roomFor(work, accountId);
          if (room === 0 || this.#late.has(accountId)) continue;
          if (this.#lateWorks.get(accountId)?.has(work) === true) {
            isPutOff = true;
            continue;
          }
          // With one account all free places are filled by one write; several get their shares by turns.
          const share = Math.max(1, Math.floor(room / accounts.length));
          const serve = async (): Promise<boolean> => {
            try {
              const store = opened.get(accountId) ?? (await stores.open(accountId));
              opened.set(accountId, store);
              const isServed =
                work === 'source'
                  ? await this.#takeSource(store, signal)
                  : await this.#takeJobs(share, work, store, generation, signal);
              if (isServed) this.#turns.noteServed(work, accountId);
              this.#unusable.delete(accountId);
              return isServed;
            } catch (error) {
              if (isAccountRemoved(error)) return false;
              (this.#late.has(accountId) ? this.#lateFailures : failures).push(error);
              if (!this.#unusable.has(accountId))
                log.error({ err: error, accountId }, 'jobs of this account cannot be taken; trying again');
              this.#unusable.add(accountId);
              return false;
            }
          };
          if (await (accounts.length === 1 ? serve() : this.#inTime(accountId, work, serve()))) {
            claimedInThisRound = true;
            claimed = true;
          }
        }
      }
      for (const accountId of this.#lateWorks.keys()) if (!this.#late.has(accountId)) this.#lateWorks.delete(accountId);
      if (!claimedInThisRound && !isPutOff) return { claimed, failures };
    }
  }

  /**
   * Whether an account got jobs. A long write to its library, such as an import, may hold this up. Then the answer is no, the other
   * accounts go on, and the loop is woken later.
   */
  async #inTime(accountId: string, work: Turn, serving: Promise<boolean>): Promise<boolean> {
    const served = new AbortController();
    const late = this.#parts.clock.sleep(maxWaitMs, served.signal).then(
      () => 'late' as const,
      () => false,
    );
    const outcome = await Promise.race([serving, late]);
    served.abort('served');
    if (outcome !== 'late') return outcome;
    const waiting = serving
      .then(() => undefined)
      .finally(() => {
        this.#late.delete(accountId);
        this.#running.delete(waiting);
        this.wake();
      });
    this.#late.add(accountId);
    this.#lateWorks.set(accountId, (this.#lateWorks.get(accountId) ?? new Set()).add(work));
    this.#running.add(waiting);
    return false;
  }

  /** How many jobs of this kind the account may be given now. */
  #roomFor(work: Turn, accountId: string): number {
    if (work === 'source') return this.#checks.roomFor(accountId);
    if (work === 'enrich') return this.#readingFirst.roomToEnrich(accountId, this.#parts.clock.elapsed());
    return this.#places[work].roomFor(accountId);
  }

  /** @param maxJobs how many jobs to take at once */
  async #takeJobs(
    maxJobs: number,
    work: Work,
    store: Store,
    generation: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { stores, settings, clock } = this.#parts;
    const { accountId } = store;
    const take = () => JobPlace.tryTake(this.#places, work, accountId, () => this.wake());
    if (work === 'read' && (await this.#maintenance.isDue(store, this.#running.size > 0))) {
      if (settings.isOneAtATime === true) {
        // It waits for a slot; items are read meanwhile.
        this.#launchMaintenance(store, null, signal);
      } else {
        const place = take();
        if (place !== null) this.#launchMaintenance(store, place, signal);
        return place !== null;
      }
    }
    const places = Array.from({ length: maxJobs }, take).filter((place) => place !== null);
    if (places.length === 0) return false;
    const newestFirst = this.#turns.isNewestNext(work, accountId);
    const which = { work, busyHosts: this.#fetches.busyHosts(accountId), newestFirst };
    const claims = await store.claimJobs(settings.leaseMs, places.length, which).catch((error: unknown) => {
      for (const place of places) place.leave();
      throw error;
    });
    for (const [index, place] of places.entries()) {
      const claim = claims[index];
      if (claim === undefined) place.leave();
      else this.#launch(store, claim, place, signal);
    }
    this.#turns.noteClaimed(work, accountId, claims.length);
    if (claims.length > 0) {
      this.#readingFirst.noteGiven(work, clock.elapsed());
      return true;
    }
    if (work === 'read') this.#readingFirst.noteNothingWaits(accountId);
    if (work === 'read' && (await store.settleWork(generation))) {
      await noteFailedItems(stores.control, store);
      await stores.control.clearWork(accountId, generation);
    }
    return false;
  }

  async #takeSource(store: Store, signal: AbortSignal): Promise<boolean> {
    const { checkers = {} } = this.#parts;
    const { accountId } = store;
    const kinds = sourceKinds.filter((kind) => checkers[kind] !== undefined);
    const place = kinds.length === 0 ? null : this.#checks.tryTake(accountId);
    if (place === null) return false;
    const which = { kinds, busyHosts: this.#fetches.busyHosts(accountId) };
    const claim = await store.claimSource(sourceLeaseMs, which).catch((error: unknown) => {
      place.leave();
      throw error;
    });
    const check = claim === null ? undefined : checkers[claim.kind];
    if (claim === null || check === undefined) {
      place.leave();
      return false;
    }
    const endFetch = claim.host === null ? null : this.#fetches.begin(accountId, claim.host);
    const checking = runCheck(this.#parts, check, accountId, claim, signal).finally(() => {
      endFetch?.();
      place.leave();
      this.#running.delete(checking);
      this.wake();
    });
    this.#running.add(checking);
    return true;
  }

  #launchMaintenance(store: Store, place: JobPlace | null, signal: AbortSignal): void {
    const maintenance = this.#maintenance.run(store, signal).finally(() => {
      place?.leave();
      this.#running.delete(maintenance);
      this.wake();
    });
    this.#running.add(maintenance);
  }

  #launch(store: Store, claim: Claim, place: JobPlace, stopped: AbortSignal): void {
    const endFetch = claim.host === null ? null : this.#fetches.begin(store.accountId, claim.host);
    const job = runJob({ ...this.#parts, outage: this.#outage }, store, claim, place, stopped)
      .catch((error: unknown) => {
        const { log } = this.#parts;
        const { contentId } = claim;
        if (isAccountRemoved(error))
          log.debug({ err: error, contentId }, 'a job ended, because its account was removed meanwhile');
        else
          log.error(
            { err: error, contentId },
            'a job could not be finished; it is tried again when its lease runs out',
          );
      })
      .finally(() => {
        endFetch?.();
        this.#running.delete(job);
        this.wake();
      });
    this.#running.add(job);
  }
}
