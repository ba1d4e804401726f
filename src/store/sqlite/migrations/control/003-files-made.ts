import type { Migration } from '../../files/migrate.ts';

/**
 * Whether an account's file was ever made: one that was and is not there is missing. Work was announced for every account that saved
 * something, before it was saved; of the others those whose file is there are noted when the folder is opened next.
 */
export const filesMade: Migration = {
  name: 'files made',
  sql: `
ALTER TABLE accounts ADD COLUMN file_made INTEGER NOT NULL DEFAULT 0 CHECK (file_made IN (0, 1));
UPDATE accounts SET file_made = 1 WHERE id IN (SELECT account FROM waiting_work);
`,
};
