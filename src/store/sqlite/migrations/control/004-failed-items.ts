import type { Migration } from '../../files/migrate.ts';

/** How many items of each account have failed, by code: counted again whenever an account's queue becomes empty. Not current for accounts with waiting work. */
export const failedItems: Migration = {
  name: 'failed items',
  sql: `
CREATE TABLE failed_items (
  account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  code TEXT NOT NULL,
  items INTEGER NOT NULL,
  PRIMARY KEY (account, code)
) STRICT, WITHOUT ROWID;
`,
};
