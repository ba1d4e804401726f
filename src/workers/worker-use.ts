import type { ChildProcess } from 'node:child_process';
import type { Worker } from 'node:worker_threads';
import type { WorkerLimits } from './limits.ts';

/** A message that every kind of worker may send, besides its own. */
export type WorkerSignal =
  /** Sent once, when the worker has loaded and takes jobs. */
  | { kind: 'ready' }
  /** The worker cannot go on, and says why. It exits after this. */
  | { kind: 'failed'; reason: string };

/** A job, with the callbacks of the caller who waits for its result. */
export interface Task<Job, Result> {
  readonly job: Job;
  /** The account that owns the job. Accounts take turns in a pool. */
  readonly accountId: string;
  /** Aborting ends the worker while it runs the job. */
  readonly signal?: AbortSignal | undefined;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

export interface Failure {
  kind: /** The system could not give the worker what it needs, such as a process or a file handle. */
    | 'refused'
    /** It passed a limit of time, or was not ready in time. */
    | 'time'
    /** It passed a limit of memory, or V8 ended it for its heap. */
    | 'memory'
    /** It was ended from outside: by a person, or by a system that ran out of memory. */
    | 'killed'
    /** It ended by itself. */
    | 'exit'
    /** It crashed: by an uncaught error, or by a signal. */
    | 'crash';
  /** Holds the last words of the worker. It is for the log. */
  cause: Error;
  wasReady: boolean;
}

/** One job of a worker. Events after its end have no effect. */
export interface Run<Result> {
  /** The limits for this job. They stop at its end. */
  readonly limits: WorkerLimits;
  readonly isActive: boolean;
  /** @param moved buffers that a thread gets without a copy */
  send(message: unknown, moved?: readonly ArrayBuffer[]): void;
  /** Writes to stdin of a process. Resolves when the bytes are handed over, or the process is gone. */
  write(bytes: Uint8Array): Promise<void>;
  /** @param isSpent whether the worker is to be ended, because the next job needs a new one */
  resolve(result: Result, isSpent?: boolean): void;
  /** The job fails, and the worker goes on. */
  reject(error: unknown): void;
  /** The job fails, and the worker is ended. */
  end(error: unknown): void;
}

/** The owner's side of one job. */
export interface Conversation<Message> {
  /** The worker is ready. The limit for its start goes on until another limit of time takes its place. */
  begin(): void;
  receive(message: Message): void;
  failure(failure: Failure): unknown;
}

export interface WorkerUse<Job, Result, Message> {
  start(): ChildProcess | Worker;
  /** A worker that is not ready after this time has failed. Absent: it has all the time it needs. */
  startMs?: number;
  /** An unneeded worker is ended after this time, which frees its memory. */
  idleMs: number;
  /** Limit of a process's own memory during a job. Threads have `resourceLimits` instead. */
  maxBytes?: number;
  /** A process that holds more than this after a job is ended. */
  maxRestingBytes?: number;
  /** Opens the conversation about a job that was given to a worker. The worker may be loading still. */
  open(task: Task<Job, Result>, run: Run<Result>): Conversation<Message>;
}
