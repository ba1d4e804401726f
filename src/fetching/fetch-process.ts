import { localAccountId } from '../domain/records/account.ts';
import { isoTime, type Clock } from '../domain/clock.ts';
import type { KnownPage, Resource, ResourceRequest } from '../domain/records/resource.ts';
import {
  interrupted,
  machineLimit,
  ProcessingError,
  processUnavailable,
  receiveFailure,
  type SentFailure,
} from '../errors.ts';
import { isMemorySmall, memoryMegabytes } from '../workers/memory.ts';
import { startProcess, workerFile } from '../workers/start.ts';
import { WorkerPool } from '../workers/worker-pool.ts';
import type { Conversation, Failure, Run, WorkerUse } from '../workers/worker-use.ts';
import type { FetchLimits, FetchedResource, FetchTask } from './fetch.ts';
import { fetchingThreads } from './address-guard.ts';
import { brokenAnswer } from './fetch-failures.ts';
import type { HostTurn, HostTurns } from './host-turns.ts';

export interface FetchSettings extends FetchLimits {
  clock: Clock;
  /** Shared with the code that decides what is fetched next. */
  hosts: HostTurns;
}

/** Fetches web addresses, and refuses addresses that must not be contacted. */
export interface Fetcher {
  /**
   * @param known asks the site for the page only if it has changed since
   * @param accountId the account that takes turns with others; the local account when omitted
   * @throws {ProcessingError} with the reason, written for the person who saved the address
   * @throws {HostBusyError} when the account has too many requests at a host, either this one or one that it redirects
   * to, and has to try again later
   * Aborting rejects with the signal's reason.
   */
  fetch(
    url: string,
    signal: AbortSignal,
    request?: ResourceRequest,
    accountId?: string,
    known?: KnownPage,
  ): Promise<Resource>;
}

/** Fetches in a separate process, many addresses at once. This process decides whose turn it is, and never parses a server's data. */
export interface FetchProcess {
  createFetcher(settings: FetchSettings): Fetcher;
  isPublicPage(url: URL, signal: AbortSignal, accountId?: string): Promise<boolean>;
  close(): Promise<void>;
}

const usual = {
  /** An idle process is ended after this time. With little memory it makes room at once. */
  idleMs: isMemorySmall() ? 0 : 30_000,
  /** Processor time until a call ends, for each 50 MB that one may bring. An honest page of that size takes one second. */
  processorMs: 10_000,
  /** Limit on the process's own memory. A call holds some hundred kilobytes, a slow reader of zstd 8 MB. */
  maxBytes: Math.min(512, memoryMegabytes() / 3) * 1024 ** 2,
};

const budgetedBytes = 50 * 1024 ** 2;

/** A process above this is ended instead of being reused. */
const maxRestingBytes = 100 * 1024 ** 2;
const startLimitMs = 60_000;
/** A process in which no call has ended for so long, and twice the time that a call may take, is not working. */
const minClockMs = 60_000;
/** One process has the calls of all accounts. */
const sharedPlaces = { total: 1, reserved: 0 };
/** Processes for calls that lost theirs. Two are kept for accounts that have none. */
const ownPlaces = { total: 4, reserved: 2 };
/** A call that had not connected yet begins this many times in the shared process at most. */
const maxSharedTries = 3;

class LostCallError extends Error {
  readonly failure: ProcessingError;

  constructor(failure: ProcessingError) {
    super('the fetching process is gone', { cause: failure });
    this.failure = failure;
  }
}

type Answer = Extract<FromFetching, { kind: 'fetched' | 'looked-up' }>;

interface Call {
  readonly task: FetchingTask;
  readonly signal: AbortSignal;
  readonly accountId: string;
  readonly hosts: HostTurns | null;
  readonly pieces: Uint8Array[];
  /** True if it may have opened a connection: then what it received may have ended its process. */
  hasHadTurn: boolean;
}

interface RunningCall extends Call {
  readonly ended: AbortController;
  turn: HostTurn | null;
  isWaitingForTurn: boolean;
  noteTurn(): void;
  receivedBytes: number;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** The work of a process, from its first call until it has none. */
class Session implements Conversation<FromFetching> {
  readonly #nextId: () => number;
  readonly #processorMs: number;
  readonly #isSpent: boolean;
  readonly #calls = new Map<number, RunningCall>();
  #run: Run<void> | null = null;
  #hasBegun = false;
  /** When the limits of time began, by the clock of `performance.now()`, and the wall-clock time; null while nothing is to be limited. */
  #limited: { since: number; clockMs: number } | null = null;

  /**
   * @param nextId never gives the same one twice: a process may still work on calls of its session before
   * @param isSpent whether the process is ended afterwards
   */
  constructor(nextId: () => number, processorMs: number, isSpent: boolean) {
    this.#nextId = nextId;
    this.#processorMs = processorMs;
    this.#isSpent = isSpent;
  }

  open(run: Run<void>): this {
    this.#run = run;
    return this;
  }

  get isOpen(): boolean {
    return this.#calls.size > 0;
  }

  call(call: Call): Promise<Answer> {
    return new Promise((resolve, reject) => {
      call.signal.throwIfAborted();
      const id = this.#nextId();
      const stop = (): void => {
        this.#send({ kind: 'stop', id });
        this.#end(id)?.reject(call.signal.reason);
      };
      call.signal.addEventListener('abort', stop, { once: true });
      const ended = new AbortController();
      ended.signal.addEventListener('abort', () => call.signal.removeEventListener('abort', stop));
      this.#calls.set(id, {
        ...call,
        ended,
        turn: null,
        isWaitingForTurn: false,
        noteTurn: () => (call.hasHadTurn = true),
        receivedBytes: 0,
        resolve,
        reject,
      });
      if (this.#hasBegun) this.#send({ kind: 'call', id, task: call.task });
    });
  }

  begin(): void {
    this.#hasBegun = true;
    // Of its start.
    this.#run?.limits.stopTime();
    for (const [id, { task }] of this.#calls) this.#send({ kind: 'call', id, task });
    if (this.#calls.size === 0) this.#run?.resolve();
    else this.#limit(false);
  }

  receive(message: FromFetching): void {
    const call = this.#calls.get(message.id);
    if (call === undefined) return;
    switch (message.kind) {
      case 'host':
        if (call.isWaitingForTurn) return this.#refuse('it asks for two turns at once');
        return void this.#takeTurn(message.id, call, message.host);
      case 'hold':
        if (call.turn?.host === message.host) call.hosts?.hold(message.host, message.ms);
        return;
      case 'piece':
        call.receivedBytes += message.bytes.byteLength;
        if (call.receivedBytes > maxBytesOf(call)) return this.#refuse('it delivers more than it may');
        return void call.pieces.push(message.bytes);
      case 'failure': {
        const cause = message.cause === undefined ? undefined : new Error(message.cause);
        this.#end(message.id, true)?.reject(receiveFailure(message.failure, cause));
        return;
      }
      default:
        this.#end(message.id, true)?.resolve(message);
    }
  }

  failure({ kind, cause, wasReady }: Failure): unknown {
    if (!wasReady || kind === 'refused') return processUnavailable(cause);
    if (kind === 'killed') return new LostCallError(machineLimit(cause));
    if (kind === 'exit') return new LostCallError(processUnavailable(cause));
    if (kind === 'crash') return new LostCallError(brokenAnswer(cause));
    // The machine may be at fault when little of the processor was used.
    const { since, clockMs } = this.#limited ?? { since: 0, clockMs: Number.POSITIVE_INFINITY };
    return new LostCallError(tooCostly(cause, kind === 'time' && performance.now() - since >= clockMs));
  }

  fail(error: unknown): void {
    for (const id of this.#calls.keys()) this.#end(id)?.reject(error);
  }

  async #takeTurn(id: number, call: RunningCall, host: string): Promise<void> {
    call.turn?.end();
    call.turn = null;
    call.isWaitingForTurn = true;
    this.#limit(false);
    try {
      if (call.hosts === null) throw new Error('a look-up asks no host');
      const turn = await call.hosts.take(host, call.accountId, call.ended.signal);
      call.turn = turn;
      if (call.ended.signal.aborted) return turn.end();
      call.isWaitingForTurn = false;
      call.noteTurn();
      this.#limit(false);
      this.#send({ kind: 'turn', id });
    } catch (error) {
      this.#send({ kind: 'stop', id });
      this.#end(id)?.reject(error);
    }
  }

  /** @param isAnswered whether the process ended the call itself */
  #end(id: number, isAnswered = false): RunningCall | undefined {
    const call = this.#calls.get(id);
    if (call === undefined) return undefined;
    this.#calls.delete(id);
    // A given reason: an error with its stack would be made for each call otherwise.
    call.ended.abort('ended');
    call.turn?.end();
    if (!this.#hasBegun) return call;
    if (this.#calls.size === 0) this.#run?.resolve(undefined, this.#isSpent);
    else this.#limit(isAnswered);
    return call;
  }

  /** The process does what it must not: one of its servers may have taken it over. */
  #refuse(reason: string): void {
    this.#run?.end(new LostCallError(brokenAnswer(new Error(reason))));
  }

  /** Limits processor time alone: a site that is slow within its time, and waiting for turns, do not end the process. */
  #limit(isAnswered: boolean): void {
    if (this.#run?.isActive !== true) return;
    const calls = [...this.#calls.values()];
    if (calls.every(({ turn, task }) => turn === null && task.kind === 'fetch')) {
      this.#limited = null;
      return this.#run.limits.stopTime();
    }
    if (this.#limited !== null && !isAnswered) return;
    const timeouts = calls.map(({ task }) => (task.kind === 'fetch' ? task.limits.timeoutMs : 0));
    const clockMs = minClockMs + 2 * Math.max(...timeouts);
    this.#limited = { since: performance.now(), clockMs };
    const allowedMs = (): number => {
      const largest = Math.max(budgetedBytes, ...[...this.#calls.values()].map(maxBytesOf));
      return (this.#processorMs * largest) / budgetedBytes;
    };
    this.#run.limits.limitProcessor(allowedMs, clockMs);
  }

  #send(message: ToFetching): void {
    if (this.#hasBegun) this.#run?.send(message);
  }
}

function maxBytesOf({ task }: Call): number {
  return task.kind === 'fetch' ? task.limits.maxBytes : 0;
}

/** The process starts with the first call and ends when idle. An idle process never keeps the main process alive. */
export function startFetching(given: Partial<typeof usual> = {}): FetchProcess {
  const { idleMs, processorMs, maxBytes } = { ...usual, ...given };
  const file = workerFile('./fetching-worker', import.meta.url);
  const use: WorkerUse<Session, void, FromFetching> = {
    start: () =>
      startProcess(file, {
        args: [],
        execArgv: ['--v8-pool-size=1', '--max-old-space-size=256', '--max-semi-space-size=1'],
        serialization: 'advanced',
        returnsMemory: true,
        threads: fetchingThreads,
      }),
    startMs: startLimitMs,
    idleMs,
    maxBytes,
    maxRestingBytes,
    open: ({ job }, run) => job.open(run),
  };
  const ends = { closing: interrupted, refused: processUnavailable };
  const pool = new WorkerPool(use, { ...ends, places: sharedPlaces });
  const ownPool = new WorkerPool(use, { ...ends, places: ownPlaces });
  let shared: Session | null = null;
  let lastId = 0;
  const nextId = (): number => (lastId += 1);

  const begin = (session: Session, call: Call, chosen: typeof pool): Promise<Answer> => {
    const answered = session.call(call);
    // The shared process does not end with its first call.
    const signal = chosen === ownPool ? call.signal : undefined;
    chosen.run(session, signal, call.accountId).catch((error: unknown) => session.fail(error));
    return answered;
  };

  const run = async (call: Call): Promise<Answer> => {
    for (let tries = 0; tries < maxSharedTries && !call.hasHadTurn; tries += 1) {
      try {
        if (shared?.isOpen === true) return await shared.call(call);
        shared = new Session(nextId, processorMs, false);
        return await begin(shared, call, pool);
      } catch (error) {
        if (!(error instanceof LostCallError)) throw error;
      }
    }
    // Any connected call may be to blame. Each is tried once more, in a separate process.
    call.pieces.length = 0;
    return begin(new Session(nextId, processorMs, true), call, ownPool).catch((error: unknown) => {
      throw error instanceof LostCallError ? error.failure : error;
    });
  };

  return {
    createFetcher: ({ clock, hosts, ...limits }) => ({
      async fetch(url, signal, request = {}, accountId = localAccountId, known) {
        const task: FetchingTask = { kind: 'fetch', url, request, known, accountId, limits };
        const call: Call = { task, signal, accountId, hosts, pieces: [], hasHadTurn: false };
        const answer = await run(call);
        if (answer.kind !== 'fetched') throw unexpected();
        return { ...answer.resource, bytes: Buffer.concat(call.pieces), fetchedAt: isoTime(clock.now()) };
      },
    }),
    async isPublicPage(url, signal, accountId = localAccountId) {
      const task: FetchingTask = { kind: 'look-up', url: url.href, accountId };
      const answer = await run({ task, signal, accountId, hosts: null, pieces: [], hasHadTurn: false });
      if (answer.kind !== 'looked-up') throw unexpected();
      return answer.isPublic;
    },
    async close() {
      await Promise.all([pool.close(), ownPool.close()]);
    },
  };
}

function unexpected(): Error {
  return new Error('the fetching process answered another question than it was asked');
}

/** The process that fetched it alone had to be ended, or broke. */
function tooCostly(cause: unknown, retryable: boolean): ProcessingError {
  return new ProcessingError(
    'http_error',
    'Receiving what the site sent took more time or memory than any page needs, so it was given up. Open the address in your browser to see whether it works there.',
    { cause, retryable },
  );
}

export type FetchingTask =
  | ({ kind: 'fetch' } & FetchTask)
  /** Asks if an address belongs to the public internet: its name has to be looked up. */
  | { kind: 'look-up'; url: string; accountId: string };

/** `id` names a call. */
export type ToFetching =
  | { kind: 'call'; id: number; task: FetchingTask }
  | { kind: 'turn'; id: number }
  /** The call was abandoned. */
  | { kind: 'stop'; id: number };

/** Messages from the fetching process. The last message about a call is one of the last three. */
export type FromFetching =
  /** Asks for a turn at a host. The turn that the call had before is over. */
  | { kind: 'host'; id: number; host: string }
  /** The host asked to be left alone. */
  | { kind: 'hold'; id: number; host: string; ms: number }
  | { kind: 'piece'; id: number; bytes: Uint8Array }
  | { kind: 'fetched'; id: number; resource: FetchedResource }
  | { kind: 'looked-up'; id: number; isPublic: boolean }
  /** `cause` is for the log. */
  | { kind: 'failure'; id: number; failure: SentFailure; cause: string | undefined };
