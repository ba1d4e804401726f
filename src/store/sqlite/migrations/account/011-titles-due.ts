import type { Migration } from '../../files/migrate.ts';

/*
 * The titles of `item_titles` were written by triggers, each as a segment of its index of its own. Now triggers only say whose title
 * may have changed, and the end of the transaction writes all of them at once (`item-titles.ts`); outside one the table is empty.
 */
export const titlesDue: Migration = {
  name: 'titles due',
  sql: `
DROP TRIGGER content_shows_title;
DROP TRIGGER content_forgets_title;

CREATE TABLE titles_due (content INTEGER PRIMARY KEY) STRICT;
CREATE TRIGGER content_title_changes AFTER UPDATE OF visible_document, given_title, deleted_at ON content
WHEN old.visible_document IS NOT new.visible_document OR old.given_title IS NOT new.given_title
  OR old.deleted_at IS NOT new.deleted_at
BEGIN
  INSERT INTO titles_due (content) VALUES (new.seq) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER content_title_goes AFTER DELETE ON content BEGIN
  INSERT INTO titles_due (content) VALUES (old.seq) ON CONFLICT DO NOTHING;
END;
`,
};
