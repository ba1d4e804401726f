import type { ErrorCode } from '../../../errors.ts';
import type { ReadArguments, ReadName } from './reads.ts';

/** What a search thread is started with. */
export interface SearchThreadData {
  accountsFolder: string;
  /** Shared with it: one number, not 0 when nobody waits for the read in hand any more. */
  letGo: Int32Array;
  /** Shared with it: one number, not 0 when it has loaded all native code that it needs. */
  loaded: Int32Array;
}

/** One read of one account's file. */
export type ReadRequest = { [N in ReadName]: { accountId: string; name: N; args: ReadArguments<N> } }[ReadName];

/** What the thread is told: one read at a time, and at any time to close an account's file or to end. */
export type ToSearchThread =
  | { kind: 'read'; request: ReadRequest }
  | { kind: 'release'; accountId: string }
  | { kind: 'end' };

/** What the thread posts: once when it can begin, then one answer to each message but the last. */
export type FromSearchThread =
  | { kind: 'ready' }
  | { kind: 'answer'; value: unknown }
  | { kind: 'refused'; code: ErrorCode; message: string }
  /** As words: what an error carries may not be able to travel between threads. */
  | { kind: 'broken'; message: string; stack: string | undefined }
  | { kind: 'released'; accountId: string };
