import type { Migration } from '../../files/migrate.ts';

/** What people allowed assistants, and the records of the authorization server, by the hash of their ids. */
export const oauth: Migration = {
  name: 'oauth',
  sql: `
CREATE TABLE oauth_grants (
  id TEXT PRIMARY KEY,
  account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  client_key BLOB NOT NULL,
  name TEXT NOT NULL,
  host TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;
CREATE INDEX oauth_grants_by_account ON oauth_grants (account);

CREATE TABLE oauth_records (
  kind TEXT NOT NULL,
  key BLOB NOT NULL,
  uid TEXT,
  grant_id TEXT,
  payload TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  consumed_at INTEGER,
  PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_records_by_uid ON oauth_records (uid) WHERE uid IS NOT NULL;
CREATE INDEX oauth_records_by_grant ON oauth_records (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX oauth_records_by_end ON oauth_records (expires_at);
`,
};
