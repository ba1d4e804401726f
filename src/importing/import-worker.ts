import { parentPort } from 'node:worker_threads';
import type { ReadFolder } from '../domain/records/sources/folder.ts';
import { AppError } from '../errors.ts';
import type { WorkerSignal } from '../workers/worker-use.ts';
import type { FromImportThread, ToImportThread } from './import-thread.ts';
import { readFolder } from './folder/read-folder.ts';
import { readExport, type ReadExport } from './read-export.ts';

/* The thread that reads export files of other programs, and folders that are watched. They come from outside, and are parsed nowhere else. */

if (parentPort === null) throw new Error('import-worker runs only as a worker thread');
const port = parentPort;
const post = (message: WorkerSignal | FromImportThread): void => port.postMessage(message);
let next = Promise.withResolvers<void>();

async function read(request: ReadExport | ReadFolder): Promise<void> {
  for await (const batch of 'folder' in request ? readFolder(request) : readExport(request)) {
    next = Promise.withResolvers();
    post({ kind: 'batch', batch });
    await next.promise;
  }
}

port.on('message', (message: ToImportThread) => {
  if (message.kind === 'next') return next.resolve();
  read(message.request).then(
    () => post({ kind: 'end' }),
    (error: unknown) => {
      if (error instanceof AppError) post({ kind: 'refused', code: error.code, message: error.message });
      else if (error instanceof Error) post({ kind: 'broken', message: error.message, stack: error.stack });
      else post({ kind: 'broken', message: String(error), stack: undefined });
    },
  );
});
post({ kind: 'ready' });
