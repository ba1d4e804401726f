import type { Migration } from '../../files/migrate.ts';

/*
 * History that came with an export. `history.restored`: the entry can be read and not undone; what it changed is in
 * `restored_changes`, in the words in which people see it. `history.transfer`: the entry took back an export, and is not
 * exported itself. `record` is the id of an item, an action item, a goal or a highlight, `item` that of the item which it
 * belongs to. `before` and `after` are JSON.
 */
export const restoredHistory: Migration = {
  name: 'restored history',
  sql: `
ALTER TABLE history ADD COLUMN restored INTEGER NOT NULL DEFAULT 0 CHECK (restored IN (0, 1));
ALTER TABLE history ADD COLUMN transfer INTEGER NOT NULL DEFAULT 0 CHECK (transfer IN (0, 1));
CREATE INDEX history_by_time ON history (at);
CREATE INDEX history_made_here ON history (seq) WHERE restored = 0;
CREATE TABLE restored_changes (
  id INTEGER PRIMARY KEY,
  entry INTEGER NOT NULL REFERENCES history (seq) ON DELETE CASCADE,
  record TEXT NOT NULL,
  item TEXT,
  title TEXT,
  field TEXT NOT NULL,
  before TEXT NOT NULL,
  after TEXT NOT NULL
) STRICT;
CREATE INDEX restored_changes_by_entry ON restored_changes (entry);
CREATE INDEX restored_changes_by_record ON restored_changes (record, entry);
CREATE INDEX restored_changes_by_item ON restored_changes (item, entry) WHERE item IS NOT NULL;
`,
};
