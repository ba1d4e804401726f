import type { Migration } from '../../files/migrate.ts';

/*
 * What suggestions are made of. `item_titles` holds the shown title of every item that is not deleted, by its words; triggers keep
 * it, so that no write has to think of it. `past_queries` are the account's own questions, each once, in its last spelling.
 */
const shownTitle = `SELECT c.seq, coalesce(c.given_title, d.title) FROM content c LEFT JOIN documents d ON d.id = c.visible_document
    WHERE c.deleted_at IS NULL AND coalesce(c.given_title, d.title) IS NOT NULL`;

export const suggestions: Migration = {
  name: 'suggestions',
  sql: `
CREATE VIRTUAL TABLE item_titles USING fts5 (
  title, prefix = '1 2 3', columnsize = 0, tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"
);
INSERT INTO item_titles (rowid, title) ${shownTitle};

CREATE TRIGGER content_shows_title AFTER UPDATE OF visible_document, given_title, deleted_at ON content BEGIN
  DELETE FROM item_titles WHERE rowid = new.seq;
  INSERT INTO item_titles (rowid, title) ${shownTitle} AND c.seq = new.seq;
END;
CREATE TRIGGER content_forgets_title AFTER DELETE ON content BEGIN
  DELETE FROM item_titles WHERE rowid = old.seq;
END;

CREATE TABLE past_queries (
  folded TEXT PRIMARY KEY,
  text TEXT NOT NULL,
  times INTEGER NOT NULL,
  asked_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX past_queries_newest ON past_queries (asked_at);
`,
};
