import { parentPort } from 'node:worker_threads';
import { AppError } from '../../../errors.ts';
import type { WorkerSignal } from '../../../workers/worker-use.ts';
import { yieldProcessor } from '../../../workers/yield-processor.ts';
import type { BackupJob, FromBackupThread } from './backup-protocol.ts';
import { recoverFile } from './recover-file.ts';
import { restoreBackup } from './restore-backup.ts';
import { verifyBackup } from './verify-backup.ts';
import { writeBackup } from './write-backup.ts';

/* The thread that writes, verifies and restores backups and recovers damaged files, so that no other work waits for the disk. */

if (parentPort === null) throw new Error('backup-worker runs only as a worker thread');
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
const post = (message: WorkerSignal | FromBackupThread): void => parentPort?.postMessage(message);
const onDone = (done: number, total: number): void => post({ kind: 'progress', done, total });

async function run(job: BackupJob): Promise<unknown> {
  if (job.kind === 'write') yieldProcessor();
  if (job.kind === 'recover') return recoverFile(job.request, onDone);
  if (job.kind === 'write') return writeBackup(job.request, onDone);
  return job.kind === 'verify' ? verifyBackup(job.file, onDone) : restoreBackup(job.request, onDone);
}

parentPort.on('message', (job: BackupJob) => {
  run(job).then(
    (value) => post({ kind: 'answer', value }),
    (error: unknown) => {
      if (error instanceof AppError) post({ kind: 'refused', code: error.code, message: error.message });
      else if (error instanceof Error) post({ kind: 'broken', message: error.message, stack: error.stack });
      else post({ kind: 'broken', message: String(error), stack: undefined });
    },
  );
});
post({ kind: 'ready' });
