import type { Migration } from './migration.ts';

/*
 * Everything that does not belong to one account, as in `control.db`. Tokens, links, sessions and grants are found by a
 * hash before anybody knows whose they are, so no row-level security can stand here. Where tables are distributed by
 * account, these stay on the coordinator. Times are milliseconds since the epoch. Secrets are stored as SHA-256 hashes.
 */
export const control: Migration = {
  name: 'accounts, tokens, sign-in and waiting work',
  sql: `
CREATE TABLE accounts (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  plan text NOT NULL CHECK (plan IN ('free', 'pro')),
  created_at bigint NOT NULL,
  removed_at bigint,
  removed_passed bigint,
  -- Rows of its library may be left.
  rows_due boolean NOT NULL DEFAULT false
);
CREATE INDEX accounts_hidden ON accounts (removed_at) WHERE removed_passed IS NOT NULL;
CREATE INDEX accounts_due ON accounts (id) WHERE rows_due;

CREATE TABLE control_state (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  noted_at bigint,
  noted_uptime bigint NOT NULL DEFAULT 0,
  passed_ms bigint NOT NULL DEFAULT 0
);
INSERT INTO control_state DEFAULT VALUES;

CREATE TABLE tokens (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name text NOT NULL,
  hash bytea NOT NULL UNIQUE,
  old_hash bytea UNIQUE,
  old_until bigint,
  scopes json NOT NULL,
  permissions json,
  requests_per_minute integer,
  created_at bigint NOT NULL,
  expires_at bigint,
  last_used_at bigint,
  last_network text,
  rotated_at bigint,
  revoked_at bigint,
  made_by text
);
CREATE INDEX tokens_by_account ON tokens (account_id, created_at);
CREATE INDEX tokens_by_maker ON tokens (made_by) WHERE made_by IS NOT NULL;

CREATE TABLE waiting_work (
  account_id text PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  generation bigint NOT NULL,
  waiting boolean NOT NULL
);
CREATE INDEX waiting_accounts ON waiting_work (account_id) WHERE waiting;

CREATE TABLE failed_items (
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  code text NOT NULL,
  items bigint NOT NULL,
  PRIMARY KEY (account_id, code)
);

CREATE TABLE usage (
  day text PRIMARY KEY,
  input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  cost_micros bigint NOT NULL
);

CREATE TABLE logins (
  account_id text PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  name text NOT NULL,
  folded text NOT NULL CONSTRAINT logins_by_name UNIQUE,
  password_hash text,
  changed_at bigint NOT NULL
);

CREATE TABLE sign_in_links (
  hash bytea PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  purpose text NOT NULL,
  expires_at bigint NOT NULL
);
CREATE INDEX sign_in_links_by_account ON sign_in_links (account_id);

CREATE TABLE sessions (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  hash bytea NOT NULL UNIQUE,
  old_hash bytea UNIQUE,
  secret_since bigint NOT NULL,
  browser text NOT NULL,
  created_at bigint NOT NULL,
  last_used_at bigint NOT NULL,
  expires_at bigint NOT NULL
);
CREATE INDEX sessions_by_account ON sessions (account_id);
CREATE INDEX sessions_by_end ON sessions (expires_at);

CREATE TABLE server_secrets (
  name text PRIMARY KEY,
  secret text NOT NULL
);

CREATE TABLE oauth_grants (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  client_key bytea NOT NULL,
  name text NOT NULL,
  host text NOT NULL,
  scopes json NOT NULL,
  created_at bigint NOT NULL,
  last_used_at bigint
);
CREATE INDEX oauth_grants_by_account ON oauth_grants (account_id);
CREATE INDEX oauth_grants_by_client ON oauth_grants (client_key);

CREATE TABLE oauth_records (
  kind text NOT NULL,
  key bytea NOT NULL,
  uid text,
  grant_id text,
  payload text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  consumed_at bigint,
  PRIMARY KEY (kind, key)
);
CREATE INDEX oauth_records_by_uid ON oauth_records (uid) WHERE uid IS NOT NULL;
CREATE INDEX oauth_records_by_grant ON oauth_records (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX oauth_records_by_end ON oauth_records (expires_at, kind);
`,
};
