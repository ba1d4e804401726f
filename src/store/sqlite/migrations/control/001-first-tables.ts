import type { Migration } from '../../files/migrate.ts';

export const firstTables: Migration = {
  name: 'first tables',
  sql: `
CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  plan TEXT NOT NULL CHECK (plan IN ('free', 'pro')),
  created_at INTEGER NOT NULL,
  removed_at INTEGER
) STRICT;

CREATE TABLE tokens (
  id TEXT PRIMARY KEY,
  account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  hash BLOB NOT NULL UNIQUE,
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  last_used_at INTEGER,
  revoked_at INTEGER
) STRICT;
CREATE INDEX tokens_by_account ON tokens (account, created_at);

CREATE TABLE waiting_work (
  account TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  generation INTEGER NOT NULL,
  waiting INTEGER NOT NULL CHECK (waiting IN (0, 1))
) STRICT;
`,
};
