import type { Migration } from '../../files/migrate.ts';

/**
 * Keys: tokens with permissions of their own. `permissions` is null in a token, whose scopes say what it may do. After a rotation
 * `old_hash` works until `old_until`. `last_network` is a part of an address, never a whole one. `made_by` is the key that made it.
 */
export const keys: Migration = {
  name: 'keys',
  sql: `
ALTER TABLE tokens ADD COLUMN permissions TEXT;
ALTER TABLE tokens ADD COLUMN requests_per_minute INTEGER;
ALTER TABLE tokens ADD COLUMN rotated_at INTEGER;
ALTER TABLE tokens ADD COLUMN old_hash BLOB;
ALTER TABLE tokens ADD COLUMN old_until INTEGER;
ALTER TABLE tokens ADD COLUMN last_network TEXT;
ALTER TABLE tokens ADD COLUMN made_by TEXT;
CREATE UNIQUE INDEX tokens_by_old_hash ON tokens (old_hash) WHERE old_hash IS NOT NULL;
CREATE INDEX tokens_by_maker ON tokens (made_by) WHERE made_by IS NOT NULL;
`,
};
