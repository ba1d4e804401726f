import type { ErrorCode } from '../../../errors.ts';
import type { Synchronous } from '../files/open-database.ts';

/** What a thread is started with. */
export interface ThreadData {
  accountsFolder: string;
  synchronous?: Synchronous | undefined;
  /** Shared with it: one number, not 0 when nobody waits for the call in hand any more. */
  letGo: Int32Array;
  /** Shared with it: one number, not 0 when it has loaded all native code that it needs. */
  loaded: Int32Array;
}

/** What is to be done with one account's file, by name. */
export interface CallRequest {
  accountId: string;
  name: string;
  args: readonly unknown[];
}

/** What the thread is told: one call at a time, and at any time to close an account's file or to end. */
export type ToThread =
  | { kind: 'call'; request: CallRequest }
  | { kind: 'release'; accountId: string }
  | { kind: 'end' };

/** What the thread posts: once when it can begin, then one answer to each message but the last. */
export type FromThread =
  | { kind: 'ready' }
  | { kind: 'answer'; value: unknown }
  | { kind: 'refused'; code: ErrorCode; message: string }
  | { kind: 'lease_lost' }
  /** The name of the open file leads elsewhere; it was closed. */
  | { kind: 'file_changed' }
  /** As words: what an error carries may not be able to travel between threads. */
  | { kind: 'broken'; message: string; stack: string | undefined }
  | { kind: 'released'; accountId: string };
