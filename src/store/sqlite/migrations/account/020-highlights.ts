import type { Migration } from '../../files/migrate.ts';

/*
 * A highlight has the place in `document` where its words were found; `start_at` is null when they are not in that text. An
 * imported highlight that was deleted stays as a row without words, so that the next import does not bring it back. An
 * import does not change a highlight that was changed here (`touched_at`). `place_due`: the item has another text since
 * the words were looked for. `passages.marks` is a JSON list of what the highlights of a passage say beyond its text: a
 * search for these words finds the passage, too.
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
