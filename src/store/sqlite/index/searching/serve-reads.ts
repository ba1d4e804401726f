import type { MessagePort } from 'node:worker_threads';
import { refuseRemovedAccount } from '../../files/account-files.ts';
import type { ThreadData } from '../../threads/protocol.ts';
import { serveCalls } from '../../threads/serve-calls.ts';
import { type ReadArguments, type ReadName, runRead, type SearchReads } from './reads.ts';

/**
 * A thread serves all accounts. Opening a small library and preparing its statements takes as long as searching it, so
 * many small ones stay open. An open file costs memory and, on Windows, prevents its removal.
 */
const limits = { maxFiles: 128, minFiles: 8, maxBytes: 128 * 1024 * 1024 };

/**
 * Answers reads from files that are opened read-only. Every read runs in its own transaction, so it sees everything
 * committed before. The transaction also checks that the file is neither newer than this program nor removed.
 */
export function serveReads(port: MessagePort, data: ThreadData, reads: SearchReads): void {
  serveCalls(port, data, { readOnly: true, limits }, (file, { name, args }) =>
    file.read(() => {
      file.refuseNewer();
      refuseRemovedAccount(file);
      return runRead(reads, file, name as ReadName, args as ReadArguments<ReadName>);
    }),
  );
}
