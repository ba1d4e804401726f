import { readFileSync } from 'node:fs';
import type { Schema } from './files/migrate.ts';
import { withRowSums } from './files/row-sums.ts';
import { historyTriggers } from './history-triggers.ts';

/** Read when a file is made or checked, which few starts do. */
const read = (name: string): string => withRowSums(readFileSync(new URL(name, import.meta.url), 'utf8'));

/** Of `libraries` when the words of previews went. */
const libraryColumns =
  'one, removed_at, noted_at, noted_uptime, passed_ms, goals_version, settled_generation, recording, history_bytes, titles_given';

/** An account's file. */
export const accountSchema: Schema = {
  get sql() {
    return read('./schema.sql') + historyTriggers();
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
      `,
    },
    {
      name: 'pages fetched anew, sources',
      sql: `
      ALTER TABLE jobs ADD COLUMN refresh INTEGER NOT NULL DEFAULT 0 CHECK (refresh IN (0, 1));
      `,
    },
    {
      name: 'no words of previews',
      // A column that the checksum names cannot be dropped.
      sql: `
CREATE TEMP TABLE kept AS SELECT ${libraryColumns} FROM libraries;
DROP TABLE libraries;
CREATE TABLE libraries (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  removed_at INTEGER,
  noted_at INTEGER,
  noted_uptime INTEGER NOT NULL DEFAULT 0,
  passed_ms INTEGER NOT NULL DEFAULT 0,
  goals_version INTEGER NOT NULL DEFAULT 0,
  settled_generation INTEGER NOT NULL DEFAULT 0,
  recording INTEGER,
  history_bytes INTEGER NOT NULL DEFAULT 0,
  titles_given INTEGER NOT NULL DEFAULT 0,
  row_sum INTEGER AS (row_sum(concat_ws(char(31), ${libraryColumns}))) STORED
) STRICT;
INSERT INTO libraries (${libraryColumns}) SELECT ${libraryColumns} FROM kept;
DROP TABLE kept;
`,
    },
    {
      name: 'FTS5 merges segments by itself',
      sql: `
INSERT INTO passage_words (passage_words, rank) VALUES ('automerge', 4), ('crisismerge', 16), ('usermerge', 4);
INSERT INTO item_titles (item_titles, rank) VALUES ('automerge', 4), ('crisismerge', 16), ('usermerge', 4);
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
