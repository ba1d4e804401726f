import type { ErrorCode, FieldProblem } from '../../../errors.ts';
import type { HistoryLimits } from '../../history.ts';
import type { Synchronous } from '../files/open-database.ts';
import type { AskedAt, WriteCall } from '../library/calls.ts';

/** The `workerData` of a thread. */
export interface ThreadData {
  accountsFolder: string;
  synchronous?: Synchronous | undefined;
  history: HistoryLimits | null;
  /** Memory shared with the thread: one number, not 0 when nobody waits for the current call any more. */
  letGo: Int32Array;
  /** Memory shared with the thread: one number, not 0 when the thread has loaded all native code that it needs. */
  loaded: Int32Array;
}

/** What every thread of a pool is told. */
export type SharedThreadData = Omit<ThreadData, 'letGo' | 'loaded'>;

/** A read of one account's library, or writes to it that are committed together. */
export type LibraryCall = { accountId: string } & (
  | { kind: 'read'; name: string; args: readonly unknown[] }
  | { kind: 'write'; calls: readonly WriteCall[] }
);

/** A call with the clock's readings when the thread took it: before, it may have waited long. */
export type CallRequest = LibraryCall & { at: AskedAt };

/** Messages to the thread: one call at a time; closing an account's file and ending at any time. */
export type ToThread =
  | { kind: 'call'; request: CallRequest }
  | { kind: 'release'; accountId: string }
  | { kind: 'end' };

/** Messages from the thread: `ready` once, then one reply to each message except `end`. */
export type FromThread =
  | { kind: 'ready' }
  | { kind: 'answer'; value: unknown }
  | { kind: 'refused'; code: ErrorCode; message: string; fields: readonly FieldProblem[] }
  | { kind: 'lease_lost' }
  /** Another process holds the lock; `code`: SQLite's. */
  | { kind: 'busy'; code: string }
  /** The path of the open file leads to another file, or to none; the file was closed. */
  | { kind: 'file_changed' }
  /** Message and stack only: other properties of an error may not be cloneable. */
  | { kind: 'broken'; message: string; stack: string | undefined }
  | { kind: 'released'; accountId: string };
