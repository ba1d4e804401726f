import type { ErrorCode } from '../../../errors.ts';
import type { RecoverRequest } from './recover-file.ts';
import type { RestoreRequest } from './restore-backup.ts';
import type { WriteRequest } from './write-backup.ts';

/** Messages to the backup thread: one job for each thread. */
export type BackupJob =
  | { kind: 'write'; request: WriteRequest }
  | { kind: 'verify'; file: string }
  | { kind: 'restore'; request: RestoreRequest }
  | { kind: 'recover'; request: RecoverRequest };

/** Messages from the backup thread. */
export type FromBackupThread =
  | { kind: 'progress'; done: number; total: number }
  | { kind: 'answer'; value: unknown }
  | { kind: 'refused'; code: ErrorCode; message: string }
  | { kind: 'broken'; message: string; stack: string | undefined };
