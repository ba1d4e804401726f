import type { Migration } from '../../files/migrate.ts';

/** `given_title` is the title that a person gave; it stands before the document's. */
export const mendedRecords: Migration = {
  name: 'mended records',
  sql: `
ALTER TABLE content ADD COLUMN given_title TEXT;
CREATE INDEX content_deleted ON content (deleted_at) WHERE deleted_at IS NOT NULL;
ALTER TABLE goals ADD COLUMN archived_at INTEGER;
`,
};
