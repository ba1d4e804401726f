import type { Migration } from '../../files/migrate.ts';

/* Requests that carried an idempotency key, and their answers. Without an answer: under way since `began_at`. */
export const requestsAnswered: Migration = {
  name: 'requests answered',
  sql: `
CREATE TABLE requests_answered (
  key TEXT PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  began_at INTEGER NOT NULL,
  answer TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX requests_answered_began ON requests_answered (began_at);
`,
};
