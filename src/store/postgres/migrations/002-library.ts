import type { Migration } from './migration.ts';
import { rowLevelSecurity } from './row-level-security.ts';

/*
 * What belongs to one account: everything that has a file of its own in SQLite. Each key begins with `account_id`, so
 * that tables can be distributed by it. Row-level security lets a transaction see the rows of the account alone that it
 * has named in `app.account`; it is forced, so that it binds the owner of the tables too.
 *
 * Addresses may be longer than what a B-tree holds: SHA-256 hashes of them are the keys. JSON is stored as `json`, which keeps the order of keys. Times are milliseconds since the epoch. `libraries` has one
 * row for each account that ever wrote: writes lock it, so those of one account happen one after the other.
 */
const tables = `
CREATE TABLE libraries (
  account_id text PRIMARY KEY REFERENCES accounts (id),
  closed boolean NOT NULL DEFAULT false,
  noted_at bigint,
  noted_uptime bigint NOT NULL DEFAULT 0,
  passed_ms bigint NOT NULL DEFAULT 0,
  goals_version bigint NOT NULL DEFAULT 0
);

CREATE TABLE items (
  account_id text NOT NULL REFERENCES libraries (account_id),
  seq bigint GENERATED ALWAYS AS IDENTITY,
  id text NOT NULL,
  url text NOT NULL,
  canonical_url text NOT NULL,
  url_hash bytea NOT NULL,
  state text NOT NULL DEFAULT 'unfinished' CHECK (state IN ('unfinished', 'completed', 'failed')),
  content_type text,
  passage_count integer NOT NULL DEFAULT 0,
  visible_document bigint,
  duplicate_of text,
  given_title text,
  known json,
  notes text,
  summary text,
  analysis json,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  processed_at bigint,
  deleted_at bigint,
  deleted_passed bigint,
  undone boolean NOT NULL DEFAULT false,
  PRIMARY KEY (account_id, seq),
  UNIQUE (account_id, id)
);
CREATE UNIQUE INDEX items_by_url ON items (account_id, url_hash) WHERE deleted_at IS NULL;
CREATE INDEX items_deleted_by_url ON items (account_id, url_hash) WHERE deleted_passed IS NOT NULL;
CREATE INDEX items_newest ON items (account_id, created_at DESC, seq DESC) WHERE deleted_at IS NULL;
CREATE INDEX items_by_state ON items (account_id, state, created_at DESC, seq DESC) WHERE deleted_at IS NULL;
CREATE INDEX items_by_type ON items (account_id, content_type, created_at DESC, seq DESC) WHERE deleted_at IS NULL;
CREATE INDEX items_deleted ON items (account_id, deleted_passed) WHERE deleted_at IS NOT NULL;
CREATE INDEX items_duplicates ON items (account_id, duplicate_of) WHERE duplicate_of IS NOT NULL;

CREATE TABLE item_tags (
  account_id text NOT NULL,
  item bigint NOT NULL,
  folded text NOT NULL,
  tag text NOT NULL,
  ordinal integer NOT NULL,
  PRIMARY KEY (account_id, item, folded),
  FOREIGN KEY (account_id, item) REFERENCES items (account_id, seq) ON DELETE CASCADE
);
CREATE INDEX item_tags_by_tag ON item_tags (account_id, folded, item);

CREATE TABLE jobs (
  account_id text NOT NULL,
  item bigint NOT NULL,
  id text NOT NULL,
  stage text NOT NULL CHECK (stage IN ('fetch', 'extract', 'split', 'embed', 'analyse')),
  work text NOT NULL GENERATED ALWAYS AS (
    CASE stage WHEN 'fetch' THEN 'fetch' WHEN 'extract' THEN 'read' WHEN 'split' THEN 'read' ELSE 'enrich' END) STORED,
  state text NOT NULL CHECK (state IN ('waiting', 'claimed', 'failed', 'done')),
  attempts integer NOT NULL DEFAULT 0,
  due_at bigint CHECK ((due_at IS NULL) = (state IN ('failed', 'done'))),
  lease_token text CHECK ((lease_token IS NULL) = (state <> 'claimed')),
  background boolean NOT NULL DEFAULT false,
  host text,
  failure_code text,
  failure_message text,
  failure_retryable boolean,
  PRIMARY KEY (account_id, item),
  UNIQUE (account_id, id),
  FOREIGN KEY (account_id, item) REFERENCES items (account_id, seq) ON DELETE CASCADE
);
CREATE INDEX jobs_due ON jobs (account_id, background, work, due_at, item) WHERE due_at IS NOT NULL;
CREATE INDEX jobs_newest ON jobs (account_id, background, work, item DESC) WHERE due_at IS NOT NULL;
CREATE INDEX jobs_leases ON jobs (account_id, due_at) WHERE state = 'claimed';

CREATE TABLE originals (
  account_id text NOT NULL,
  item bigint NOT NULL,
  name_hash bytea NOT NULL,
  name text NOT NULL,
  url text NOT NULL,
  final_url text NOT NULL,
  declared_type text,
  fetched_at text NOT NULL,
  given boolean NOT NULL,
  hash bytea NOT NULL,
  packing text NOT NULL CHECK (packing IN ('none', 'zstd')),
  bytes bytea NOT NULL,
  PRIMARY KEY (account_id, item, name_hash),
  FOREIGN KEY (account_id, item) REFERENCES items (account_id, seq) ON DELETE CASCADE
);
-- They are packed already.
ALTER TABLE originals ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE documents (
  account_id text NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  item bigint NOT NULL,
  version integer NOT NULL,
  content_type text NOT NULL,
  title text,
  author text,
  site_name text,
  published_at text,
  language text,
  canonical_url text,
  duration_seconds double precision,
  page_count integer,
  word_count integer NOT NULL,
  warnings json NOT NULL,
  text_hash bytea NOT NULL,
  created_at bigint NOT NULL,
  text text NOT NULL,
  blocks json NOT NULL,
  PRIMARY KEY (account_id, id),
  UNIQUE (account_id, item, version),
  FOREIGN KEY (account_id, item) REFERENCES items (account_id, seq) ON DELETE CASCADE
);
CREATE INDEX documents_by_text ON documents (account_id, text_hash);
ALTER TABLE items ADD FOREIGN KEY (account_id, visible_document) REFERENCES documents (account_id, id)
  ON DELETE SET NULL (visible_document);
CREATE INDEX items_by_document ON items (account_id, visible_document) WHERE visible_document IS NOT NULL;

CREATE TABLE addresses (
  account_id text NOT NULL,
  item bigint NOT NULL,
  address_hash bytea NOT NULL,
  PRIMARY KEY (account_id, address_hash, item),
  FOREIGN KEY (account_id, item) REFERENCES items (account_id, seq) ON DELETE CASCADE
);
CREATE INDEX addresses_by_item ON addresses (account_id, item);

CREATE TABLE fingerprints (
  account_id text NOT NULL,
  item bigint NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (account_id, item),
  FOREIGN KEY (account_id, item) REFERENCES items (account_id, seq) ON DELETE CASCADE
);
CREATE TABLE fingerprint_bands (
  account_id text NOT NULL,
  band integer NOT NULL,
  value integer NOT NULL,
  item bigint NOT NULL,
  PRIMARY KEY (account_id, band, value, item),
  FOREIGN KEY (account_id, item) REFERENCES fingerprints (account_id, item) ON DELETE CASCADE
);
CREATE INDEX fingerprint_bands_by_item ON fingerprint_bands (account_id, item);

CREATE TABLE passages (
  account_id text NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  item bigint NOT NULL,
  document bigint NOT NULL,
  ordinal integer NOT NULL,
  start_at integer NOT NULL,
  end_at integer NOT NULL,
  heading_path json NOT NULL,
  locator json NOT NULL,
  text text NOT NULL,
  -- As in SQLite: null means not computed, and an empty string that there is none.
  fragment text,
  marks json,
  PRIMARY KEY (account_id, id),
  UNIQUE (account_id, document, ordinal),
  FOREIGN KEY (account_id, item) REFERENCES items (account_id, seq) ON DELETE CASCADE,
  FOREIGN KEY (account_id, document) REFERENCES documents (account_id, id) ON DELETE CASCADE
);
CREATE INDEX passages_by_item ON passages (account_id, item);

CREATE TABLE goals (
  account_id text NOT NULL REFERENCES libraries (account_id),
  seq bigint GENERATED ALWAYS AS IDENTITY,
  id text NOT NULL,
  title text NOT NULL,
  category text NOT NULL CHECK (category IN ('Health', 'Wealth', 'Relationships')),
  description text,
  created_at bigint NOT NULL,
  archived_at bigint,
  PRIMARY KEY (account_id, id)
);

CREATE TABLE insights (
  account_id text NOT NULL,
  item bigint NOT NULL,
  ordinal integer NOT NULL,
  document bigint NOT NULL,
  text text NOT NULL,
  quote text,
  start_at integer,
  end_at integer,
  locator json,
  url text,
  PRIMARY KEY (account_id, item, ordinal),
  FOREIGN KEY (account_id, item) REFERENCES items (account_id, seq) ON DELETE CASCADE,
  FOREIGN KEY (account_id, document) REFERENCES documents (account_id, id) ON DELETE CASCADE
);
CREATE INDEX insights_by_document ON insights (account_id, document);

CREATE TABLE actions (
  account_id text NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  id text NOT NULL,
  item bigint NOT NULL,
  document bigint NOT NULL,
  goal text,
  goal_reason text,
  title text NOT NULL,
  reason text,
  quote text,
  start_at integer,
  end_at integer,
  locator json,
  url text,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'done', 'dismissed')),
  touched_at bigint,
  completed_at bigint,
  created_at bigint NOT NULL,
  link_due boolean NOT NULL DEFAULT false,
  merged_into bigint,
  has_words boolean NOT NULL DEFAULT false,
  PRIMARY KEY (account_id, seq),
  UNIQUE (account_id, id),
  FOREIGN KEY (account_id, item) REFERENCES items (account_id, seq) ON DELETE CASCADE,
  FOREIGN KEY (account_id, document) REFERENCES documents (account_id, id) ON DELETE CASCADE,
  FOREIGN KEY (account_id, goal) REFERENCES goals (account_id, id) ON DELETE SET NULL (goal),
  FOREIGN KEY (account_id, merged_into) REFERENCES actions (account_id, seq) ON DELETE SET NULL (merged_into)
);
CREATE INDEX actions_in_order ON actions (account_id, (state <> 'open'), (goal IS NULL), created_at DESC, item DESC, seq)
  WHERE merged_into IS NULL;
CREATE INDEX actions_by_state ON actions (account_id, state, (goal IS NULL), created_at DESC, item DESC, seq)
  WHERE merged_into IS NULL;
CREATE INDEX actions_by_item ON actions (account_id, item);
CREATE INDEX actions_by_document ON actions (account_id, document);
CREATE INDEX actions_by_goal ON actions (account_id, goal) WHERE goal IS NOT NULL;
CREATE INDEX actions_merged ON actions (account_id, merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX actions_link_due ON actions (account_id, seq) WHERE link_due;
CREATE INDEX actions_without_words ON actions (account_id, seq) WHERE NOT has_words;

CREATE TABLE action_words (
  account_id text NOT NULL,
  word text NOT NULL,
  action bigint NOT NULL,
  PRIMARY KEY (account_id, word, action),
  FOREIGN KEY (account_id, action) REFERENCES actions (account_id, seq) ON DELETE CASCADE
);
CREATE INDEX action_words_by_action ON action_words (account_id, action);

CREATE TABLE llm_analyses (
  account_id text NOT NULL,
  item bigint NOT NULL,
  state text NOT NULL CHECK (state IN ('waiting', 'claimed', 'failed', 'done')),
  due_at bigint CHECK ((due_at IS NULL) = (state IN ('failed', 'done'))),
  attempts integer NOT NULL DEFAULT 0,
  lease_token text,
  failure_code text,
  failure_message text,
  PRIMARY KEY (account_id, item),
  FOREIGN KEY (account_id, item) REFERENCES items (account_id, seq) ON DELETE CASCADE
);
CREATE INDEX llm_analyses_due ON llm_analyses (account_id, due_at) WHERE due_at IS NOT NULL;

CREATE TABLE highlights (
  account_id text NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  id text NOT NULL,
  item bigint NOT NULL,
  source text,
  quote text NOT NULL,
  note text,
  colour text,
  document bigint,
  start_at integer,
  end_at integer,
  locator json,
  url text,
  place_due boolean NOT NULL DEFAULT false,
  touched_at bigint,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  deleted_at bigint,
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, item) REFERENCES items (account_id, seq) ON DELETE CASCADE,
  FOREIGN KEY (account_id, document) REFERENCES documents (account_id, id) ON DELETE SET NULL (document)
);
CREATE UNIQUE INDEX highlights_by_source ON highlights (account_id, item, source) WHERE source IS NOT NULL;
CREATE INDEX highlights_by_item ON highlights (account_id, item, start_at, seq) WHERE deleted_at IS NULL;
CREATE INDEX highlights_newest ON highlights (account_id, created_at DESC, seq DESC) WHERE deleted_at IS NULL;
CREATE INDEX highlights_by_document ON highlights (account_id, document) WHERE document IS NOT NULL;
CREATE INDEX highlights_due ON highlights (account_id, item) WHERE place_due;

CREATE TABLE requests_answered (
  account_id text NOT NULL REFERENCES libraries (account_id),
  key text NOT NULL,
  fingerprint text NOT NULL,
  began_at bigint NOT NULL,
  answer json,
  PRIMARY KEY (account_id, key)
);
CREATE INDEX requests_answered_began ON requests_answered (account_id, began_at);
`;

/** Rows of the account, in the order in which they can be deleted. */
export const firstTables = [
  'requests_answered',
  'highlights',
  'llm_analyses',
  'action_words',
  'actions',
  'insights',
  'goals',
  'passages',
  'fingerprint_bands',
  'fingerprints',
  'addresses',
  'originals',
  'jobs',
  'item_tags',
  'items',
  'documents',
  'libraries',
] as const;

export const library: Migration = {
  name: 'items, queue, analyses and highlights of one account',
  sql: tables + rowLevelSecurity(firstTables),
};
