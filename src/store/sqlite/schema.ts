import { readFileSync } from 'node:fs';
import type { Schema } from './files/migrate.ts';

/** Read when a file is made or checked, which few starts do. */
const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** An account's file. */
export const accountSchema: Schema = {
  get sql() {
    return read('./schema.sql');
  },
  migrations: [
    {
      name: 'shelves, lists, proposed tags, priorities',
      sql: `
      ALTER TABLE items ADD COLUMN shelf TEXT NOT NULL DEFAULT 'inbox' CHECK (shelf IN ('inbox', 'later', 'archive'));
      ALTER TABLE items ADD COLUMN read_at INTEGER;
      ALTER TABLE items ADD COLUMN reading_start INTEGER;
      ALTER TABLE items ADD COLUMN reading_share REAL;
      UPDATE items SET shelf = CASE
        WHEN EXISTS (SELECT 1 FROM item_tags t WHERE t.item = items.seq AND t.folded = 'unread') THEN 'inbox'
        WHEN EXISTS (SELECT 1 FROM item_tags t WHERE t.item = items.seq AND t.folded = 'later') THEN 'later'
        ELSE 'archive' END;
      ALTER TABLE actions ADD COLUMN priority TEXT NOT NULL DEFAULT 'normal'
        CHECK (priority IN ('high', 'normal', 'low'));
      ALTER TABLE actions ADD COLUMN snoozed_until TEXT;
      CREATE TABLE lists (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        folded TEXT NOT NULL UNIQUE,
        icon TEXT,
        query TEXT,
        ordinal INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        row_sum INTEGER AS (row_sum(concat_ws(char(31), seq, id, name, folded, icon, query, ordinal, created_at,
          updated_at))) STORED
      ) STRICT;
      CREATE TABLE list_items (
        list INTEGER NOT NULL REFERENCES lists (seq) ON DELETE CASCADE,
        item INTEGER NOT NULL REFERENCES items (seq) ON DELETE CASCADE,
        ordinal INTEGER NOT NULL,
        added_at INTEGER NOT NULL,
        row_sum INTEGER AS (row_sum(concat_ws(char(31), list, item, ordinal, added_at))) STORED,
        PRIMARY KEY (list, item)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE tag_proposals (
        item INTEGER NOT NULL REFERENCES items (seq) ON DELETE CASCADE,
        folded TEXT NOT NULL,
        tag TEXT NOT NULL,
        reason TEXT NOT NULL,
        score REAL NOT NULL,
        state TEXT NOT NULL DEFAULT 'proposed' CHECK (state IN ('proposed', 'confirmed', 'rejected')),
        decided_at INTEGER,
        row_sum INTEGER AS (row_sum(concat_ws(char(31), item, folded, tag, reason, state, decided_at), score)) STORED,
        PRIMARY KEY (item, folded)
      ) STRICT, WITHOUT ROWID;
      `,
    },
  ],
};

/** `control.db`. */
export const controlSchema: Schema = {
  get sql() {
    return read('./control.sql');
  },
  migrations: [{ name: 'tokens held to lists and tags', sql: 'ALTER TABLE tokens ADD COLUMN held_to TEXT' }],
};
