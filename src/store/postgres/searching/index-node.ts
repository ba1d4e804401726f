import type { AppError } from '../../../errors.ts';
import { unavailable } from '../../../errors.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { Log } from '../../../workers/log.ts';
import type { Store } from '../../store.ts';
import { IndexCopies, type IndexCopiesOptions, isCopyGone, isFaultOfCopy } from '../../sqlite/copies/index-copies.ts';
import type { CopyState } from '../../sqlite/copies/index-page.ts';
import type { AccountAccess } from '../account-access.ts';
import { type IndexState, readIndexState, readPage } from './read-changes.ts';

export interface IndexOptions extends Omit<IndexCopiesOptions, 'clock' | 'log'> {
  /** How long a search waits for a copy that is brought up to date. */
  maxWaitMs?: number;
}

/** Maximum copies of more than one page that are made at once. Others mostly lack one page, and do not wait for these. */
const maxLarge = 2;

/** A copy that two processes change, or that breaks again and again. */
const maxAttempts = 5;

interface WantedState extends IndexState {
  /** A copy that is ahead of the database: an older state of the database was restored. */
  useless: CopyState | null;
}

/** The reads of a search, on a copy that is up to date. */
export type CopyReads = Store;

interface SearchedAccount {
  access: AccountAccess;
  accountId: string;
}

/**
 * The copies of accounts' search indexes on this node. Before each search, the number of the account's last change is
 * compared; what the copy lacks is copied first. So a search sees all that was acknowledged before, on whichever node.
 */
export class IndexNode {
  readonly #openCopies: () => IndexCopies;
  #opened: IndexCopies | null = null;
  readonly #clock: Clock;
  readonly #log: Log | undefined;
  readonly #maxWaitMs: number;
  readonly #running = new Map<string, Promise<void>>();
  readonly #tidying = new Set<Promise<void>>();
  readonly #waiting: (() => void)[] = [];
  #large = 0;
  #isClosed = false;

  constructor({ maxWaitMs = 10_000, ...options }: IndexOptions, clock: Clock, log?: Log) {
    this.#openCopies = () => new IndexCopies({ ...options, clock, log });
    this.#clock = clock;
    this.#log = log;
    this.#maxWaitMs = maxWaitMs;
  }

  /** Opened when they are first needed: a command that does not search leaves the folder to a server. */
  get #copies(): IndexCopies {
    if (this.#opened !== null) return this.#opened;
    if (this.#isClosed) throw closed();
    return (this.#opened = this.#openCopies());
  }

  /** Runs a read of a search on a copy that has everything that was written before. */
  async search<T>(
    access: AccountAccess,
    signal: AbortSignal | undefined,
    read: (reads: CopyReads) => Promise<T>,
  ): Promise<T> {
    const accountId = access.account;
    return this.#copies.using(accountId, async () => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          const generation = await this.#bringUpToDate({ access, accountId }, signal);
          const answer = await read(this.#copies.store(accountId, signal));
          if (this.#copies.generation(accountId) === generation) return answer;
          if (attempt === maxAttempts) throw stillCopying();
        } catch (error) {
          const isFault = isFaultOfCopy(error, accountId);
          if (attempt === maxAttempts || this.#isClosed || !(isFault || isCopyGone(error))) throw error;
          if (!isFault) continue;
          this.#log?.warn({ err: error, accountId }, 'a copy of a search index is thrown away and made again');
          await this.#copies.discard(accountId);
        }
      }
    });
  }

  async keepOnly(isThere: (accountIds: string[]) => Promise<ReadonlySet<string>>): Promise<void> {
    const accounts = this.#copies.accounts();
    if (accounts.length === 0) return;
    const there = await isThere(accounts);
    for (const id of accounts) if (!there.has(id)) await this.discard(id);
  }

  async discard(accountId: string): Promise<void> {
    return this.#copies.discard(accountId);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const begin of this.#waiting.splice(0)) begin();
    await Promise.allSettled([...this.#running.values(), ...this.#tidying]);
    await this.#opened?.close();
  }

  /** @returns the generation of the copy that is up to date */
  async #bringUpToDate(account: SearchedAccount, signal: AbortSignal | undefined): Promise<number> {
    signal?.throwIfAborted();
    const { accountId } = account;
    let generation = this.#copies.generation(accountId);
    // Read before asking the database: its number is then at least the replica's, unless an older state was restored.
    const before = await this.#copies.state(accountId);
    const wanted = await account.access.read(readIndexState);
    if (before?.source === wanted.source && before.complete === wanted.change) return generation;
    const isAhead = before?.source === wanted.source && before.complete > wanted.change;
    await this.#waitFor(account, { ...wanted, useless: isAhead ? before : null }, signal);
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      generation = this.#copies.generation(accountId);
      const state = await this.#copies.state(accountId);
      if (state?.source === wanted.source && state.complete >= wanted.change) return generation;
      await this.#waitFor(account, { ...wanted, useless: null }, signal);
    }
    throw stillCopying();
  }

  /** A copy under way continues when its caller has gone. */
  async #waitFor(account: SearchedAccount, wanted: WantedState, signal: AbortSignal | undefined): Promise<void> {
    const stop = new AbortController();
    const given = signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal]);
    const late = this.#clock.sleep(this.#maxWaitMs, given).then(() => {
      throw stillCopying();
    });
    late.catch(() => undefined);
    const copied = this.#catchUp(account, wanted);
    copied.catch(() => undefined);
    try {
      await Promise.race([copied, late]);
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      stop.abort();
    }
  }

  /** At one time, one copies for an account; others wait for it. */
  async #catchUp(account: SearchedAccount, wanted: WantedState): Promise<void> {
    const { accountId } = account;
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const running = this.#running.get(accountId);
      if (running === undefined) {
        const copying = this.#copies.using(accountId, () => this.#copy(account, wanted));
        this.#running.set(accountId, copying);
        try {
          return await copying;
        } finally {
          this.#running.delete(accountId);
        }
      }
      await running;
      const state = await this.#copies.state(accountId);
      if (state?.source === wanted.source && state.complete >= wanted.change) return;
    }
    throw stillCopying();
  }

  async #copy({ access, accountId }: SearchedAccount, { source, change, useless }: WantedState): Promise<void> {
    let state = await this.#copies.state(accountId);
    if (state !== null && (state.source !== source || state === useless)) {
      await this.#copies.discard(accountId);
      state = null;
    }
    state ??= await this.#copies.begin(accountId, source);
    if (state.complete >= change) return;
    // One page is enough for most searches, and never waits for others.
    state = await this.#copies.apply(accountId, await access.read((db) => readPage(db, state as CopyState)));
    if (state.source === source && state.complete < change)
      await this.#inTurn(() => this.#copyRest(access, accountId, state as CopyState, change));
    this.#makeRoom(accountId);
  }

  /** Reads the next page while one is written. */
  async #copyRest(access: AccountAccess, accountId: string, from: CopyState, change: number): Promise<void> {
    let state = from;
    let next = access.read((db) => readPage(db, state));
    while (state.complete < change) {
      if (this.#isClosed) throw closed();
      const page = await next;
      next = access.read((db) => readPage(db, page.after));
      next.catch(() => undefined);
      state = await this.#copies.apply(accountId, page);
      // Another process has changed the copy, so the page that was read ahead does not continue it.
      if (JSON.stringify(state) !== JSON.stringify(page.after)) next = access.read((db) => readPage(db, state));
    }
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    // A call that ends passes its turn to one that waits.
    if (this.#large === maxLarge) await new Promise<void>((begin) => this.#waiting.push(begin));
    else this.#large += 1;
    if (this.#isClosed) throw closed();
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#large -= 1;
      else next();
    }
  }

  /** Nobody waits for it. */
  #makeRoom(accountId: string): void {
    const tidying = this.#copies
      .makeRoom(accountId)
      .catch((error: unknown) =>
        this.#log?.warn({ err: error, accountId }, 'older search index copies were not removed'),
      )
      .then(() => void this.#tidying.delete(tidying));
    this.#tidying.add(tidying);
  }
}

function stillCopying(): AppError {
  return unavailable(
    'The search index of this account is being made ready on this server, and that takes longer than a search waits. Nothing is lost. Ask again in a moment.',
  );
}

function closed(): AppError {
  return unavailable('The server is stopping. Ask again in a moment.');
}
