import type { Migration } from '../../files/migrate.ts';

/**
 * A removed account is kept for a while: `removed_passed` is what had passed (`account-time.ts`) when it was removed; null once it is
 * removed for good. `file_state` notes the time as in an account's file; `compact_due`: freed pages may still hold what was removed.
 */
export const keptAccounts: Migration = {
  name: 'kept accounts',
  sql: `
ALTER TABLE accounts ADD COLUMN removed_passed INTEGER;
CREATE TABLE file_state (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  noted_at INTEGER,
  noted_uptime INTEGER NOT NULL DEFAULT 0,
  passed_ms INTEGER NOT NULL DEFAULT 0,
  compact_due INTEGER NOT NULL DEFAULT 0 CHECK (compact_due IN (0, 1))
) STRICT;
INSERT INTO file_state (one) VALUES (1);
`,
};
