/*
 * One account's library: the file `accounts/<id>.db` of a data folder. A new file is made by these statements as they
 * stand; a file that is already there gets the migrations of `schema.ts`. PostgreSQL has the same tables and columns
 * (`store/postgres/schema.sql`), each with an `account_id`.
 *
 * Times are milliseconds since the epoch; the few that come from elsewhere are ISO 8601 text. JSON is stored as text.
 * Offsets count UTF-16 units of a document's text. Ids that people see (`id TEXT`) are never used again; neither are
 * the keys declared AUTOINCREMENT, so that a row is never taken for a deleted one.
 *
 * `row_sum` is a checksum of the row's other columns but the bytes of originals (`files/row-sums.ts`, which fills in the
 * columns): `doctor` finds rows that have changed by themselves. A new column goes last before it.
 */

-- The state of this file, in one row. `removed_at`: the account was removed, so nothing is written any more.
-- `noted_at`, `noted_uptime`, `passed_ms`: the time that has certainly passed (`store/passed-time.ts`).
-- `goals_version` counts changes of goals. `settled_generation`: the last announcement in `control.db` for which a
-- worker found nothing to do. `recording`: the history entry that is being written; `history_bytes`: size of all
-- entries. `titles_given` counts passages indexed under another title.
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
  row_sum INTEGER AS (row_sum()) STORED
) STRICT;
INSERT INTO libraries (one) VALUES (1);

-- What was saved. `state` is about the job, `visible_document` the version of the text that is shown and searched.
-- `given_title`: a title that a person gave; it comes before the document's. `known`: what was learned of an item
-- that could not be read. `updated_at` grows with every write that changes what is shown of the item.
-- `deleted_passed`: how much time had passed when the item was put into the trash. `undone`: saving it was undone.
-- `tasks_due`: a note on the item or on one of its highlights was written, and its tasks are to be found.
-- `shelf`: where a person keeps it; `read_at`: when they had read it. Reading stopped in the passage at the offset
-- `reading_start` of the visible text, after the share `reading_share` (0 to 1) of it.
CREATE TABLE items (
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
  deleted_passed INTEGER,
  undone INTEGER NOT NULL DEFAULT 0 CHECK (undone IN (0, 1)),
  given_title TEXT,
  known TEXT,
  notes TEXT,
  summary TEXT,
  analysis TEXT,
  tasks_due INTEGER NOT NULL DEFAULT 0 CHECK (tasks_due IN (0, 1)),
  shelf TEXT NOT NULL DEFAULT 'inbox' CHECK (shelf IN ('inbox', 'later', 'archive')),
  read_at INTEGER,
  reading_start INTEGER,
  reading_share REAL,
  row_sum INTEGER AS (row_sum()) STORED
) STRICT;
CREATE UNIQUE INDEX items_by_url ON items (canonical_url) WHERE deleted_at IS NULL;
CREATE INDEX items_deleted_by_url ON items (canonical_url) WHERE deleted_passed IS NOT NULL;
CREATE INDEX items_newest ON items (deleted_at, created_at);
CREATE INDEX items_by_state ON items (deleted_at, state, created_at);
CREATE INDEX items_by_type ON items (deleted_at, content_type, created_at);
CREATE INDEX items_by_passages ON items (deleted_at, state, passage_count);
CREATE INDEX items_by_document ON items (visible_document) WHERE visible_document IS NOT NULL;
CREATE INDEX items_deleted ON items (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX items_deleted_passed ON items (deleted_passed) WHERE deleted_passed IS NOT NULL;
CREATE INDEX items_duplicates ON items (duplicate_of) WHERE duplicate_of IS NOT NULL;
CREATE INDEX items_tasks_due ON items (seq) WHERE tasks_due = 1;
CREATE INDEX items_by_shelf ON items (deleted_at, shelf, created_at, read_at);
CREATE TRIGGER items_noted AFTER INSERT ON items WHEN new.notes IS NOT NULL BEGIN
  UPDATE items SET tasks_due = 1 WHERE seq = new.seq;
END;
CREATE TRIGGER items_notes_changed AFTER UPDATE OF notes ON items WHEN new.notes IS NOT old.notes BEGIN
  UPDATE items SET tasks_due = 1 WHERE seq = new.seq;
END;

-- The tags of an item. `folded`: the tag without regard to case.
CREATE TABLE item_tags (
  item INTEGER NOT NULL REFERENCES items (seq) ON DELETE CASCADE,
  folded TEXT NOT NULL,
  tag TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  row_sum INTEGER AS (row_sum()) STORED,
  PRIMARY KEY (item, folded)
) STRICT, WITHOUT ROWID;
CREATE INDEX item_tags_by_tag ON item_tags (folded, item);

-- Lists of items. `query`: the items are those that it finds, newest first; null: those in `list_items`. `folded`: the
-- name without regard to case. `ordinal` orders the lists.
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
  row_sum INTEGER AS (row_sum()) STORED
) STRICT;

-- The items that a person put into a list, in their order.
CREATE TABLE list_items (
  list INTEGER NOT NULL REFERENCES lists (seq) ON DELETE CASCADE,
  item INTEGER NOT NULL REFERENCES items (seq) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  added_at INTEGER NOT NULL,
  row_sum INTEGER AS (row_sum()) STORED,
  PRIMARY KEY (list, item)
) STRICT, WITHOUT ROWID;
CREATE INDEX list_items_in_order ON list_items (list, ordinal);
CREATE INDEX list_items_by_item ON list_items (item);

-- Tags that were proposed for an item, and what the person said of them. `score` is between 0 and 1, `reason` is shown.
CREATE TABLE tag_proposals (
  item INTEGER NOT NULL REFERENCES items (seq) ON DELETE CASCADE,
  folded TEXT NOT NULL,
  tag TEXT NOT NULL,
  reason TEXT NOT NULL,
  score REAL NOT NULL,
  state TEXT NOT NULL DEFAULT 'proposed' CHECK (state IN ('proposed', 'confirmed', 'rejected')),
  decided_at INTEGER,
  row_sum INTEGER AS (row_sum()) STORED,
  PRIMARY KEY (item, folded)
) STRICT, WITHOUT ROWID;
CREATE INDEX tag_proposals_decided ON tag_proposals (decided_at) WHERE decided_at IS NOT NULL;

-- The queue: one job per item, with the stage that comes next. `due_at`: when a waiting job may be claimed, or when a
-- claimed one's lease ends. `host` is known once the job has to fetch something; `background`: nobody waits for it.
-- Jobs are claimed by kind of work: what fetches an item, what makes it findable, and what improves it. `refresh`: the
-- page of a finished item is fetched anew; when that fails, the item stays as it was (`page_checks`).
CREATE TABLE jobs (
  item INTEGER PRIMARY KEY REFERENCES items (seq) ON DELETE CASCADE,
  id TEXT NOT NULL UNIQUE,
  stage TEXT NOT NULL CHECK (stage IN ('fetch', 'extract', 'split', 'embed', 'analyse')),
  state TEXT NOT NULL CHECK (state IN ('waiting', 'claimed', 'failed', 'done')),
  attempts INTEGER NOT NULL,
  due_at INTEGER CHECK ((due_at IS NULL) = (state IN ('failed', 'done'))),
  lease_token TEXT CHECK ((lease_token IS NULL) = (state <> 'claimed')),
  background INTEGER NOT NULL DEFAULT 0 CHECK (background IN (0, 1)),
  host TEXT,
  failure_code TEXT,
  failure_message TEXT,
  failure_retryable INTEGER,
  refresh INTEGER NOT NULL DEFAULT 0 CHECK (refresh IN (0, 1)),
  row_sum INTEGER AS (row_sum()) STORED
) STRICT;
CREATE INDEX jobs_leases ON jobs (due_at) WHERE state = 'claimed';
CREATE INDEX jobs_due ON jobs (background,
  (CASE stage WHEN 'fetch' THEN 'fetch' WHEN 'extract' THEN 'read' WHEN 'split' THEN 'read' ELSE 'enrich' END),
  due_at, item, host) WHERE due_at IS NOT NULL;
CREATE INDEX jobs_newest ON jobs (background,
  (CASE stage WHEN 'fetch' THEN 'fetch' WHEN 'extract' THEN 'read' WHEN 'split' THEN 'read' ELSE 'enrich' END),
  item, due_at, host) WHERE due_at IS NOT NULL;

-- When the page of an item was last compared with what is stored of it, and what it said. `etag` and `last_modified`
-- ask for the page only if it has changed since. `failure_code`: the last check found it gone, or behind a login.
-- `versions`: JSON, the documents that stay beside the visible one (`KeptDocuments`).
CREATE TABLE page_checks (
  item INTEGER PRIMARY KEY REFERENCES items (seq) ON DELETE CASCADE,
  etag TEXT,
  last_modified TEXT,
  checked_at INTEGER,
  changed_at INTEGER,
  failure_code TEXT,
  failure_message TEXT,
  versions TEXT,
  row_sum INTEGER AS (row_sum()) STORED
) STRICT;

-- Where new items come from by themselves: feeds, pages that are fetched anew, folders, mailboxes. `address`: of the
-- feed or the mailbox, the path of the folder, or the query that finds the pages; `key` is its SHA-256 with the kind.
-- `options`: JSON, what the person chose; `memory`: JSON, what the last check learnt for the next one. `every_ms`: how
-- often it is checked; null: as often as it changes. `due_at`: when it may be checked, or when the lease of the check
-- that runs ends; null: it is not `active`. `failures`: how many checks have failed since the last that did not.
-- A removed source stays with its entries as long as undo may bring it back.
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
  row_sum INTEGER AS (row_sum()) STORED
) STRICT;
CREATE INDEX sources_due ON sources (due_at) WHERE due_at IS NOT NULL;

-- What a source offered: entries of a feed, files of a folder, letters. `key` names an entry within its source, in at
-- most 200 characters. `state`: it is an item, or a headline until somebody opens it, or it was left out. `fingerprint`
-- tells whether it has changed since. `item` is null when there is none, or it is gone for good.
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
  row_sum INTEGER AS (row_sum()) STORED,
  PRIMARY KEY (source, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX source_entries_by_item ON source_entries (item) WHERE item IS NOT NULL;
CREATE INDEX source_entries_by_state ON source_entries (source, state, seen_at);

-- What an item was made from, as it was fetched or given: a page, a file. `name` is '' for the item itself, else that
-- of a companion, such as captions. `hash`: SHA-256 of the unpacked bytes.
CREATE TABLE originals (
  item INTEGER NOT NULL REFERENCES items (seq) ON DELETE CASCADE,
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  final_url TEXT NOT NULL,
  declared_type TEXT,
  fetched_at TEXT NOT NULL,
  given INTEGER NOT NULL CHECK (given IN (0, 1)),
  hash BLOB NOT NULL,
  packing TEXT NOT NULL CHECK (packing IN ('none', 'zstd')),
  bytes BLOB NOT NULL,
  row_sum INTEGER AS (row_sum()) STORED,
  PRIMARY KEY (item, name)
) STRICT;

-- Versions of an item's text.
CREATE TABLE documents (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  item INTEGER NOT NULL REFERENCES items (seq) ON DELETE CASCADE,
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
  row_sum INTEGER AS (row_sum()) STORED,
  UNIQUE (item, version)
) STRICT;
CREATE INDEX documents_by_text ON documents (text_hash);
-- Which texts have pictures, in Markdown. A list of them would otherwise read all texts.
CREATE INDEX documents_with_pictures ON documents (id) WHERE instr(text, '![') > 0;
-- Every search reads all names of authors and sites. In an index they lie side by side.
CREATE INDEX documents_by_author ON documents (author) WHERE author <> '';
CREATE INDEX documents_by_site_name ON documents (site_name) WHERE site_name <> '';

-- Further addresses that lead to an item: where it was redirected to, and the canonical one that its page names.
CREATE TABLE addresses (
  address TEXT NOT NULL,
  item INTEGER NOT NULL REFERENCES items (seq) ON DELETE CASCADE,
  row_sum INTEGER AS (row_sum()) STORED,
  PRIMARY KEY (address, item)
) STRICT, WITHOUT ROWID;
CREATE INDEX addresses_by_item ON addresses (item);

-- The fingerprint of each item's visible text. Its bits are also in 16 bands of two bytes: texts that differ in few
-- bits share at least one band, so the near duplicates of a text are a few lookups.
CREATE TABLE fingerprints (
  item INTEGER PRIMARY KEY REFERENCES items (seq) ON DELETE CASCADE,
  hash BLOB NOT NULL,
  row_sum INTEGER AS (row_sum()) STORED
) STRICT;

-- See `fingerprints`.
CREATE TABLE fingerprint_bands (
  band INTEGER NOT NULL,
  value INTEGER NOT NULL,
  item INTEGER NOT NULL REFERENCES fingerprints (item) ON DELETE CASCADE,
  row_sum INTEGER AS (row_sum()) STORED,
  PRIMARY KEY (band, value, item)
) STRICT, WITHOUT ROWID;
CREATE INDEX fingerprint_bands_by_item ON fingerprint_bands (item);

-- The pieces of the visible document that searches find. `fragment`: what follows `:~:text=` in a link to the whole
-- passage; '' when there is no such link, null when it was not computed. `marks`: a JSON list of what highlights of
-- the passage say beyond its text, which is searched as well.
-- An item without passages has one row without a document and text, its card: words find it by its title, address, tags
-- and notes (`items/indexed-words.ts`).
CREATE TABLE passages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  document INTEGER REFERENCES documents (id) ON DELETE CASCADE,
  item INTEGER NOT NULL REFERENCES items (seq) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  start_at INTEGER NOT NULL,
  end_at INTEGER NOT NULL,
  heading_path TEXT NOT NULL,
  locator TEXT NOT NULL,
  text TEXT NOT NULL,
  fragment TEXT,
  marks TEXT,
  row_sum INTEGER AS (row_sum()) STORED,
  UNIQUE (document, ordinal)
) STRICT;
CREATE INDEX passages_by_item ON passages (item);
CREATE INDEX passages_cards ON passages (id) WHERE document IS NULL;

-- The full-text index of passages, by their ids. Compounds by their ends have a column of their own, which lengths do
-- not count.
CREATE VIRTUAL TABLE passage_words USING fts5 (
  title, text, compounds,
  content = '', contentless_delete = 1, detail = full,
  tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"
);
INSERT INTO passage_words (passage_words, rank) VALUES ('automerge', 4), ('crisismerge', 16), ('usermerge', 4);
CREATE TRIGGER passages_forget_words AFTER DELETE ON passages BEGIN
  DELETE FROM passage_words WHERE rowid = old.id;
END;

-- Languages other than English of which the full-text index has stems. A language stays when its last passage goes.
CREATE TABLE indexed_languages (
  language TEXT PRIMARY KEY,
  row_sum INTEGER AS (row_sum()) STORED
) STRICT, WITHOUT ROWID;

-- The sentence models that vectors are from.
CREATE TABLE embedders (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  dimensions INTEGER NOT NULL,
  row_sum INTEGER AS (row_sum()) STORED
) STRICT;

-- The vector of each passage, as bytes with one scale (`index/quantize.ts`). `item` is that of the passage: with it,
-- the vector cache is filled without reading passages. Vectors are upserted: REPLACE would delete rows without a
-- trigger.
CREATE TABLE vectors (
  passage INTEGER PRIMARY KEY REFERENCES passages (id) ON DELETE CASCADE,
  embedder INTEGER NOT NULL REFERENCES embedders (id),
  scale REAL NOT NULL,
  components BLOB NOT NULL,
  item INTEGER NOT NULL,
  row_sum INTEGER AS (row_sum()) STORED
) STRICT;
CREATE INDEX vectors_by_embedder ON vectors (embedder, passage);

-- The last 50,000 passages whose vectors were added, replaced or deleted. Vector caches follow it; one that is older
-- than the oldest entry is filled again.
CREATE TABLE vector_changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  passage INTEGER NOT NULL,
  row_sum INTEGER AS (row_sum()) STORED
) STRICT;
CREATE TRIGGER vector_changes_trim AFTER INSERT ON vector_changes BEGIN
  DELETE FROM vector_changes WHERE id <= new.id - 50000;
END;
CREATE TRIGGER vectors_added AFTER INSERT ON vectors BEGIN
  INSERT INTO vector_changes (passage) VALUES (new.passage);
END;
CREATE TRIGGER vectors_replaced AFTER UPDATE ON vectors BEGIN
  INSERT INTO vector_changes (passage) VALUES (new.passage);
END;
CREATE TRIGGER vectors_removed AFTER DELETE ON vectors BEGIN
  INSERT INTO vector_changes (passage) VALUES (old.passage);
END;

-- The shown title of every item that is not deleted, by its words, for suggestions.
CREATE VIRTUAL TABLE item_titles USING fts5 (
  title, prefix = '1 2 3', columnsize = 0, tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"
);
INSERT INTO item_titles (item_titles, rank) VALUES ('automerge', 4), ('crisismerge', 16), ('usermerge', 4);

-- Items of this transaction whose titles, cards or passages have to be indexed. Its end indexes all of them at once
-- (`items/item-titles.ts`), so outside a transaction the table is empty. `about`: also the words of the first passage,
-- which has the tags and notes, or those of the card.
CREATE TABLE items_due (
  item INTEGER PRIMARY KEY,
  about INTEGER NOT NULL DEFAULT 0 CHECK (about IN (0, 1)),
  row_sum INTEGER AS (row_sum()) STORED
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

-- The account's own questions, each once, in its last spelling, for suggestions.
CREATE TABLE past_queries (
  folded TEXT PRIMARY KEY,
  text TEXT NOT NULL,
  times INTEGER NOT NULL,
  asked_at INTEGER NOT NULL,
  row_sum INTEGER AS (row_sum()) STORED
) STRICT, WITHOUT ROWID;
CREATE INDEX past_queries_newest ON past_queries (asked_at);

-- The goals of a person.
CREATE TABLE goals (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  category TEXT NOT NULL CHECK (category IN ('Health', 'Wealth', 'Relationships')),
  description TEXT,
  created_at INTEGER NOT NULL,
  archived_at INTEGER,
  row_sum INTEGER AS (row_sum()) STORED
) STRICT;
CREATE INDEX goals_newest ON goals (created_at);

-- The key insights of an item. `quote` is a slice of the document's text.
-- `goals_version` is that of `libraries` when the insight's goal was looked for: with a greater one there, it is
-- looked for again.
CREATE TABLE insights (
  id INTEGER PRIMARY KEY,
  item INTEGER NOT NULL REFERENCES items (seq) ON DELETE CASCADE,
  document INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  text TEXT NOT NULL,
  quote TEXT,
  start_at INTEGER,
  end_at INTEGER,
  locator TEXT,
  url TEXT,
  goal TEXT REFERENCES goals (id) ON DELETE SET NULL,
  goal_reason TEXT,
  goals_version INTEGER NOT NULL DEFAULT 0,
  row_sum INTEGER AS (row_sum()) STORED,
  UNIQUE (item, ordinal)
) STRICT;
CREATE INDEX insights_by_document ON insights (document);
CREATE INDEX insights_by_goal ON insights (goal) WHERE goal IS NOT NULL;
CREATE INDEX insights_by_goals_version ON insights (goals_version);

-- Action items. An action that a person adds before its item has a text has no `document`. `touched_at`: a person has
-- changed it, so no analysis replaces it. `due` and `snoozed_until` are days, `2026-03-31`. `reason` is from the text, `goal_reason` says
-- why the action serves its goal; `link_due`: goals have changed since its goal was looked for. An action that asks
-- for nearly the same as an older open one of another item is `merged_into` it. `has_words`: its title is in
-- `action_words`.
CREATE TABLE actions (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  item INTEGER NOT NULL REFERENCES items (seq) ON DELETE CASCADE,
  document INTEGER REFERENCES documents (id) ON DELETE CASCADE,
  goal TEXT REFERENCES goals (id) ON DELETE SET NULL,
  goal_reason TEXT,
  title TEXT NOT NULL,
  reason TEXT,
  quote TEXT,
  start_at INTEGER,
  end_at INTEGER,
  locator TEXT,
  url TEXT,
  state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'done', 'dismissed')),
  due TEXT,
  touched_at INTEGER,
  completed_at INTEGER,
  created_at INTEGER NOT NULL,
  link_due INTEGER NOT NULL DEFAULT 0 CHECK (link_due IN (0, 1)),
  merged_into INTEGER REFERENCES actions (seq) ON DELETE SET NULL,
  has_words INTEGER NOT NULL DEFAULT 0 CHECK (has_words IN (0, 1)),
  priority TEXT NOT NULL DEFAULT 'normal' CHECK (priority IN ('high', 'normal', 'low')),
  snoozed_until TEXT,
  row_sum INTEGER AS (row_sum()) STORED
) STRICT;
CREATE INDEX actions_in_order ON actions (state <> 'open', goal IS NULL, created_at DESC, item DESC, seq);
CREATE INDEX actions_by_state ON actions (state, goal IS NULL, created_at DESC, item DESC, seq);
CREATE INDEX actions_by_item ON actions (item);
CREATE INDEX actions_by_document ON actions (document);
CREATE INDEX actions_by_goal ON actions (goal) WHERE goal IS NOT NULL;
CREATE INDEX actions_merged ON actions (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX actions_link_due ON actions (seq) WHERE link_due = 1;
CREATE INDEX actions_without_words ON actions (seq) WHERE has_words = 0;

-- The words of actions' titles, which find the actions that may ask for the same.
CREATE TABLE action_words (
  word TEXT NOT NULL,
  action INTEGER NOT NULL REFERENCES actions (seq) ON DELETE CASCADE,
  row_sum INTEGER AS (row_sum()) STORED,
  PRIMARY KEY (word, action)
) STRICT, WITHOUT ROWID;
CREATE INDEX action_words_by_action ON action_words (action);

-- Items whose analysis a language model or the connected assistant may replace, whoever claims them first. `due_at`
-- as in `jobs`. A finished row keeps its `lease_token`, which tells a repeated submission from one that comes too
-- late. `given_up`: the model has given the item up, whatever the state says of the assistant.
CREATE TABLE llm_analyses (
  item INTEGER PRIMARY KEY REFERENCES items (seq) ON DELETE CASCADE,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'claimed', 'failed', 'done')),
  due_at INTEGER CHECK ((due_at IS NULL) = (state IN ('failed', 'done'))),
  attempts INTEGER NOT NULL DEFAULT 0,
  lease_token TEXT,
  failure_code TEXT,
  failure_message TEXT,
  given_up INTEGER NOT NULL DEFAULT 0 CHECK (given_up IN (0, 1)),
  row_sum INTEGER AS (row_sum()) STORED
) STRICT;
CREATE INDEX llm_analyses_due ON llm_analyses (due_at) WHERE due_at IS NOT NULL;

-- What a person marked in an item. Its locator is for `document`; `start_at` is null when the quote is not in that
-- text. `source` is an imported highlight's name elsewhere: one that was deleted stays as a row without words, so
-- that the next import does not bring it back, and one that was changed here (`touched_at`) is left as it is.
-- `place_due`: the item has another text since the quote was looked for.
CREATE TABLE highlights (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  item INTEGER NOT NULL REFERENCES items (seq) ON DELETE CASCADE,
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
  deleted_at INTEGER,
  row_sum INTEGER AS (row_sum()) STORED
) STRICT;
CREATE UNIQUE INDEX highlights_by_source ON highlights (item, source) WHERE source IS NOT NULL;
CREATE INDEX highlights_by_item ON highlights (item, start_at, seq) WHERE deleted_at IS NULL;
CREATE INDEX highlights_newest ON highlights (created_at DESC, seq DESC) WHERE deleted_at IS NULL;
CREATE INDEX highlights_by_document ON highlights (document) WHERE document IS NOT NULL;
CREATE INDEX highlights_due ON highlights (item) WHERE place_due = 1;
CREATE TRIGGER highlights_noted AFTER INSERT ON highlights WHEN new.note IS NOT NULL BEGIN
  UPDATE items SET tasks_due = 1 WHERE seq = new.item;
END;
CREATE TRIGGER highlights_notes_changed AFTER UPDATE OF note, deleted_at ON highlights
WHEN new.note IS NOT old.note OR (new.note IS NOT NULL AND new.deleted_at IS NOT old.deleted_at) BEGIN
  UPDATE items SET tasks_due = 1 WHERE seq = new.item;
END;

-- Requests that carried an idempotency key, and their answers. Without an answer: under way since `began_at`.
CREATE TABLE requests_answered (
  key TEXT PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  began_at INTEGER NOT NULL,
  answer TEXT,
  row_sum INTEGER AS (row_sum()) STORED
) STRICT, WITHOUT ROWID;
CREATE INDEX requests_answered_began ON requests_answered (began_at);

-- The writes of people and assistants, newest last. `passed`: the time that had certainly passed. `rows`, `bytes`:
-- what its changes take. `undoes` and `undone_by` name entries; rows from the id `undone_from` on were undone.
-- `restored`: it came with an export, and cannot be undone. `transfer`: it took back an export, and is not exported
-- itself.
CREATE TABLE history (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  at INTEGER NOT NULL,
  passed INTEGER NOT NULL,
  face TEXT NOT NULL,
  token TEXT,
  operation TEXT NOT NULL,
  scopes TEXT NOT NULL,
  rows INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0,
  undoes TEXT,
  undone_by TEXT,
  undone_from INTEGER,
  restored INTEGER NOT NULL DEFAULT 0 CHECK (restored IN (0, 1)),
  transfer INTEGER NOT NULL DEFAULT 0 CHECK (transfer IN (0, 1)),
  row_sum INTEGER AS (row_sum()) STORED
) STRICT;
CREATE INDEX history_by_age ON history (passed);
CREATE INDEX history_by_time ON history (at);
CREATE INDEX history_made_here ON history (seq) WHERE restored = 0;

-- The rows that an entry of the history changed, each once, as JSON: as it was before the entry and as it is after
-- it. `key` and `part` name the row, `item` the item that it belongs to, `subject` the id of an action, a goal, a
-- highlight or a list. Triggers write it.
CREATE TABLE history_changes (
  id INTEGER PRIMARY KEY,
  entry INTEGER NOT NULL REFERENCES history (seq) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  key INTEGER NOT NULL,
  part TEXT NOT NULL,
  item INTEGER,
  subject TEXT,
  before TEXT,
  after TEXT,
  row_sum INTEGER AS (row_sum()) STORED,
  UNIQUE (entry, kind, key, part)
) STRICT;
CREATE INDEX history_changes_by_entry ON history_changes (entry);
CREATE INDEX history_changes_by_item ON history_changes (item, entry) WHERE item IS NOT NULL;
CREATE INDEX history_changes_by_subject ON history_changes (subject, entry)
  WHERE kind IN ('action', 'goal', 'highlight', 'list', 'list_item', 'source');

-- Originals that an entry of the history replaced.
CREATE TABLE history_originals (
  id INTEGER PRIMARY KEY,
  entry INTEGER NOT NULL REFERENCES history (seq) ON DELETE CASCADE,
  item INTEGER NOT NULL,
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  final_url TEXT NOT NULL,
  declared_type TEXT,
  fetched_at TEXT NOT NULL,
  given INTEGER NOT NULL,
  hash BLOB NOT NULL,
  packing TEXT NOT NULL,
  bytes BLOB NOT NULL,
  row_sum INTEGER AS (row_sum()) STORED,
  UNIQUE (entry, item, name)
) STRICT;

-- What the entries say that came with an export, in the words in which people see it. `record` is the id of an item,
-- an action, a goal or a highlight, `item` the id of the item that it belongs to. `before` and `after` are JSON.
CREATE TABLE restored_changes (
  id INTEGER PRIMARY KEY,
  entry INTEGER NOT NULL REFERENCES history (seq) ON DELETE CASCADE,
  record TEXT NOT NULL,
  item TEXT,
  title TEXT,
  field TEXT NOT NULL,
  before TEXT NOT NULL,
  after TEXT NOT NULL,
  row_sum INTEGER AS (row_sum()) STORED
) STRICT;
CREATE INDEX restored_changes_by_entry ON restored_changes (entry);
CREATE INDEX restored_changes_by_record ON restored_changes (record, entry);
CREATE INDEX restored_changes_by_item ON restored_changes (item, entry) WHERE item IS NOT NULL;

-- History. While `libraries.recording` names an entry, triggers insert each changed row of ten tables into the view
-- `noted_changes`: a row that was noted before in the entry stays as it was then. An original is replaced by removing
-- its row and adding another. The triggers of the other tables are made of the columns that undo restores
-- (`history-triggers.ts`).
CREATE VIEW noted_changes AS SELECT kind, key, part, item, subject, before, after FROM history_changes;
CREATE TRIGGER noted_changes_in_history INSTEAD OF INSERT ON noted_changes BEGIN
  INSERT INTO history_changes (entry, kind, key, part, item, subject, before, after)
  SELECT recording, new.kind, new.key, new.part, new.item, new.subject, new.before, new.after FROM libraries WHERE true
  ON CONFLICT (entry, kind, key, part) DO UPDATE SET after = excluded.after;
END;
CREATE TRIGGER originals_add_to_history AFTER INSERT ON originals
WHEN (SELECT recording FROM libraries) IS NOT NULL BEGIN
  INSERT INTO noted_changes VALUES ('original', new.item, new.name, new.item, NULL, NULL,
    json_object('hash', hex(new.hash), 'url', new.url, 'given', new.given, 'stored', length(new.bytes)));
END;
CREATE TRIGGER originals_remove_in_history BEFORE DELETE ON originals
WHEN (SELECT recording FROM libraries) IS NOT NULL BEGIN
  INSERT INTO history_originals (entry, item, name, url, final_url, declared_type, fetched_at, given, hash, packing, bytes)
  SELECT recording, old.item, old.name, old.url, old.final_url, old.declared_type, old.fetched_at, old.given, old.hash,
    old.packing, old.bytes
  FROM libraries WHERE NOT EXISTS (SELECT 1 FROM history_changes c
    WHERE c.entry = recording AND c.kind = 'original' AND c.key = old.item AND c.part = old.name);
  INSERT INTO noted_changes VALUES ('original', old.item, old.name, old.item, NULL,
    json_object('hash', hex(old.hash), 'url', old.url, 'given', old.given, 'stored', length(old.bytes)), NULL);
END;
