import type { Migration } from '../../files/migrate.ts';

/*
 * Whether the model has given up an item. The state does not say so while the connected assistant holds it, and the model would
 * take up what it had given up when that lease expires.
 */
export const analysesGivenUp: Migration = {
  name: 'analyses given up',
  sql: `
ALTER TABLE better_analyses ADD COLUMN given_up INTEGER NOT NULL DEFAULT 0 CHECK (given_up IN (0, 1));
UPDATE better_analyses SET given_up = 1 WHERE state = 'failed';
`,
};
