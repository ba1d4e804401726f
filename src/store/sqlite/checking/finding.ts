/** Damage found in a file. */
export interface Finding {
  /** `control` for `control.db`, otherwise the account's id. */
  file: string;
  /** What was found. Contains nothing from saved content. */
  problem: string;
  /** How to repair it. */
  fix: string;
}

/** What was found in the file that is looked at. */
export type FileProblem = Omit<Finding, 'file'>;

export const restoreBackup =
  'Stop what uses the data folder, restore a backup of it (docs/backups.md), and run `commonplace doctor --check` again.';
