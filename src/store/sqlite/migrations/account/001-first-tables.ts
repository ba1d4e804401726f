import type { Migration } from '../../files/migrate.ts';

/*
 * `seq` and the ids of documents and passages are AUTOINCREMENT so that no row is ever taken for a
 * deleted one. `content.updated_at` grows with every write that changes what is shown of the item, also by less than a
 * millisecond. Of a lease that runs out nothing is written: who compares states of an item adds its status. Times are milliseconds since the epoch, except those that arrive as ISO 8601 text.
 */
export const firstTables: Migration = {
  name: 'first tables',
  sql: `
CREATE TABLE file_state (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  removed_at INTEGER
) STRICT;
INSERT INTO file_state (one, removed_at) VALUES (1, NULL);

CREATE TABLE content (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  url TEXT NOT NULL,
  canonical_url TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'unfinished' CHECK (state IN ('unfinished', 'completed', 'failed')),
  content_type TEXT,
  passage_count INTEGER NOT NULL DEFAULT 0,
  visible_document INTEGER REFERENCES documents (id) ON DELETE SET NULL,
  duplicate_of TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  processed_at INTEGER,
  deleted_at INTEGER,
  notes TEXT,
  summary TEXT,
  analysis TEXT
) STRICT;
CREATE UNIQUE INDEX content_by_url ON content (canonical_url) WHERE deleted_at IS NULL;
CREATE INDEX content_newest ON content (deleted_at, created_at);
CREATE INDEX content_by_state ON content (deleted_at, state, created_at);
CREATE INDEX content_by_type ON content (deleted_at, content_type, created_at);
CREATE INDEX content_passages ON content (deleted_at, state, passage_count);
CREATE INDEX content_duplicates ON content (duplicate_of) WHERE duplicate_of IS NOT NULL;

CREATE TABLE content_tags (
  content INTEGER NOT NULL REFERENCES content (seq) ON DELETE CASCADE,
  folded TEXT NOT NULL,
  tag TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  PRIMARY KEY (content, folded)
) STRICT, WITHOUT ROWID;
CREATE INDEX content_tags_by_tag ON content_tags (folded, content);

CREATE TABLE jobs (
  content INTEGER PRIMARY KEY REFERENCES content (seq) ON DELETE CASCADE,
  id TEXT NOT NULL UNIQUE,
  stage TEXT NOT NULL CHECK (stage IN ('fetch', 'extract', 'split', 'embed', 'analyse')),
  state TEXT NOT NULL CHECK (state IN ('waiting', 'claimed', 'failed', 'done')),
  attempts INTEGER NOT NULL,
  due_at INTEGER CHECK ((due_at IS NULL) = (state IN ('failed', 'done'))),
  lease_token TEXT CHECK ((lease_token IS NULL) = (state <> 'claimed')),
  failure_code TEXT,
  failure_message TEXT,
  failure_retryable INTEGER
) STRICT;
CREATE INDEX jobs_due ON jobs (due_at, content) WHERE due_at IS NOT NULL;
CREATE INDEX jobs_leases ON jobs (due_at) WHERE state = 'claimed';

CREATE TABLE originals (
  content INTEGER NOT NULL REFERENCES content (seq) ON DELETE CASCADE,
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  final_url TEXT NOT NULL,
  media_type TEXT NOT NULL,
  declared_type TEXT,
  charset TEXT,
  fetched_at TEXT NOT NULL,
  given INTEGER NOT NULL CHECK (given IN (0, 1)),
  hash BLOB NOT NULL,
  packing TEXT NOT NULL CHECK (packing IN ('none', 'zstd')),
  bytes BLOB NOT NULL,
  PRIMARY KEY (content, name)
) STRICT;

CREATE TABLE documents (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  content INTEGER NOT NULL REFERENCES content (seq) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  content_type TEXT NOT NULL,
  title TEXT,
  author TEXT,
  site_name TEXT,
  published_at TEXT,
  language TEXT,
  canonical_url TEXT,
  duration_seconds REAL,
  page_count INTEGER,
  word_count INTEGER NOT NULL,
  warnings TEXT NOT NULL,
  text_hash BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  text TEXT NOT NULL,
  blocks TEXT NOT NULL,
  UNIQUE (content, version)
) STRICT;
CREATE INDEX documents_text_hash ON documents (text_hash);

CREATE TABLE addresses (
  address TEXT NOT NULL,
  content INTEGER NOT NULL REFERENCES content (seq) ON DELETE CASCADE,
  PRIMARY KEY (address, content)
) STRICT, WITHOUT ROWID;
CREATE INDEX addresses_by_content ON addresses (content);

CREATE TABLE passages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  document INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  content INTEGER NOT NULL REFERENCES content (seq) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  start_at INTEGER NOT NULL,
  end_at INTEGER NOT NULL,
  heading_path TEXT NOT NULL,
  locator TEXT NOT NULL,
  text TEXT NOT NULL,
  UNIQUE (document, ordinal)
) STRICT;
CREATE INDEX passages_by_content ON passages (content);

CREATE VIRTUAL TABLE passage_words USING fts5 (
  title, text,
  content = '', contentless_delete = 1, detail = full,
  tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"
);

CREATE TRIGGER passages_forget_words AFTER DELETE ON passages BEGIN
  DELETE FROM passage_words WHERE rowid = old.id;
END;

CREATE TABLE embedders (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  dimensions INTEGER NOT NULL
) STRICT;

CREATE TABLE vectors (
  passage INTEGER PRIMARY KEY REFERENCES passages (id) ON DELETE CASCADE,
  embedder INTEGER NOT NULL REFERENCES embedders (id),
  scale REAL NOT NULL,
  components BLOB NOT NULL
) STRICT;
CREATE INDEX vectors_by_embedder ON vectors (embedder, passage);

CREATE TABLE goals (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  category TEXT NOT NULL CHECK (category IN ('Health', 'Wealth', 'Relationships')),
  description TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX goals_newest ON goals (created_at);

CREATE TABLE insights (
  id INTEGER PRIMARY KEY,
  content INTEGER NOT NULL REFERENCES content (seq) ON DELETE CASCADE,
  document INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  text TEXT NOT NULL,
  quote TEXT,
  start_at INTEGER,
  end_at INTEGER,
  locator TEXT,
  url TEXT,
  UNIQUE (content, ordinal)
) STRICT;
CREATE INDEX insights_by_document ON insights (document);

CREATE TABLE actions (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  content INTEGER NOT NULL REFERENCES content (seq) ON DELETE CASCADE,
  document INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  goal TEXT REFERENCES goals (id) ON DELETE SET NULL,
  title TEXT NOT NULL,
  reason TEXT,
  quote TEXT,
  start_at INTEGER,
  end_at INTEGER,
  locator TEXT,
  url TEXT,
  state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'done', 'dismissed')),
  touched_at INTEGER,
  completed_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX actions_newest ON actions (created_at DESC, content DESC, seq);
CREATE INDEX actions_by_state ON actions (state, created_at DESC, content DESC, seq);
CREATE INDEX actions_by_content ON actions (content);
CREATE INDEX actions_by_goal ON actions (goal) WHERE goal IS NOT NULL;
CREATE INDEX actions_by_document ON actions (document);
`,
};
