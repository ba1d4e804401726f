import type { FolderBatch, ReadFolder } from '../domain/records/sources/folder.ts';
import type { ImportBatch } from '../domain/records/transfers/import.ts';
import { AppError, invalidInput, type ErrorCode } from '../errors.ts';
import { WorkerPool } from '../workers/worker-pool.ts';
import { startThread, workerFile } from '../workers/start.ts';
import type { WorkerUse } from '../workers/worker-use.ts';
import type { ReadExport } from './read-export.ts';

/** Enough for one entry with its whole text, and little enough that a hostile file cannot fill the machine. */
const heapMegabytes = 512;
/** A file that keeps the reader busy this long without an entry is not an export. */
const silenceMs = 60_000;

type OnBatch<Batch> = (batch: Batch) => Promise<void>;

interface Job {
  request: ReadExport | ReadFolder;
  onBatch: OnBatch<ImportBatch | FolderBatch>;
}

/**
 * Reads an export, or scans a followed folder, in a separate thread.
 * @param onBatch the next batch is read when its promise resolves
 * @throws {AppError} `invalid_input` when the file cannot be read
 */
export async function readInThread<Request extends ReadExport | ReadFolder>(
  request: Request,
  signal: AbortSignal,
  onBatch: OnBatch<Request extends ReadFolder ? FolderBatch : ImportBatch>,
): Promise<void> {
  const pool = new WorkerPool(importWorker, {
    places: { total: 1, reserved: 0 },
    closing: () => new Error('the import thread has ended'),
  });
  try {
    await pool.run({ request, onBatch: onBatch as Job['onBatch'] }, signal, '');
  } finally {
    await pool.close();
  }
}

const importWorker: WorkerUse<Job, void, FromImportThread> = {
  start: () => startThread(workerFile('./import-worker', import.meta.url), { maxOldGenerationSizeMb: heapMegabytes }),
  idleMs: 0,
  open({ job: { request, onBatch } }, run) {
    const send = (message: ToImportThread): void => {
      run.send(message);
      run.limits.limitSilence(silenceMs);
    };
    const take = async (batch: ImportBatch | FolderBatch): Promise<void> => {
      // Time that the caller needs is not the reader's.
      run.limits.stopTime();
      try {
        await onBatch(batch);
        if (run.isActive) send({ kind: 'next' });
      } catch (error) {
        run.end(error);
      }
    };
    return {
      begin: () => send({ kind: 'read', request }),
      receive(message) {
        if (message.kind === 'batch') void take(message.batch);
        else if (message.kind === 'end') run.resolve(undefined, true);
        else run.end(errorOf(message));
      },
      failure: ({ kind, cause }) =>
        kind === 'time' || kind === 'memory'
          ? invalidInput(
              'This file cannot be imported: it is too large, or built in a way that stops the reader. What was read of it before is saved.',
              { cause },
            )
          : cause,
    };
  },
};

function errorOf(message: Extract<FromImportThread, { kind: 'refused' | 'broken' }>): Error {
  if (message.kind === 'refused') return new AppError(message.code, message.message);
  const error = new Error(message.message);
  if (message.stack !== undefined) error.stack = message.stack;
  return error;
}

export type ToImportThread = { kind: 'read'; request: ReadExport | ReadFolder } | { kind: 'next' };

export type FromImportThread =
  | { kind: 'batch'; batch: ImportBatch | FolderBatch }
  | { kind: 'end' }
  | { kind: 'refused'; code: ErrorCode; message: string }
  | { kind: 'broken'; message: string; stack: string | undefined };
