import type { MessagePort } from 'node:worker_threads';
import { AppError } from '../../../errors.ts';
import { AccountFiles, refuseRemovedAccount } from '../account-files.ts';
import { whenFree } from '../busy.ts';
import { loadDriver } from '../sqlite-file.ts';
import type { FromSearchThread, ReadRequest, SearchThreadData, ToSearchThread } from './protocol.ts';
import { runRead, type SearchReads } from './reads.ts';

/** A thread comes by all accounts, and an open file costs memory and, on Windows, stands in the way of its removal. */
const maxOpenFiles = 8;
/** What a read ends with that nobody waits for. */
const nobodyWaits = new AppError('unavailable', 'Nobody waits for this search any more.');

/**
 * Answers reads from files that it opens for reading only. Every read begins a transaction of its own, so it sees
 * all that was committed before, and makes sure in it that the file is neither newer than this program nor removed.
 * A read that nobody waits for any more is given up at its next statement.
 */
export function serveReads(
  port: MessagePort,
  { accountsFolder, letGo, loaded }: SearchThreadData,
  reads: SearchReads,
): void {
  const files = new AccountFiles({
    folder: accountsFolder,
    readOnly: true,
    // Whether there is such an account was asked before the read was sent here, and its file was opened then.
    recordOf: () => 'made',
    maxOpen: maxOpenFiles,
    beforeStatement: () => {
      if (Atomics.load(letGo, 0) !== 0) throw nobodyWaits;
    },
  });
  const post = (message: FromSearchThread): void => port.postMessage(message);

  const read = ({ accountId, name, args }: ReadRequest): Promise<unknown> =>
    whenFree(() => {
      const file = files.use(accountId);
      return file.read(() => {
        file.refuseNewer();
        refuseRemovedAccount(file);
        return runRead(reads, file, name, args);
      });
    });

  const answer = async (request: ReadRequest): Promise<FromSearchThread> => {
    try {
      return { kind: 'answer', value: await read(request) };
    } catch (error) {
      // What cannot be read now is opened anew when it is asked for again.
      if (error !== nobodyWaits) files.close(request.accountId);
      if (error instanceof AppError) return { kind: 'refused', code: error.code, message: error.message };
      return error instanceof Error
        ? { kind: 'broken', message: error.message, stack: error.stack }
        : { kind: 'broken', message: String(error), stack: undefined };
    }
  };

  port.on('message', (message: ToSearchThread) => {
    if (message.kind === 'read') return void answer(message.request).then(post);
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
