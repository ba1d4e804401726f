import { control } from './001-control.ts';
import { library } from './002-library.ts';
import { sharedLimits } from './003-shared-limits.ts';
import { history } from './004-history.ts';
import { transfer } from './005-transfer.ts';
import type { Migration } from './migration.ts';

/** What the database went through, in order. Append only: an entry that was released never changes. */
export const migrations: readonly Migration[] = [control, library, sharedLimits, history, transfer];
