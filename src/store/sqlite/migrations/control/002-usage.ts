import type { Migration } from '../../files/migrate.ts';

/** What language models were paid for, by UTC day: budgets are for the whole installation. */
export const usage: Migration = {
  name: 'usage',
  sql: `
CREATE TABLE usage (
  day TEXT PRIMARY KEY,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  cost_micros INTEGER NOT NULL
) STRICT;
`,
};
