import type { MessagePort } from 'node:worker_threads';
import { AppError, type ErrorCode, type FieldProblem, unavailable } from '../../../errors.ts';
import { LeaseLostError } from '../../records.ts';
import { AccountFiles, refuseRemovedAccount } from '../files/account-files.ts';
import { busyCode, FileChangedError } from '../files/sqlite-errors.ts';
import { loadDriver, type SqliteFile } from '../files/sqlite-file.ts';
import type { AskedAt, LibraryCalls, WriteCall } from '../library/calls.ts';
import type { HistoryLimits } from '../../history.ts';
import type { Synchronous } from '../files/open-database.ts';

/** The error that ends an abandoned call. */
const nobodyWaits = unavailable('Nobody waits for this any more.');

/**
 * A thread serves all accounts. Opening a small library and preparing its statements takes as long as searching it, so
 * many small ones stay open. An open file costs memory and, on Windows, prevents its removal.
 */
const limits = { maxFiles: 128, minFiles: 8, maxBytes: 128 * 1024 * 1024 };

/** Runs calls on accounts' libraries in this thread. An abandoned call is cancelled at its next statement. */
export function serveCalls(
  port: MessagePort,
  { accountsFolder, synchronous, letGo, loaded }: ThreadData,
  calls: LibraryCalls,
): void {
  const refuseAbandoned = (): void => {
    if (Atomics.load(letGo, 0) !== 0) throw nobodyWaits;
  };
  const files = new AccountFiles({
    readOnly: false,
    limits,
    folder: accountsFolder,
    synchronous,
    // The main thread checked that the account exists, and opened its file, before it sent the call.
    recordOf: () => 'made',
    // The main thread recovers a file that is no longer at its path.
    onChange: 'close',
    beforeStatement: refuseAbandoned,
  });
  const post = (message: FromThread): void => port.postMessage(message);

  // Synchronous, so that a release comes after the call. The main thread repeats a call while another process holds the lock.
  const answer = (request: CallRequest): FromThread => {
    try {
      refuseAbandoned();
      return { kind: 'answer', value: run(calls, files.use(request.accountId), request) };
    } catch (error) {
      const failed = failure(error);
      // Close a file that failed: the next call opens it again. A question that is refused says nothing about the file.
      const isRefused = failed.kind === 'refused' && failed.code === 'invalid_input';
      if (error !== nobodyWaits && failed.kind !== 'busy' && !isRefused) files.close(request.accountId);
      return failed;
    }
  };

  port.on('message', (message: ToThread) => {
    if (message.kind === 'call') return post(answer(message.request));
    if (message.kind === 'end') {
      files.closeAll();
      // Only the port keeps the thread alive, so closing it ends the thread.
      return port.close();
    }
    files.close(message.accountId);
    post({ kind: 'released', accountId: message.accountId });
  });
  loadDriver();
  Atomics.store(loaded, 0, 1);
  Atomics.notify(loaded, 0);
  post({ kind: 'ready' });
}

/** A read sees everything committed before, and neither a file of a newer program nor one of a removed account. */
function run(calls: LibraryCalls, file: SqliteFile, request: CallRequest): unknown {
  if (request.kind === 'write') return file.write(() => calls.write(file, request.at, request.calls));
  return file.read(() => {
    file.refuseNewer();
    refuseRemovedAccount(file);
    return calls.read(file, request.at, request.name, request.args);
  });
}

function failure(error: unknown): FromThread {
  const code = busyCode(error);
  if (code !== undefined) return { kind: 'busy', code };
  if (error instanceof AppError) {
    const { code, message, fields } = error;
    return { kind: 'refused', code, message, fields };
  }
  if (error instanceof LeaseLostError) return { kind: 'lease_lost' };
  if (error instanceof FileChangedError) return { kind: 'file_changed' };
  return error instanceof Error
    ? { kind: 'broken', message: error.message, stack: error.stack }
    : { kind: 'broken', message: String(error), stack: undefined };
}

export interface ThreadData {
  accountsFolder: string;
  synchronous?: Synchronous | undefined;
  history: HistoryLimits | null;
  /** Memory shared with the thread: one number, not 0 when the current call was abandoned. */
  letGo: Int32Array;
  /** Memory shared with the thread: one number, not 0 when the thread has loaded all native code that it needs. */
  loaded: Int32Array;
}

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
