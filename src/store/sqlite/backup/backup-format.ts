import type { Plan } from '../../../domain/records/account.ts';

/*
 * A backup is a tar file of `backup.json` (what it is), `control.db.zst`, `accounts/<id>.db.zst` for each account,
 * `config.json`, and last `SHA256SUMS` (the checksums of the entries, and of the databases before their compression).
 * A backup of one account has neither `control.db.zst` nor `config.json`: they hold what belongs to other accounts.
 */

export const backupFormat = 1;
export const infoName = 'backup.json';
export const sumsName = 'SHA256SUMS';
const configName = 'config.json';
export const controlName = 'control.db';
const packed = '.zst';

/** An account as `control.db` knew it. */
export interface BackedUpAccount {
  id: string;
  name: string;
  plan: Plan;
}

/** The content of `backup.json`. */
export interface BackupInfo {
  format: number;
  /** Version of the program that wrote it. */
  program: string;
  createdAt: string;
  /** The only account in it; null when it has all of them. */
  account: string | null;
  accounts: BackedUpAccount[];
  /** The versions of the files that the program makes. */
  schema: { control: number; account: number };
}

/** What a backup can hold: `control`, `config`, or an account's library. */
export interface BackupPart {
  /** `control`, `config`, or the account's id. */
  part: string;
  /** Its path in a data folder. */
  file: string;
}

export const controlPart: BackupPart = { part: 'control', file: controlName };
export const configPart: BackupPart = { part: 'config', file: configName };

export function accountPart(id: string): BackupPart {
  return { part: id, file: `accounts/${id}.db` };
}

/** The name of a part's entry in the tar file. Databases are compressed. */
export function entryOf({ part, file }: BackupPart): string {
  return part === 'config' ? file : `${file}${packed}`;
}

/** The part that an entry holds; null for the entries about the backup itself, and for unknown ones. */
export function partOf(entry: string, isAccountId: (id: string) => boolean): BackupPart | null {
  if (entry === configName) return configPart;
  if (entry === `${controlName}${packed}`) return controlPart;
  const id = entry.startsWith('accounts/') ? entry.slice('accounts/'.length, -`.db${packed}`.length) : '';
  const part = accountPart(id);
  return isAccountId(id) && entryOf(part) === entry ? part : null;
}
