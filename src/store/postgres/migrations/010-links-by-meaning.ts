import type { Migration } from './migration.ts';

/*
 * As in SQLite (`account/034-links-by-meaning.ts`). The owner of the tables sees no rows of an account, so an UPDATE would
 * change none; changing the type writes all of them anew.
 */
export const linksByMeaning: Migration = {
  name: 'links by meaning',
  sql: `
ALTER TABLE actions ALTER COLUMN link_due TYPE boolean
  USING link_due OR (goal IS NULL AND state = 'open' AND touched_at IS NULL);
`,
};
