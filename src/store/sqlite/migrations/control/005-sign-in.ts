import type { Migration } from '../../files/migrate.ts';

/** How people sign in, and what they let assistants do. Secrets and tokens are stored as SHA-256 hashes alone. */
export const signIn: Migration = {
  name: 'sign-in',
  sql: `
CREATE TABLE logins (
  account TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  folded TEXT NOT NULL UNIQUE,
  password_hash TEXT,
  changed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE sign_in_links (
  hash BLOB PRIMARY KEY,
  account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  purpose TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  hash BLOB NOT NULL UNIQUE,
  old_hash BLOB UNIQUE,
  secret_since INTEGER NOT NULL,
  browser TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_by_account ON sessions (account);

CREATE TABLE server_secrets (
  name TEXT PRIMARY KEY,
  secret TEXT NOT NULL
) STRICT;
`,
};
