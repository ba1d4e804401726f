import { parentPort, workerData } from 'node:worker_threads';
import { AppError, type ErrorCode } from '../../../errors.ts';
import { yieldProcessor } from '../../../workers/memory.ts';
import { verifyBackup } from './read-backup.ts';
import { recoverFile, type RecoverRequest } from './recover-file.ts';
import { restoreBackup, type RestoreRequest } from './restore-backup.ts';
import { writeBackup, type WriteRequest } from './write-backup.ts';

/* The thread that does one job with backups or damaged files, so that no other work waits for the disk. */

export type BackupJob =
  | { kind: 'write'; request: WriteRequest }
  | { kind: 'verify'; file: string }
  | { kind: 'restore'; request: RestoreRequest }
  | { kind: 'recover'; request: RecoverRequest };

export type FromBackupThread =
  | { kind: 'progress'; done: number; total: number }
  | { kind: 'answer'; value: unknown }
  | { kind: 'refused'; code: ErrorCode; message: string };

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
const post = (message: FromBackupThread): void => parentPort?.postMessage(message);
const onDone = (done: number, total: number): void => post({ kind: 'progress', done, total });

async function run(job: BackupJob): Promise<unknown> {
  if (job.kind === 'verify') return verifyBackup(job.file, onDone);
  if (job.kind === 'restore') return restoreBackup(job.request, onDone);
  if (job.kind === 'recover') return recoverFile(job.request, onDone);
  yieldProcessor();
  return writeBackup(job.request, onDone);
}

try {
  post({ kind: 'answer', value: await run(workerData as BackupJob) });
} catch (error) {
  // Other errors end the thread with their stack.
  if (!(error instanceof AppError)) throw error;
  post({ kind: 'refused', code: error.code, message: error.message });
}
