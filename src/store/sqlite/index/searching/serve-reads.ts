import type { MessagePort } from 'node:worker_threads';
import { refuseRemovedAccount } from '../../files/account-files.ts';
import type { ThreadData } from '../../threads/protocol.ts';
import { serveCalls } from '../../threads/serve-calls.ts';
import { type ReadArguments, type ReadName, runRead, type SearchReads } from './reads.ts';

/** A thread comes by all accounts, and an open file costs memory and, on Windows, stands in the way of its removal. */
const maxOpenFiles = 8;

/**
 * Answers reads from files that it opens for reading only. Every read begins a transaction of its own, so it sees
 * all that was committed before, and makes sure in it that the file is neither newer than this program nor removed.
 */
export function serveReads(port: MessagePort, data: ThreadData, reads: SearchReads): void {
  serveCalls(port, data, { readOnly: true, maxOpen: maxOpenFiles }, (file, { name, args }) =>
    file.read(() => {
      file.refuseNewer();
      refuseRemovedAccount(file);
      return runRead(reads, file, name as ReadName, args as ReadArguments<ReadName>);
    }),
  );
}
