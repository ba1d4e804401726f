import {
  backupsHolding,
  newestBackup,
  recoverLibrary,
  removeExpiredBackups,
  restoreBackup,
  verifyBackup,
  writeBackup,
} from '../store/sqlite/backup/backups.ts';

export { checkLibrary } from '../store/sqlite/checking/check-library.ts';

/** Writes, reads and restores backups, without opening the program. */
export const backups = {
  now: Date.now,
  write: writeBackup,
  verify: verifyBackup,
  restore: restoreBackup,
  recover: recoverLibrary,
  holding: backupsHolding,
  newest: newestBackup,
  removeExpired: removeExpiredBackups,
};
export type Backups = typeof backups;
