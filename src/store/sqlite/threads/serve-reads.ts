import type { MessagePort } from 'node:worker_threads';
import { refuseRemovedAccount } from '../files/account-files.ts';
import type { ThreadData } from './protocol.ts';
import { serveCalls } from './serve-calls.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

/**
 * A thread serves all accounts. Opening a small library and preparing its statements takes as long as searching it, so
 * many small ones stay open. An open file costs memory and, on Windows, prevents its removal.
 */
const limits = { maxFiles: 128, minFiles: 8, maxBytes: 128 * 1024 * 1024 };

/** By name. They take and return plain data. */
export type ServedReads = Readonly<Record<string, (file: SqliteFile, ...rest: never[]) => unknown>>;

/**
 * Answers reads from files that are opened read-only. Every read runs in its own transaction, so it sees everything
 * committed before. The transaction also checks that the file is neither newer than this program nor removed.
 */
export function serveReads(port: MessagePort, data: ThreadData, reads: ServedReads): void {
  serveCalls(port, data, { readOnly: true, limits }, (file, { name, args }) =>
    file.read(() => {
      file.refuseNewer();
      refuseRemovedAccount(file);
      const read = reads[name] as (file: SqliteFile, ...rest: unknown[]) => unknown;
      return read(file, ...args);
    }),
  );
}
