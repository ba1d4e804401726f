import type { MessagePort } from 'node:worker_threads';
import { AppError } from '../../../errors.ts';
import { LeaseLostError } from '../../store.ts';
import { AccountFiles, type AccountFilesOptions } from '../files/account-files.ts';
import { whenFree } from '../files/busy.ts';
import { FileChangedError } from '../files/sqlite-errors.ts';
import { loadDriver, type SqliteFile } from '../files/sqlite-file.ts';
import type { CallRequest, FromThread, ThreadData, ToThread } from './protocol.ts';

/** What a call ends with that nobody waits for. */
const nobodyWaits = new AppError('unavailable', 'Nobody waits for this any more.');

/**
 * Does in this thread what it is asked to do with accounts' files. A call that nobody waits for any more is given up at its next
 * statement.
 */
export function serveCalls(
  port: MessagePort,
  { accountsFolder, synchronous, letGo, loaded }: ThreadData,
  settings: Pick<AccountFilesOptions, 'readOnly' | 'maxOpen'>,
  run: (file: SqliteFile, request: CallRequest) => unknown,
): void {
  const files = new AccountFiles({
    ...settings,
    folder: accountsFolder,
    synchronous,
    // Whether there is such an account was asked before the call was sent here, and its file was opened then.
    recordOf: () => 'made',
    // The main thread decides what becomes of a file whose name leads elsewhere.
    onChange: 'close',
    beforeStatement: () => {
      if (Atomics.load(letGo, 0) !== 0) throw nobodyWaits;
    },
  });
  const post = (message: FromThread): void => port.postMessage(message);

  const answer = async (request: CallRequest): Promise<FromThread> => {
    try {
      return { kind: 'answer', value: await whenFree(() => run(files.use(request.accountId), request), 0) };
    } catch (error) {
      // What cannot be used now is opened anew when it is asked for again.
      if (error !== nobodyWaits) files.close(request.accountId);
      return failure(error);
    }
  };

  port.on('message', (message: ToThread) => {
    if (message.kind === 'call') return void answer(message.request).then(post);
    if (message.kind === 'end') {
      files.closeAll();
      // Nothing else holds the thread.
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

function failure(error: unknown): FromThread {
  if (error instanceof AppError) return { kind: 'refused', code: error.code, message: error.message };
  if (error instanceof LeaseLostError) return { kind: 'lease_lost' };
  if (error instanceof FileChangedError) return { kind: 'file_changed' };
  return error instanceof Error
    ? { kind: 'broken', message: error.message, stack: error.stack }
    : { kind: 'broken', message: String(error), stack: undefined };
}
