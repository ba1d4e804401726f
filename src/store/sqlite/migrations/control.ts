import type { Migration } from '../files/migrate.ts';
import { rowSums } from '../files/row-sums.ts';
import { firstTables } from './control/001-first-tables.ts';
import { usage } from './control/002-usage.ts';
import { filesMade } from './control/003-files-made.ts';
import { failedItems } from './control/004-failed-items.ts';
import { signIn } from './control/005-sign-in.ts';
import { oauth } from './control/006-oauth.ts';
import { keptAccounts } from './control/007-kept-accounts.ts';
import { keys } from './control/008-keys.ts';

/** What `control.db` went through, in order. Append only: an entry that was released never changes. */
export const controlMigrations: readonly Migration[] = [
  firstTables,
  usage,
  filesMade,
  failedItems,
  signIn,
  oauth,
  keptAccounts,
  keys,
  rowSums,
];
