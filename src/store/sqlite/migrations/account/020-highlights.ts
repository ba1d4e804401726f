import type { Migration } from '../../files/migrate.ts';

/*
 * Highlights stand where their words were found in `document`; `start_at` is null when that text does not have them. An
 * imported highlight that was deleted stays as a row without words, so that the next import does not bring it back, and
 * one that was changed here (`touched_at`) is not changed by an import. `place_due`: the text of the item is another one
 * than when it was looked for. `passages.marks` holds what the highlights of a passage say beyond its text, as a list in
 * JSON: by these words the passage is found, too.
 */
export const highlights: Migration = {
  name: 'highlights',
  sql: `
CREATE TABLE highlights (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  content INTEGER NOT NULL REFERENCES content (seq) ON DELETE CASCADE,
  source TEXT,
  quote TEXT NOT NULL,
  note TEXT,
  colour TEXT,
  document INTEGER REFERENCES documents (id) ON DELETE SET NULL,
  start_at INTEGER,
  end_at INTEGER,
  locator TEXT,
  url TEXT,
  place_due INTEGER NOT NULL DEFAULT 0 CHECK (place_due IN (0, 1)),
  touched_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
) STRICT;
CREATE UNIQUE INDEX highlights_by_source ON highlights (content, source) WHERE source IS NOT NULL;
CREATE INDEX highlights_by_content ON highlights (content, start_at, seq) WHERE deleted_at IS NULL;
CREATE INDEX highlights_newest ON highlights (created_at DESC, seq DESC) WHERE deleted_at IS NULL;
CREATE INDEX highlights_by_document ON highlights (document) WHERE document IS NOT NULL;
CREATE INDEX highlights_due ON highlights (content) WHERE place_due = 1;
ALTER TABLE passages ADD COLUMN marks TEXT;
`,
};
