/** Damage found in a file. */
export interface Finding {
  /** `control` for `control.db`, otherwise the account's id. */
  file: string;
  /** The problem in words. They contain nothing from saved content. */
  problem: string;
  /** The way to repair it. */
  fix: string;
}

/** A problem of the file that is looked at. */
export type FileProblem = Omit<Finding, 'file'>;

export const restoreBackup =
  'Stop what uses the data folder, restore a backup of it (docs/backups.md), and run `commonplace doctor --check` again.';

/** For rows that were written once and are in no other place of the library. */
export const recoverRows =
  'Stop what uses the data folder and take them from a backup: `commonplace recover <this file> <new file> --backup <backup>`, or restore the backup (docs/backups.md).';
