/** Something in a file that is not as it was written. */
export interface Finding {
  /** `control` for `control.db`, else the account. */
  file: string;
  /** What was found. It holds nothing of what people saved. */
  problem: string;
  /** What to do about it. */
  fix: string;
}

export const putBackBackup =
  'Stop what uses the data folder, put back a backup of this file (docs/hosting.md), and run `commonplace doctor --check` again.';
