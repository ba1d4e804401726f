/*
 * What belongs to no account of a data folder, or is asked before anybody knows whose it is: the file `control.db`. A new
 * file is made by these statements as they stand; a file that is already there gets the migrations of `schema.ts`.
 * PostgreSQL has the same tables and columns (`store/postgres/schema.sql`).
 *
 * Times are milliseconds since the epoch. Secrets and tokens are stored as SHA-256 hashes alone. `row_sum` as in
 * `schema.sql`.
 */

-- The state of this file, in one row: the time that has certainly passed (`store/passed-time.ts`), and whether freed
-- pages may still hold what was removed (`compact_due`).
CREATE TABLE control_state (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  noted_at INTEGER,
  noted_uptime INTEGER NOT NULL DEFAULT 0,
  passed_ms INTEGER NOT NULL DEFAULT 0,
  compact_due INTEGER NOT NULL DEFAULT 0 CHECK (compact_due IN (0, 1)),
  row_sum INTEGER AS (row_sum()) STORED
) STRICT;
INSERT INTO control_state (one) VALUES (1);

-- Accounts. A removed one is hidden for a while, since `removed_passed` (how much time had passed then), and can be
-- brought back. Once it is removed for good, that is null, and the row stays without a name. `file_made`: the account's
-- file was made, so it is missing when it is not there.
CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  plan TEXT NOT NULL CHECK (plan IN ('free', 'pro')),
  created_at INTEGER NOT NULL,
  removed_at INTEGER,
  removed_passed INTEGER,
  file_made INTEGER NOT NULL DEFAULT 0 CHECK (file_made IN (0, 1)),
  row_sum INTEGER AS (row_sum()) STORED
) STRICT;

-- Tokens, and keys: tokens with permissions of their own. `permissions` is null in a token, whose scopes say what it may
-- do. After a rotation `old_hash` works until `old_until`. `last_network` is a part of an address, never a whole one.
-- `made_by` is the key that made it. `held_to`: JSON, the lists and tags that it is held to; null: it sees everything.
CREATE TABLE tokens (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  hash BLOB NOT NULL UNIQUE,
  old_hash BLOB,
  old_until INTEGER,
  scopes TEXT NOT NULL,
  permissions TEXT,
  requests_per_minute INTEGER,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  last_used_at INTEGER,
  last_network TEXT,
  rotated_at INTEGER,
  revoked_at INTEGER,
  made_by TEXT,
  held_to TEXT,
  row_sum INTEGER AS (row_sum()) STORED
) STRICT;
CREATE UNIQUE INDEX tokens_by_old_hash ON tokens (old_hash) WHERE old_hash IS NOT NULL;
CREATE INDEX tokens_by_account ON tokens (account_id, created_at);
CREATE INDEX tokens_by_maker ON tokens (made_by) WHERE made_by IS NOT NULL;

-- Accounts whose library may have work. It is announced before it is written, and cleared only if no other announcement
-- came meanwhile (`generation`): the two files never commit together.
CREATE TABLE waiting_work (
  account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  generation INTEGER NOT NULL,
  waiting INTEGER NOT NULL CHECK (waiting IN (0, 1)),
  row_sum INTEGER AS (row_sum()) STORED
) STRICT;

-- How many items of each account have failed, by code: counted whenever an account's queue becomes empty.
CREATE TABLE failed_items (
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  code TEXT NOT NULL,
  items INTEGER NOT NULL,
  row_sum INTEGER AS (row_sum()) STORED,
  PRIMARY KEY (account_id, code)
) STRICT, WITHOUT ROWID;

-- What language models were paid, by UTC day: budgets are for all accounts together.
CREATE TABLE usage (
  day TEXT PRIMARY KEY,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  cost_micros INTEGER NOT NULL,
  row_sum INTEGER AS (row_sum()) STORED
) STRICT;

-- How people sign in. `folded`: the name without regard to case.
CREATE TABLE logins (
  account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  folded TEXT NOT NULL UNIQUE,
  password_hash TEXT,
  changed_at INTEGER NOT NULL,
  row_sum INTEGER AS (row_sum()) STORED
) STRICT;

-- Links that let a person sign in once, to choose a password or without one.
CREATE TABLE sign_in_links (
  hash BLOB PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  purpose TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  row_sum INTEGER AS (row_sum()) STORED
) STRICT, WITHOUT ROWID;

-- Browsers that are signed in. The secret in a cookie is replaced from time to time; the old one works a little longer.
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  hash BLOB NOT NULL UNIQUE,
  old_hash BLOB UNIQUE,
  secret_since INTEGER NOT NULL,
  browser TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  row_sum INTEGER AS (row_sum()) STORED
) STRICT;
CREATE INDEX sessions_by_account ON sessions (account_id);

-- Secrets of the server itself, such as the keys with which it signs.
CREATE TABLE server_secrets (
  name TEXT PRIMARY KEY,
  secret TEXT NOT NULL,
  row_sum INTEGER AS (row_sum()) STORED
) STRICT;

-- What people allowed assistants.
CREATE TABLE oauth_grants (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  client_key BLOB NOT NULL,
  name TEXT NOT NULL,
  host TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  row_sum INTEGER AS (row_sum()) STORED
) STRICT;
CREATE INDEX oauth_grants_by_account ON oauth_grants (account_id);

-- Records of the authorization server, by the hashes of their ids.
CREATE TABLE oauth_records (
  kind TEXT NOT NULL,
  key BLOB NOT NULL,
  uid TEXT,
  grant_id TEXT,
  payload TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  consumed_at INTEGER,
  row_sum INTEGER AS (row_sum()) STORED,
  PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_records_by_uid ON oauth_records (uid) WHERE uid IS NOT NULL;
CREATE INDEX oauth_records_by_grant ON oauth_records (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX oauth_records_by_end ON oauth_records (expires_at);
