import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../domain/clock.ts';
import { newId } from '../../../domain/records/ids.ts';
import { hasEnded, type LibraryJobRecord } from '../../../domain/records/transfers/library-job.ts';
import { SharedPlaces } from '../../../domain/turns/shared-places.ts';
import { AppError, conflict } from '../../../errors.ts';
import type { Log } from '../../../workers/log.ts';
import { isRunning } from '../../../workers/running-process.ts';
import type { LibraryJobFolders } from '../../../store/library-jobs.ts';
import { isOutOfRoom } from '../../../domain/machine-limits.ts';

/** Jobs at the same time, of all accounts. An account has one: its others wait, and no other account waits for them. */
const places = { total: 4, reserved: 0 };
/** Jobs of an account that have not ended. */
const maxUnfinished = 5;
/** Jobs of an account that are remembered. */
const maxKept = 50;
/** How long a job that has ended is remembered. */
const keptMs = 30 * 24 * 60 * 60_000;
/** How often the progress of a job is written, at most. */
const betweenWritesMs = 1_000;
/** After this time without an update, the record of another process's job is abandoned: another program may have that process's id now. */
const silentMs = 10 * 60_000;

/** No upload takes longer. */
const maxReceivingMs = 60 * 60_000;

type JobFields = Partial<LibraryJobRecord>;

export interface JobRun<Job extends LibraryJobRecord> {
  accountId: string;
  job: Job;
  signal: AbortSignal;
  note(progress: Partial<Job>): Promise<void>;
}

/** Does a job. An `AppError` that it throws says to the client why the job failed. */
export type DoJob<Job extends LibraryJobRecord> = (run: JobRun<Job>) => Promise<void>;

interface LibraryJobsParts {
  folders: LibraryJobFolders;
  /**
   * Set when other servers, with their own folders, serve the same accounts. It lists the existing accounts: when an account is
   * removed at another server, its jobs stay here and have to be removed.
   */
  listShared: (() => Promise<readonly string[]>) | null;
  clock: Clock;
  log: Log;
  doImport: DoJob<Extract<LibraryJobRecord, { kind: 'import' }>>;
  doExport: DoJob<Extract<LibraryJobRecord, { kind: 'export' }>>;
}

interface Active {
  accountId: string;
  record: LibraryJobRecord;
  cancelling: AbortController;
  written: Promise<void>;
  ended: Promise<void>;
}

/** Runs imports and exports, and knows how far they are. */
export class LibraryJobs {
  readonly #parts: LibraryJobsParts;
  readonly #instance = randomUUID();
  readonly #places = new SharedPlaces(places);
  readonly #active = new Map<string, Active>();
  /** The end of an account's last job. */
  readonly #tails = new Map<string, Promise<void>>();
  #isClosed = false;

  constructor(parts: LibraryJobsParts) {
    this.#parts = parts;
  }

  /** The hint for an unknown job: jobs of another server are not known here. */
  get ofOtherServers(): string {
    return this.#parts.listShared !== null
      ? ' This installation has several servers, and each knows the jobs alone that were begun at it: ask that one.'
      : '';
  }

  /** Newest first. */
  async list(accountId: string): Promise<LibraryJobRecord[]> {
    const records = await this.#parts.folders.list(accountId);
    return (await Promise.all(records.map((record) => this.#asItIs(accountId, record)))).filter((job) => job !== null);
  }

  /** Null when the account has no such job. */
  async find(accountId: string, id: string): Promise<LibraryJobRecord | null> {
    const record = await this.#parts.folders.read(accountId, id);
    return record === null ? null : this.#asItIs(accountId, record);
  }

  /** Makes room for one more job. @throws {AppError} `conflict` when too many have not ended */
  async makeRoom(accountId: string): Promise<void> {
    const jobs = await this.list(accountId);
    if (jobs.filter(({ state }) => !hasEnded(state)).length >= maxUnfinished)
      throw conflict(
        `This account has ${maxUnfinished} imports and exports that have not ended. Wait for one of them, or cancel it.`,
      );
    const ended = jobs.filter(({ state }) => hasEnded(state));
    for (const { id } of ended.slice(Math.max(0, maxKept - 1 - (jobs.length - ended.length))))
      await this.#parts.folders.remove(accountId, id);
  }

  /** The size of an account's job files: uploads that are still needed, and exports. */
  async storedBytes(accountId: string): Promise<number> {
    const isStored = ({ kind, state }: LibraryJobRecord) =>
      kind === 'export' || !hasEnded(state) || state === 'interrupted';
    return (await this.list(accountId)).filter(isStored).reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** The initial state of a job. */
  newRecord() {
    const now = this.#parts.clock.now();
    return {
      id: newId('j'),
      state: 'waiting' as const,
      owner: { process: process.pid, instance: this.#instance },
      done: 0,
      total: 0,
      failure: null,
      createdAt: now,
      startedAt: null,
      endedAt: null,
      updatedAt: now,
    };
  }

  /** Queues a job whose folder exists. It begins after the account's earlier jobs have ended. */
  async begin(accountId: string, record: LibraryJobRecord): Promise<void> {
    const cancelling = new AbortController();
    const settled = Promise.resolve();
    const active: Active = { accountId, record, cancelling, written: settled, ended: settled };
    this.#active.set(record.id, active);
    try {
      await this.#parts.folders.write(accountId, record);
    } catch (error) {
      this.#active.delete(record.id);
      throw error;
    }
    const before = this.#tails.get(accountId);
    active.ended = this.#run(active, before).finally(() => {
      this.#active.delete(record.id);
      if (this.#tails.get(accountId) === active.ended) this.#tails.delete(accountId);
    });
    this.#tails.set(accountId, active.ended);
    if (this.#isClosed) cancelling.abort(new Ending('interrupted'));
  }

  /** Takes up a job that was interrupted, from its beginning. */
  async beginAgain(accountId: string, record: LibraryJobRecord): Promise<void> {
    const { owner, updatedAt } = this.newRecord();
    await this.begin(accountId, {
      ...record,
      owner,
      updatedAt,
      state: 'waiting',
      done: 0,
      failure: null,
      endedAt: null,
    });
  }

  /** Ends a job, and waits until it has ended. Does nothing when it has ended before. */
  async cancel(accountId: string, id: string): Promise<void> {
    const active = this.#active.get(id);
    if (active?.accountId === accountId) {
      active.cancelling.abort(new Ending('cancelled'));
      await active.ended;
      return;
    }
    const record = await this.find(accountId, id);
    if (record === null || (hasEnded(record.state) && record.state !== 'interrupted')) return;
    if (record.state !== 'interrupted')
      throw conflict('Another process of this server does this job. Ask again when it has ended.');
    await this.#parts.folders.write(accountId, { ...record, state: 'cancelled', endedAt: this.#parts.clock.now() });
  }

  /** Ends a job and removes it with its files. */
  async remove(accountId: string, id: string): Promise<void> {
    await this.cancel(accountId, id);
    await this.#parts.folders.remove(accountId, id);
  }

  /** Removes what was kept long enough. @param isOver of a job that has ended */
  async removeExpired(isOver: (record: LibraryJobRecord) => boolean): Promise<void> {
    const { folders, clock } = this.#parts;
    const withJobs = await folders.accounts();
    const shared = await this.#parts.listShared?.();
    for (const accountId of withJobs) {
      if (shared !== undefined && !shared.includes(accountId))
        for (const { id } of await folders.list(accountId)) await this.remove(accountId, id);
      await folders.removeAbandoned(accountId, clock.now() - maxReceivingMs);
      for (const record of await this.list(accountId)) {
        const age = clock.now() - Math.max(record.endedAt ?? 0, record.updatedAt);
        if (hasEnded(record.state) && (age > keptMs || isOver(record))) await folders.remove(accountId, record.id);
      }
    }
  }

  /** Ends all jobs of this process: they are interrupted. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const all = [...this.#active.values()];
    for (const { cancelling } of all) cancelling.abort(new Ending('interrupted'));
    await Promise.all(all.map(({ ended }) => ended));
  }

  async #run(active: Active, before: Promise<void> | undefined): Promise<void> {
    const { accountId, cancelling } = active;
    const { clock, log } = this.#parts;
    const { signal } = cancelling;
    try {
      await untilAborted(before, signal);
      const place = await this.#places.take(accountId, signal);
      try {
        await this.#note(active, { state: 'running', startedAt: clock.now() });
        signal.throwIfAborted();
        await this.#do(active);
      } finally {
        place.leave();
      }
      signal.throwIfAborted();
      await this.#note(active, { state: 'done', endedAt: clock.now() });
    } catch (error) {
      const state = endStateOf(signal);
      const failure = state === 'failed' ? failureOf(error) : null;
      if (state === 'failed' && !(error instanceof AppError))
        log.error({ err: error, job: active.record.id }, 'an import or an export failed');
      await this.#note(active, { state, failure, endedAt: clock.now() }).catch((cause: unknown) =>
        log.error({ err: cause, job: active.record.id }, 'the end of an import or an export could not be written'),
      );
    }
  }

  async #do(active: Active): Promise<void> {
    const { clock, doImport, doExport, log } = this.#parts;
    const { accountId, record, cancelling } = active;
    let writtenAt = clock.elapsed();
    const note = async (progress: JobFields): Promise<void> => {
      active.record = { ...active.record, ...progress } as LibraryJobRecord;
      if (clock.elapsed() - writtenAt < betweenWritesMs) return;
      writtenAt = clock.elapsed();
      // A job does not fail because its progress is not seen.
      await this.#note(active, {}).catch((cause: unknown) =>
        log.error({ err: cause, job: active.record.id }, 'the progress of an import or an export could not be written'),
      );
    };
    const run = { accountId, signal: cancelling.signal, note };
    if (record.kind === 'import') await doImport({ ...run, job: record });
    else await doExport({ ...run, job: record });
  }

  async #note(active: Active, fields: JobFields): Promise<void> {
    const { folders, clock } = this.#parts;
    active.record = { ...active.record, ...fields, updatedAt: clock.now() } as LibraryJobRecord;
    // One write after the other, and each writes the newest record, so that an older one is never written last.
    active.written = active.written.catch(() => undefined).then(() => folders.write(active.accountId, active.record));
    await active.written;
  }

  /** The record as it is now: of a job of this process, or of one whose process may have ended. Null: it was removed. */
  async #asItIs(accountId: string, record: LibraryJobRecord): Promise<LibraryJobRecord | null> {
    const active = this.#active.get(record.id);
    if (active !== undefined) return active.record;
    if (hasEnded(record.state)) return record;
    const { process: owner, instance } = record.owner;
    if (instance === this.#instance) {
      // It has ended since the record was read.
      const ended = await this.#parts.folders.read(accountId, record.id);
      return ended === null || hasEnded(ended.state) ? ended : { ...ended, state: 'interrupted' };
    }
    const isElsewhere = owner !== process.pid && isRunning(owner);
    const isSilent = this.#parts.clock.now() - record.updatedAt > silentMs;
    return isElsewhere && !isSilent ? record : { ...record, state: 'interrupted' };
  }
}

/** The reason of the abort of a job. It says in which state the job ends. */
export class Ending extends Error {
  readonly state: 'cancelled' | 'interrupted';

  constructor(state: 'cancelled' | 'interrupted') {
    super(`the job is ${state}`);
    this.state = state;
  }
}

/** Whether the job ended because the server stopped, and not because somebody cancelled it. */
export function isInterrupted({ reason }: AbortSignal): boolean {
  return reason instanceof Ending && reason.state === 'interrupted';
}

/** In which state a job ends that did not finish: it was aborted with the reason of its signal, or it failed. */
function endStateOf({ reason }: AbortSignal): 'cancelled' | 'interrupted' | 'failed' {
  return reason instanceof Ending ? reason.state : 'failed';
}

export function failureOf(error: unknown): string {
  if (error instanceof AppError) return error.message;
  if (isOutOfRoom(error))
    return 'There was too little room on the disk of the server. Free some space, and begin again.';
  return 'Something went wrong inside Commonplace. The log of the server says what; try again.';
}

/** Waits for `before`. Throws the reason of the abort when that comes first. */
export async function untilAborted(before: Promise<void> | undefined, signal: AbortSignal): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason as Error);
  signal.throwIfAborted();
  signal.addEventListener('abort', abort, { once: true });
  try {
    await Promise.race([before ?? Promise.resolve(), promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
