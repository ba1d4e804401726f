import type { Migration } from '../../files/migrate.ts';

/*
 * How much time has certainly passed, whatever the clock says (`account-time.ts`). Deleted items are removed for good by that time:
 * `deleted_passed` is what had passed when an item was deleted. What was deleted before can be restored for thirty days from now on.
 */
export const passedTime: Migration = {
  name: 'passed time',
  sql: `
ALTER TABLE file_state ADD COLUMN noted_at INTEGER;
ALTER TABLE file_state ADD COLUMN noted_uptime INTEGER NOT NULL DEFAULT 0;
ALTER TABLE file_state ADD COLUMN passed_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE content ADD COLUMN deleted_passed INTEGER;
UPDATE content SET deleted_passed = 0 WHERE deleted_at IS NOT NULL;
CREATE INDEX content_deleted_passed ON content (deleted_passed) WHERE deleted_passed IS NOT NULL;
`,
};
