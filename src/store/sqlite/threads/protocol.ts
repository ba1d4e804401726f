import type { ErrorCode } from '../../../errors.ts';
import type { Synchronous } from '../files/open-database.ts';

/** The `workerData` of a thread. */
export interface ThreadData {
  accountsFolder: string;
  synchronous?: Synchronous | undefined;
  /** Memory shared with the thread: one number, not 0 when nobody waits for the current call any more. */
  letGo: Int32Array;
  /** Memory shared with the thread: one number, not 0 when the thread has loaded all native code that it needs. */
  loaded: Int32Array;
}

/** A named call on one account's file. */
export interface CallRequest {
  accountId: string;
  name: string;
  args: readonly unknown[];
}

/** Messages to the thread: one call at a time; closing an account's file and ending at any time. */
export type ToThread =
  | { kind: 'call'; request: CallRequest }
  | { kind: 'release'; accountId: string }
  | { kind: 'end' };

/** Messages from the thread: `ready` once, then one reply to each message except `end`. */
export type FromThread =
  | { kind: 'ready' }
  | { kind: 'answer'; value: unknown }
  | { kind: 'refused'; code: ErrorCode; message: string }
  | { kind: 'lease_lost' }
  /** The path of the open file leads to another file, or to none; the file was closed. */
  | { kind: 'file_changed' }
  /** Message and stack only: other properties of an error may not be cloneable. */
  | { kind: 'broken'; message: string; stack: string | undefined }
  | { kind: 'released'; accountId: string };
