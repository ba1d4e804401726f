import { readFileSync } from 'node:fs';
import type { Migration, Schema } from './files/migrate.ts';

/** Read when a file is made or checked, which few starts do. */
const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

const markItem = (seq: string): string => `BEGIN UPDATE items SET tasks_due = 1 WHERE seq = ${seq}; END;`;

/** In order. Only append: an entry that was released never changes. */
const accountMigrations: readonly Migration[] = [
  {
    name: 'cards',
    sql: `
ALTER TABLE passages ALTER COLUMN document DROP NOT NULL;
CREATE INDEX passages_cards ON passages (id) WHERE document IS NULL;
DROP TRIGGER items_title_changes;
DROP TRIGGER items_title_goes;
DROP TABLE titles_due;
CREATE TABLE items_due (
  item INTEGER PRIMARY KEY,
  about INTEGER NOT NULL DEFAULT 0 CHECK (about IN (0, 1)),
  row_sum INTEGER AS (row_sum(concat_ws(char(31), item, about))) STORED
) STRICT;
CREATE TRIGGER items_come AFTER INSERT ON items BEGIN
  INSERT INTO items_due (item, about) VALUES (new.seq, 1) ON CONFLICT DO UPDATE SET about = 1 WHERE about = 0;
END;
CREATE TRIGGER items_go AFTER DELETE ON items BEGIN
  INSERT INTO items_due (item, about) VALUES (old.seq, 0) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER items_title_changes AFTER UPDATE OF visible_document, deleted_at ON items
WHEN old.visible_document IS NOT new.visible_document OR old.deleted_at IS NOT new.deleted_at
BEGIN
  INSERT INTO items_due (item, about) VALUES (new.seq, 0) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER items_card_changes AFTER UPDATE OF given_title, known, notes, url ON items
WHEN old.given_title IS NOT new.given_title OR old.known IS NOT new.known OR old.notes IS NOT new.notes
  OR old.url IS NOT new.url
BEGIN
  INSERT INTO items_due (item, about) VALUES (new.seq, 1) ON CONFLICT DO UPDATE SET about = 1 WHERE about = 0;
END;
CREATE TRIGGER item_tags_come AFTER INSERT ON item_tags BEGIN
  INSERT INTO items_due (item, about) VALUES (new.item, 1) ON CONFLICT DO UPDATE SET about = 1 WHERE about = 0;
END;
CREATE TRIGGER item_tags_change AFTER UPDATE OF tag ON item_tags WHEN old.tag IS NOT new.tag BEGIN
  INSERT INTO items_due (item, about) VALUES (new.item, 1) ON CONFLICT DO UPDATE SET about = 1 WHERE about = 0;
END;
CREATE TRIGGER item_tags_go AFTER DELETE ON item_tags BEGIN
  INSERT INTO items_due (item, about) VALUES (old.item, 1) ON CONFLICT DO UPDATE SET about = 1 WHERE about = 0;
END;
INSERT INTO passages (item, ordinal, start_at, end_at, heading_path, locator, text)
  SELECT seq, 0, 0, 0, '[]', '', '' FROM items WHERE passage_count = 0;
UPDATE libraries SET older_words = coalesce((SELECT max(id) FROM passages), 0);
`,
  },
  {
    name: 'tasks in notes',
    sql: `
ALTER TABLE items ADD COLUMN tasks_due INTEGER NOT NULL DEFAULT 0 CHECK (tasks_due IN (0, 1));
CREATE INDEX items_tasks_due ON items (seq) WHERE tasks_due = 1;
CREATE TRIGGER items_noted AFTER INSERT ON items WHEN new.notes IS NOT NULL ${markItem('new.seq')}
CREATE TRIGGER items_notes_changed AFTER UPDATE OF notes ON items WHEN new.notes IS NOT old.notes ${markItem('new.seq')}
CREATE TRIGGER highlights_noted AFTER INSERT ON highlights WHEN new.note IS NOT NULL ${markItem('new.item')}
CREATE TRIGGER highlights_notes_changed AFTER UPDATE OF note, deleted_at ON highlights
  WHEN new.note IS NOT old.note OR (new.note IS NOT NULL AND new.deleted_at IS NOT old.deleted_at) ${markItem('new.item')}
`,
  },
];

/** An account's file. */
export const accountSchema: Schema = {
  get sql() {
    return read('./schema.sql');
  },
  migrations: accountMigrations,
};

/** `control.db`. */
export const controlSchema: Schema = {
  get sql() {
    return read('./control.sql');
  },
  migrations: [],
};
