import type { Migration } from '../../files/migrate.ts';

/*
 * Work that nobody waits for (a whole library processed again) gives way to what a person has just saved. Documents of
 * which nothing is left are removed now, which asks who shows them.
 */
export const backgroundJobs: Migration = {
  name: 'background jobs',
  sql: `
ALTER TABLE jobs ADD COLUMN background INTEGER NOT NULL DEFAULT 0 CHECK (background IN (0, 1));
DROP INDEX jobs_due;
CREATE INDEX jobs_due ON jobs (background, due_at, content) WHERE due_at IS NOT NULL;
CREATE INDEX content_by_visible_document ON content (visible_document) WHERE visible_document IS NOT NULL;
`,
};
