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
    {
      name: 'pages fetched anew, sources',
      sql: `
      ALTER TABLE jobs ADD COLUMN refresh INTEGER NOT NULL DEFAULT 0 CHECK (refresh IN (0, 1));
      CREATE TABLE page_checks (
        item INTEGER PRIMARY KEY REFERENCES items (seq) ON DELETE CASCADE,
        etag TEXT,
        last_modified TEXT,
        checked_at INTEGER,
        changed_at INTEGER,
        failure_code TEXT,
        failure_message TEXT,
        versions TEXT,
        row_sum INTEGER AS (row_sum(concat_ws(char(31), item, etag, last_modified, checked_at, changed_at, failure_code,
          failure_message, versions))) STORED
      ) STRICT;
      CREATE TABLE sources (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL CHECK (kind IN ('feed', 'pages', 'folder', 'mailbox')),
        key TEXT NOT NULL UNIQUE,
        address TEXT NOT NULL,
        host TEXT,
        name TEXT NOT NULL,
        state TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'paused', 'gone', 'removed')),
        options TEXT NOT NULL,
        memory TEXT NOT NULL,
        every_ms INTEGER,
        due_at INTEGER CHECK ((due_at IS NOT NULL) = (state = 'active')),
        lease_token TEXT,
        checked_at INTEGER,
        changed_at INTEGER,
        failures INTEGER NOT NULL DEFAULT 0,
        failure_code TEXT,
        failure_message TEXT,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        row_sum INTEGER AS (row_sum(concat_ws(char(31), seq, id, kind, key, address, host, name, state, options, memory,
          every_ms, due_at, lease_token, checked_at, changed_at, failures, failure_code, failure_message, created_at,
          updated_at))) STORED
      ) STRICT;
      CREATE TABLE source_entries (
        source INTEGER NOT NULL REFERENCES sources (seq) ON DELETE CASCADE,
        key TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('item', 'headline', 'left')),
        item INTEGER REFERENCES items (seq) ON DELETE SET NULL,
        address TEXT,
        title TEXT,
        published_at INTEGER,
        fingerprint TEXT,
        seen_at INTEGER NOT NULL,
        row_sum INTEGER AS (row_sum(concat_ws(char(31), source, key, state, item, address, title, published_at, fingerprint,
          seen_at))) STORED,
        PRIMARY KEY (source, key)
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
