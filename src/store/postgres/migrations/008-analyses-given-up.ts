import type { Migration } from './migration.ts';

/*
 * As in SQLite (`account/030-analyses-given-up.ts`). The owner of the tables sees no rows of an account, so an UPDATE would change
 * none; changing the type writes all of them anew.
 */
export const analysesGivenUp: Migration = {
  name: 'analyses given up',
  sql: `
ALTER TABLE llm_analyses ADD COLUMN given_up boolean NOT NULL DEFAULT false;
ALTER TABLE llm_analyses ALTER COLUMN given_up TYPE boolean USING state = 'failed';
`,
};
