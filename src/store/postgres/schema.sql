/*
 * All records in one database, for many servers. A new database is made by these statements as they stand (`migrate.ts`);
 * one that is already there gets the migrations of `schema.ts`. SQLite has the same tables and columns
 * (`store/sqlite/schema.sql` and `control.sql`, which also say what the columns mean). Comments here say what only
 * PostgreSQL has.
 *
 * Times are milliseconds since the epoch. JSON is stored as `json`, which keeps the order of keys. Addresses may be longer
 * than what a B-tree holds, so SHA-256 hashes of them are the keys. Keys begin with `account_id`, so that tables could be
 * distributed by it.
 */

-- Part 1. What belongs to no account, or is asked before anybody knows whose it is: tokens, links, sessions and
-- grants are found by a hash, so no row-level security is possible. Secrets are stored as SHA-256 hashes alone.

-- The state that all servers share, in one row: the time that has certainly passed (`store/passed-time.ts`).
CREATE TABLE control_state (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  noted_at bigint,
  noted_uptime bigint NOT NULL DEFAULT 0,
  passed_ms bigint NOT NULL DEFAULT 0
);
INSERT INTO control_state DEFAULT VALUES;

-- Accounts. `rows_due`: rows of a removed account's library may be left.
CREATE TABLE accounts (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  plan text NOT NULL CHECK (plan IN ('free', 'pro')),
  created_at bigint NOT NULL,
  removed_at bigint,
  removed_passed bigint,
  rows_due boolean NOT NULL DEFAULT false
);
CREATE INDEX accounts_hidden ON accounts (removed_at) WHERE removed_passed IS NOT NULL;
CREATE INDEX accounts_due ON accounts (id) WHERE rows_due;

-- Tokens and keys.
CREATE TABLE tokens (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name text NOT NULL,
  hash bytea NOT NULL UNIQUE,
  old_hash bytea UNIQUE,
  old_until bigint,
  scopes json NOT NULL,
  permissions json,
  requests_per_minute integer,
  created_at bigint NOT NULL,
  expires_at bigint,
  last_used_at bigint,
  last_network text,
  rotated_at bigint,
  revoked_at bigint,
  made_by text,
  held_to json
);
CREATE INDEX tokens_by_account ON tokens (account_id, created_at);
CREATE INDEX tokens_by_maker ON tokens (made_by) WHERE made_by IS NOT NULL;

-- Accounts whose library may have work.
CREATE TABLE waiting_work (
  account_id text PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  generation bigint NOT NULL,
  waiting boolean NOT NULL
);
CREATE INDEX waiting_accounts ON waiting_work (account_id) WHERE waiting;

-- How many items of each account have failed, by code.
CREATE TABLE failed_items (
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  code text NOT NULL,
  items bigint NOT NULL,
  PRIMARY KEY (account_id, code)
);

-- What language models were paid, by UTC day.
CREATE TABLE usage (
  day text PRIMARY KEY,
  input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  cost_micros bigint NOT NULL
);

-- How people sign in.
CREATE TABLE logins (
  account_id text PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  name text NOT NULL,
  folded text NOT NULL CONSTRAINT logins_by_name UNIQUE,
  password_hash text,
  changed_at bigint NOT NULL
);

-- Links that let a person sign in once.
CREATE TABLE sign_in_links (
  hash bytea PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  purpose text NOT NULL,
  expires_at bigint NOT NULL
);
CREATE INDEX sign_in_links_by_account ON sign_in_links (account_id);

-- Browsers that are signed in.
CREATE TABLE sessions (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  hash bytea NOT NULL UNIQUE,
  old_hash bytea UNIQUE,
  secret_since bigint NOT NULL,
  browser text NOT NULL,
  created_at bigint NOT NULL,
  last_used_at bigint NOT NULL,
  expires_at bigint NOT NULL
);
CREATE INDEX sessions_by_account ON sessions (account_id);
CREATE INDEX sessions_by_end ON sessions (expires_at);

-- Secrets of the installation itself.
CREATE TABLE server_secrets (
  name text PRIMARY KEY,
  secret text NOT NULL
);

-- What people allowed assistants.
CREATE TABLE oauth_grants (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  client_key bytea NOT NULL,
  name text NOT NULL,
  host text NOT NULL,
  scopes json NOT NULL,
  created_at bigint NOT NULL,
  last_used_at bigint
);
CREATE INDEX oauth_grants_by_account ON oauth_grants (account_id);
CREATE INDEX oauth_grants_by_client ON oauth_grants (client_key);

-- Records of the authorization server.
CREATE TABLE oauth_records (
  kind text NOT NULL,
  key bytea NOT NULL,
  uid text,
  grant_id text,
  payload text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  consumed_at bigint,
  PRIMARY KEY (kind, key)
);
CREATE INDEX oauth_records_by_uid ON oauth_records (uid) WHERE uid IS NOT NULL;
CREATE INDEX oauth_records_by_grant ON oauth_records (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX oauth_records_by_end ON oauth_records (expires_at, kind);

-- What clients asked for within a minute, counted by all servers together. It is not worth a log: after a crash,
-- counting begins anew.
CREATE UNLOGGED TABLE rate_counts (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);
CREATE INDEX rate_counts_by_end ON rate_counts (expire);

-- When orphans of an account's originals are looked for in the object store. `removals` counts how often everything
-- of a removed account is still to be deleted.
CREATE TABLE blob_sweeps (
  account_id text PRIMARY KEY REFERENCES accounts (id),
  due_at bigint NOT NULL,
  removals integer NOT NULL DEFAULT 0
);
CREATE INDEX blob_sweeps_due ON blob_sweeps (due_at);

-- Part 2. What belongs to one account: everything that is in a file of its own in SQLite. Row-level security, at the
-- end of this part, shows a transaction the rows of one account alone.

-- The state of a library: one row for each account that ever wrote. Writes lock it, so those of one account happen
-- one after the other. `closed`: the account is being removed. `last_item` and `last_passage`: the last keys that
-- were given: searches keep tables with a slot for each key in memory, so keys are counted for each account.
-- `index_change`, `index_epoch`: see `index_changes`.
CREATE TABLE libraries (
  account_id text PRIMARY KEY REFERENCES accounts (id),
  closed boolean NOT NULL DEFAULT false,
  noted_at bigint,
  noted_uptime bigint NOT NULL DEFAULT 0,
  passed_ms bigint NOT NULL DEFAULT 0,
  goals_version bigint NOT NULL DEFAULT 0,
  history_bytes bigint NOT NULL DEFAULT 0,
  last_item bigint NOT NULL DEFAULT 0,
  last_passage bigint NOT NULL DEFAULT 0,
  index_change bigint NOT NULL DEFAULT 0,
  index_epoch uuid NOT NULL DEFAULT gen_random_uuid()
);

-- What was saved. `url_hash` is that of `canonical_url`. `card`: the number, among those of passages, of the row that
-- copies of the index have for the item while it has no passages.
CREATE TABLE items (
  account_id text NOT NULL REFERENCES libraries (account_id),
  seq bigint,
  id text NOT NULL,
  url text NOT NULL,
  canonical_url text NOT NULL,
  url_hash bytea NOT NULL,
  state text NOT NULL DEFAULT 'unfinished' CHECK (state IN ('unfinished', 'completed', 'failed')),
  content_type text,
  passage_count integer NOT NULL DEFAULT 0,
  visible_document bigint,
  duplicate_of text,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  processed_at bigint,
  deleted_at bigint,
  deleted_passed bigint,
  undone boolean NOT NULL DEFAULT false,
  given_title text,
  known json,
  notes text,
  summary text,
  analysis json,
  card bigint NOT NULL,
  tasks_due boolean NOT NULL DEFAULT false,
  shelf text NOT NULL DEFAULT 'inbox' CHECK (shelf IN ('inbox', 'later', 'archive')),
  read_at bigint,
  reading_start integer,
  reading_share double precision,
  PRIMARY KEY (account_id, seq),
  UNIQUE (account_id, id)
);
CREATE UNIQUE INDEX items_by_url ON items (account_id, url_hash) WHERE deleted_at IS NULL;
CREATE INDEX items_deleted_by_url ON items (account_id, url_hash) WHERE deleted_passed IS NOT NULL;
CREATE INDEX items_newest ON items (account_id, created_at DESC, seq DESC) WHERE deleted_at IS NULL;
CREATE INDEX items_by_state ON items (account_id, state, created_at DESC, seq DESC) WHERE deleted_at IS NULL;
CREATE INDEX items_by_type ON items (account_id, content_type, created_at DESC, seq DESC) WHERE deleted_at IS NULL;
CREATE INDEX items_by_document ON items (account_id, visible_document) WHERE visible_document IS NOT NULL;
CREATE INDEX items_deleted_passed ON items (account_id, deleted_passed) WHERE deleted_at IS NOT NULL;
CREATE INDEX items_duplicates ON items (account_id, duplicate_of) WHERE duplicate_of IS NOT NULL;
CREATE INDEX items_tasks_due ON items (account_id, seq) WHERE tasks_due;
CREATE INDEX items_by_shelf ON items (account_id, shelf, created_at DESC, seq DESC) INCLUDE (read_at) WHERE deleted_at IS NULL;
CREATE FUNCTION number_item() RETURNS trigger LANGUAGE plpgsql AS $numbered$
DECLARE
  taken bigint;
BEGIN
  UPDATE libraries SET last_passage = last_passage + 1, last_item = last_item + CASE WHEN NEW.seq IS NULL THEN 1 ELSE 0 END
  WHERE account_id = NEW.account_id RETURNING last_passage, last_item INTO NEW.card, taken;
  NEW.seq := coalesce(NEW.seq, taken);
  RETURN NEW;
END $numbered$;
CREATE TRIGGER number_item BEFORE INSERT ON items FOR EACH ROW EXECUTE FUNCTION number_item();
CREATE FUNCTION mark_item_noted() RETURNS trigger LANGUAGE plpgsql AS $noted$
BEGIN
  IF TG_OP = 'INSERT' THEN
    NEW.tasks_due := NEW.notes IS NOT NULL;
  ELSE
    NEW.tasks_due := NEW.tasks_due OR NEW.notes IS DISTINCT FROM OLD.notes;
  END IF;
  RETURN NEW;
END $noted$;
CREATE TRIGGER mark_noted BEFORE INSERT OR UPDATE OF notes ON items FOR EACH ROW EXECUTE FUNCTION mark_item_noted();

-- The tags of an item.
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

-- Lists of items. `query`: the items are those that it finds; null: those in `list_items`.
CREATE TABLE lists (
  account_id text NOT NULL REFERENCES libraries (account_id),
  seq bigint GENERATED ALWAYS AS IDENTITY,
  id text NOT NULL,
  name text NOT NULL,
  folded text NOT NULL,
  icon text,
  query text,
  ordinal integer NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (account_id, seq),
  UNIQUE (account_id, id),
  UNIQUE (account_id, folded)
);

-- The items that a person put into a list, in their order.
CREATE TABLE list_items (
  account_id text NOT NULL,
  list bigint NOT NULL,
  item bigint NOT NULL,
  ordinal integer NOT NULL,
  added_at bigint NOT NULL,
  PRIMARY KEY (account_id, list, item),
  FOREIGN KEY (account_id, list) REFERENCES lists (account_id, seq) ON DELETE CASCADE,
  FOREIGN KEY (account_id, item) REFERENCES items (account_id, seq) ON DELETE CASCADE
);
CREATE INDEX list_items_in_order ON list_items (account_id, list, ordinal);
CREATE INDEX list_items_by_item ON list_items (account_id, item);

-- Tags that were proposed for an item, and what the person said of them. `score` is between 0 and 1, `reason` is shown.
CREATE TABLE tag_proposals (
  account_id text NOT NULL,
  item bigint NOT NULL,
  folded text NOT NULL,
  tag text NOT NULL,
  reason text NOT NULL,
  score double precision NOT NULL,
  state text NOT NULL DEFAULT 'proposed' CHECK (state IN ('proposed', 'confirmed', 'rejected')),
  decided_at bigint,
  PRIMARY KEY (account_id, item, folded),
  FOREIGN KEY (account_id, item) REFERENCES items (account_id, seq) ON DELETE CASCADE
);
CREATE INDEX tag_proposals_decided ON tag_proposals (account_id, decided_at) WHERE decided_at IS NOT NULL;

-- The queue: one job per item. `work` is the kind of work by which jobs are claimed.
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
  refresh boolean NOT NULL DEFAULT false,
  PRIMARY KEY (account_id, item),
  UNIQUE (account_id, id),
  FOREIGN KEY (account_id, item) REFERENCES items (account_id, seq) ON DELETE CASCADE
);
CREATE INDEX jobs_leases ON jobs (account_id, due_at) WHERE state = 'claimed';
CREATE INDEX jobs_due ON jobs (account_id, background, work, due_at, item) WHERE due_at IS NOT NULL;
CREATE INDEX jobs_newest ON jobs (account_id, background, work, item DESC) WHERE due_at IS NOT NULL;

-- When the page of an item was last compared with what is stored of it, and what it said.
CREATE TABLE page_checks (
  account_id text NOT NULL,
  item bigint NOT NULL,
  etag text,
  last_modified text,
  checked_at bigint,
  changed_at bigint,
  failure_code text,
  failure_message text,
  versions json,
  PRIMARY KEY (account_id, item),
  FOREIGN KEY (account_id, item) REFERENCES items (account_id, seq) ON DELETE CASCADE
);

-- Where new items come from by themselves: feeds, pages that are fetched anew, folders, mailboxes (`sqlite/schema.sql`).
CREATE TABLE sources (
  account_id text NOT NULL REFERENCES libraries (account_id),
  seq bigint GENERATED ALWAYS AS IDENTITY,
  id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('feed', 'pages', 'folder', 'mailbox')),
  key text NOT NULL,
  address text NOT NULL,
  host text,
  name text NOT NULL,
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'paused', 'gone', 'removed')),
  options json NOT NULL,
  memory json NOT NULL,
  every_ms bigint,
  due_at bigint CHECK ((due_at IS NOT NULL) = (state = 'active')),
  lease_token text,
  checked_at bigint,
  changed_at bigint,
  failures integer NOT NULL DEFAULT 0,
  failure_code text,
  failure_message text,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (account_id, seq),
  UNIQUE (account_id, id),
  UNIQUE (account_id, key)
);
CREATE INDEX sources_due ON sources (account_id, due_at) WHERE due_at IS NOT NULL;

-- What a source offered: entries of a feed, files of a folder, letters.
CREATE TABLE source_entries (
  account_id text NOT NULL,
  source bigint NOT NULL,
  key text NOT NULL,
  state text NOT NULL CHECK (state IN ('item', 'headline', 'left')),
  item bigint,
  address text,
  title text,
  published_at bigint,
  fingerprint text,
  seen_at bigint NOT NULL,
  PRIMARY KEY (account_id, source, key),
  FOREIGN KEY (account_id, source) REFERENCES sources (account_id, seq) ON DELETE CASCADE,
  FOREIGN KEY (account_id, item) REFERENCES items (account_id, seq) ON DELETE SET NULL (item)
);
CREATE INDEX source_entries_by_item ON source_entries (account_id, item) WHERE item IS NOT NULL;
CREATE INDEX source_entries_by_state ON source_entries (account_id, source, state, seen_at);

-- Objects of the object store that hold originals. A row is there before its object, and its name is never used for
-- another one. `hash`: SHA-256 of what is stored.
CREATE TABLE blobs (
  account_id text NOT NULL REFERENCES accounts (id),
  name text NOT NULL,
  hash bytea NOT NULL,
  size bigint NOT NULL,
  noted_at bigint NOT NULL,
  PRIMARY KEY (account_id, name),
  UNIQUE (account_id, hash)
);
CREATE INDEX blobs_by_age ON blobs (account_id, noted_at);

-- Names of objects that nothing refers to any more, until they are deleted.
CREATE TABLE dead_objects (
  account_id text NOT NULL REFERENCES accounts (id),
  name text NOT NULL,
  PRIMARY KEY (account_id, name)
);

-- What an item was made from. The bytes, which are packed already, are in the row or in an object. `name_hash`: names
-- of companions may be longer than what an index holds.
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
  bytes bytea,
  blob text,
  blob_size bigint,
  PRIMARY KEY (account_id, item, name_hash),
  FOREIGN KEY (account_id, item) REFERENCES items (account_id, seq) ON DELETE CASCADE,
  CONSTRAINT originals_blob FOREIGN KEY (account_id, blob) REFERENCES blobs (account_id, name),
  CONSTRAINT originals_place CHECK ((bytes IS NULL) = (blob IS NOT NULL) AND (blob IS NULL) = (blob_size IS NULL))
);
ALTER TABLE originals ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE INDEX originals_by_blob ON originals (account_id, blob) WHERE blob IS NOT NULL;

-- Versions of an item's text.
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

-- Further addresses that lead to an item.
CREATE TABLE addresses (
  account_id text NOT NULL,
  item bigint NOT NULL,
  address_hash bytea NOT NULL,
  address text NOT NULL,
  PRIMARY KEY (account_id, address_hash, item),
  FOREIGN KEY (account_id, item) REFERENCES items (account_id, seq) ON DELETE CASCADE
);
CREATE INDEX addresses_by_item ON addresses (account_id, item);

-- The fingerprint of each item's visible text.
CREATE TABLE fingerprints (
  account_id text NOT NULL,
  item bigint NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (account_id, item),
  FOREIGN KEY (account_id, item) REFERENCES items (account_id, seq) ON DELETE CASCADE
);

-- The bits of fingerprints, in bands.
CREATE TABLE fingerprint_bands (
  account_id text NOT NULL,
  band integer NOT NULL,
  value integer NOT NULL,
  item bigint NOT NULL,
  PRIMARY KEY (account_id, band, value, item),
  FOREIGN KEY (account_id, item) REFERENCES fingerprints (account_id, item) ON DELETE CASCADE
);
CREATE INDEX fingerprint_bands_by_item ON fingerprint_bands (account_id, item);

-- The pieces of the visible document that searches find.
CREATE TABLE passages (
  account_id text NOT NULL,
  id bigint,
  item bigint NOT NULL,
  document bigint NOT NULL,
  ordinal integer NOT NULL,
  start_at integer NOT NULL,
  end_at integer NOT NULL,
  heading_path json NOT NULL,
  locator json NOT NULL,
  text text NOT NULL,
  fragment text,
  marks json,
  PRIMARY KEY (account_id, id),
  UNIQUE (account_id, document, ordinal),
  FOREIGN KEY (account_id, item) REFERENCES items (account_id, seq) ON DELETE CASCADE,
  FOREIGN KEY (account_id, document) REFERENCES documents (account_id, id) ON DELETE CASCADE
);
CREATE INDEX passages_by_item ON passages (account_id, item);

-- The vector of each passage. `change` numbers batches, as `index_changes` numbers changes of items: vectors arrive
-- later, and must not bring the items along.
CREATE TABLE vectors (
  account_id text NOT NULL,
  passage bigint NOT NULL,
  embedder text NOT NULL,
  scale double precision NOT NULL,
  components bytea NOT NULL,
  change bigint NOT NULL,
  PRIMARY KEY (account_id, passage),
  FOREIGN KEY (account_id, passage) REFERENCES passages (account_id, id) ON DELETE CASCADE
);
ALTER TABLE vectors ALTER COLUMN components SET STORAGE EXTERNAL;
CREATE INDEX vectors_in_order ON vectors (account_id, change, passage);
CREATE INDEX vectors_by_embedder ON vectors (account_id, embedder);

-- What servers need to bring their replicas of an account's search index up to date. Each transaction that changes
-- something that searches read takes the next number of the account, `libraries.index_change`. So these transactions
-- happen one after the other, and a reader that sees a number sees all changes up to it. The row says in which change
-- the item, and its text, was last touched; it stays when the item is gone. Triggers write it (part 4), so no write
-- can forget to. `libraries.index_epoch` tells the numbers of one library from those of another.
CREATE TABLE index_changes (
  account_id text NOT NULL REFERENCES libraries (account_id),
  item bigint NOT NULL,
  change bigint NOT NULL,
  text_change bigint NOT NULL,
  PRIMARY KEY (account_id, item)
);
CREATE INDEX index_changes_in_order ON index_changes (account_id, change, item);

-- The account's own questions, for suggestions.
CREATE TABLE past_queries (
  account_id text NOT NULL REFERENCES libraries (account_id),
  folded_hash bytea NOT NULL,
  folded text NOT NULL,
  text text NOT NULL,
  times bigint NOT NULL,
  asked_at bigint NOT NULL,
  PRIMARY KEY (account_id, folded_hash)
);
CREATE INDEX past_queries_newest ON past_queries (account_id, asked_at);

-- The goals of a person.
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

-- The key insights of an item.
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
  goal text,
  goal_reason text,
  goals_version integer NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, item, ordinal),
  FOREIGN KEY (account_id, item) REFERENCES items (account_id, seq) ON DELETE CASCADE,
  FOREIGN KEY (account_id, document) REFERENCES documents (account_id, id) ON DELETE CASCADE,
  FOREIGN KEY (account_id, goal) REFERENCES goals (account_id, id) ON DELETE SET NULL (goal)
);
CREATE INDEX insights_by_document ON insights (account_id, document);
CREATE INDEX insights_by_goal ON insights (account_id, goal) WHERE goal IS NOT NULL;
CREATE INDEX insights_by_goals_version ON insights (account_id, goals_version);

-- Action items.
CREATE TABLE actions (
  account_id text NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  id text NOT NULL,
  item bigint NOT NULL,
  document bigint,
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
  due text,
  touched_at bigint,
  completed_at bigint,
  created_at bigint NOT NULL,
  link_due boolean NOT NULL DEFAULT false,
  merged_into bigint,
  has_words boolean NOT NULL DEFAULT false,
  priority text NOT NULL DEFAULT 'normal' CHECK (priority IN ('high', 'normal', 'low')),
  snoozed_until text,
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

-- The words of actions' titles.
CREATE TABLE action_words (
  account_id text NOT NULL,
  word text NOT NULL,
  action bigint NOT NULL,
  PRIMARY KEY (account_id, word, action),
  FOREIGN KEY (account_id, action) REFERENCES actions (account_id, seq) ON DELETE CASCADE
);
CREATE INDEX action_words_by_action ON action_words (account_id, action);

-- Items whose analysis a language model or the connected assistant may replace.
CREATE TABLE llm_analyses (
  account_id text NOT NULL,
  item bigint NOT NULL,
  state text NOT NULL CHECK (state IN ('waiting', 'claimed', 'failed', 'done')),
  due_at bigint CHECK ((due_at IS NULL) = (state IN ('failed', 'done'))),
  attempts integer NOT NULL DEFAULT 0,
  lease_token text,
  failure_code text,
  failure_message text,
  given_up boolean NOT NULL DEFAULT false,
  PRIMARY KEY (account_id, item),
  FOREIGN KEY (account_id, item) REFERENCES items (account_id, seq) ON DELETE CASCADE
);
CREATE INDEX llm_analyses_due ON llm_analyses (account_id, due_at) WHERE due_at IS NOT NULL;

-- What a person marked in an item.
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
CREATE FUNCTION mark_highlight_noted() RETURNS trigger LANGUAGE plpgsql AS $noted$
BEGIN
  IF TG_OP = 'INSERT' AND NEW.note IS NULL THEN
    RETURN NULL;
  ELSIF TG_OP = 'UPDATE' AND NEW.note IS NOT DISTINCT FROM OLD.note
      AND (NEW.note IS NULL OR NEW.deleted_at IS NOT DISTINCT FROM OLD.deleted_at) THEN
    RETURN NULL;
  END IF;
  UPDATE items SET tasks_due = true WHERE account_id = NEW.account_id AND seq = NEW.item;
  RETURN NULL;
END $noted$;
CREATE TRIGGER mark_noted AFTER INSERT OR UPDATE OF note, deleted_at ON highlights
  FOR EACH ROW EXECUTE FUNCTION mark_highlight_noted();

-- Requests that carried an idempotency key, and their answers.
CREATE TABLE requests_answered (
  account_id text NOT NULL REFERENCES libraries (account_id),
  key text NOT NULL,
  fingerprint text NOT NULL,
  began_at bigint NOT NULL,
  answer json,
  PRIMARY KEY (account_id, key)
);
CREATE INDEX requests_answered_began ON requests_answered (account_id, began_at);

-- The writes of people and assistants.
CREATE TABLE history (
  account_id text NOT NULL REFERENCES libraries (account_id),
  seq bigint GENERATED ALWAYS AS IDENTITY,
  id text NOT NULL,
  at bigint NOT NULL,
  passed bigint NOT NULL,
  face text NOT NULL,
  token text,
  operation text NOT NULL,
  scopes json NOT NULL,
  rows integer NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  undoes text,
  undone_by text,
  undone_from bigint,
  restored boolean NOT NULL DEFAULT false,
  transfer boolean NOT NULL DEFAULT false,
  PRIMARY KEY (account_id, seq),
  UNIQUE (account_id, id)
);
CREATE INDEX history_by_age ON history (account_id, passed, seq);
CREATE INDEX history_by_time ON history (account_id, at, seq);

-- The rows that an entry of the history changed. JSON within `before` and `after` is text: the server does not read
-- JSON with the character U+0000 in it. Triggers write it (part 3).
CREATE TABLE history_changes (
  account_id text NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  entry bigint NOT NULL,
  kind text NOT NULL,
  key bigint NOT NULL,
  part text NOT NULL,
  item bigint,
  subject text,
  before json,
  after json,
  PRIMARY KEY (account_id, id),
  UNIQUE (account_id, entry, kind, key, part),
  FOREIGN KEY (account_id, entry) REFERENCES history (account_id, seq) ON DELETE CASCADE
);
CREATE INDEX history_changes_by_entry ON history_changes (account_id, entry, id);
CREATE INDEX history_changes_by_item ON history_changes (account_id, item, entry) WHERE item IS NOT NULL;
CREATE INDEX history_changes_by_subject ON history_changes (account_id, subject, entry)
  WHERE kind IN ('action', 'goal', 'highlight', 'list', 'list_item', 'source');

-- Originals that an entry of the history replaced.
CREATE TABLE history_originals (
  account_id text NOT NULL,
  entry bigint NOT NULL,
  item bigint NOT NULL,
  name_hash bytea NOT NULL,
  name text NOT NULL,
  url text NOT NULL,
  final_url text NOT NULL,
  declared_type text,
  fetched_at text NOT NULL,
  given boolean NOT NULL,
  hash bytea NOT NULL,
  packing text NOT NULL,
  bytes bytea,
  blob text,
  blob_size bigint,
  PRIMARY KEY (account_id, entry, item, name_hash),
  FOREIGN KEY (account_id, entry) REFERENCES history (account_id, seq) ON DELETE CASCADE,
  CONSTRAINT history_originals_blob FOREIGN KEY (account_id, blob) REFERENCES blobs (account_id, name),
  CONSTRAINT history_originals_place
    CHECK ((bytes IS NULL) = (blob IS NOT NULL) AND (blob IS NULL) = (blob_size IS NULL))
);
ALTER TABLE history_originals ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE INDEX history_originals_by_item ON history_originals (account_id, item);
CREATE INDEX history_originals_by_blob ON history_originals (account_id, blob) WHERE blob IS NOT NULL;

-- What the entries say that came with an export, in the words in which people see it.
CREATE TABLE restored_changes (
  account_id text NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  entry bigint NOT NULL,
  record text NOT NULL,
  item text,
  title text,
  field text NOT NULL,
  before json,
  after json,
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, entry) REFERENCES history (account_id, seq) ON DELETE CASCADE
);
CREATE INDEX restored_changes_by_entry ON restored_changes (account_id, entry, id);
CREATE INDEX restored_changes_by_record ON restored_changes (account_id, record, entry);
CREATE INDEX restored_changes_by_item ON restored_changes (account_id, item, entry) WHERE item IS NOT NULL;

-- A transaction sees the rows of the account alone that it has named in `app.account`. So does the owner of the
-- tables (`FORCE`). The list is that of `libraryTables` (`control.ts`).
DO $secured$
DECLARE
  secured text;
BEGIN
  FOREACH secured IN ARRAY ARRAY[
    'libraries', 'items', 'item_tags', 'lists', 'list_items', 'tag_proposals', 'jobs', 'page_checks', 'sources',
    'source_entries', 'blobs', 'dead_objects', 'originals', 'documents', 'addresses',
    'fingerprints', 'fingerprint_bands', 'passages', 'vectors', 'index_changes', 'past_queries', 'goals', 'insights',
    'actions', 'action_words', 'llm_analyses', 'highlights', 'requests_answered', 'history', 'history_changes',
    'history_originals', 'restored_changes']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', secured);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', secured);
    EXECUTE format('CREATE POLICY own_account ON %I USING (account_id = current_setting(''app.account'', true))', secured);
  END LOOP;
END $secured$;

-- Part 3. History. While `app.change` names an entry in a transaction, each changed row of ten tables is noted in
-- `history_changes`.

-- A row as the history notes it: what `history_changes` says of it. `state` has the columns that undo knows, by the
-- names of `store/history/changed-rows.ts`; booleans are 0 or 1.
CREATE TYPE noted_row AS (kind text, key bigint, part text, item bigint, subject text, state json);

CREATE FUNCTION noted(r items) RETURNS noted_row LANGUAGE sql IMMUTABLE AS $noted$
  SELECT 'item', r.seq, '', r.seq, r.id, json_build_object(
    'url', r.url, 'canonical_url', r.canonical_url, 'given_title', r.given_title, 'notes', r.notes,
    'created_at', r.created_at, 'deleted_at', r.deleted_at, 'deleted_passed', r.deleted_passed, 'summary', r.summary,
    'analysis', r.analysis::text, 'processed_at', r.processed_at, 'undone', r.undone::integer,
    'shelf', r.shelf, 'read_at', r.read_at)
$noted$;
CREATE FUNCTION noted(r actions) RETURNS noted_row LANGUAGE sql IMMUTABLE AS $noted$
  SELECT 'action', r.seq, '', r.item, r.id, json_build_object(
    'item', r.item, 'document', r.document, 'goal', r.goal, 'goal_reason', r.goal_reason, 'title', r.title,
    'reason', r.reason, 'quote', r.quote, 'start_at', r.start_at, 'end_at', r.end_at, 'locator', r.locator::text,
    'url', r.url, 'state', r.state, 'touched_at', r.touched_at, 'completed_at', r.completed_at,
    'created_at', r.created_at, 'merged_into', r.merged_into, 'due', r.due,
    'priority', r.priority, 'snoozed_until', r.snoozed_until)
$noted$;
CREATE FUNCTION noted(r goals) RETURNS noted_row LANGUAGE sql IMMUTABLE AS $noted$
  SELECT 'goal', r.seq, '', NULL::bigint, r.id, json_build_object(
    'title', r.title, 'category', r.category, 'description', r.description, 'created_at', r.created_at,
    'archived_at', r.archived_at)
$noted$;
CREATE FUNCTION noted(r insights) RETURNS noted_row LANGUAGE sql IMMUTABLE AS $noted$
  SELECT 'insight', r.item, r.ordinal::text, r.item, NULL::text, json_build_object(
    'document', r.document, 'text', r.text, 'quote', r.quote, 'start_at', r.start_at, 'end_at', r.end_at,
    'locator', r.locator::text, 'url', r.url)
$noted$;
CREATE FUNCTION noted(r highlights) RETURNS noted_row LANGUAGE sql IMMUTABLE AS $noted$
  SELECT 'highlight', r.seq, '', r.item, r.id, json_build_object(
    'source', r.source, 'quote', r.quote, 'note', r.note, 'colour', r.colour, 'touched_at', r.touched_at,
    'created_at', r.created_at, 'deleted_at', r.deleted_at)
$noted$;
CREATE FUNCTION noted(r item_tags) RETURNS noted_row LANGUAGE sql IMMUTABLE AS $noted$
  SELECT 'tag', r.item, r.folded, r.item, NULL::text, json_build_object('tag', r.tag, 'ordinal', r.ordinal)
$noted$;
CREATE FUNCTION noted(r lists) RETURNS noted_row LANGUAGE sql IMMUTABLE AS $noted$
  SELECT 'list', r.seq, '', NULL::bigint, r.id, json_build_object(
    'name', r.name, 'folded', r.folded, 'icon', r.icon, 'query', r.query, 'ordinal', r.ordinal,
    'created_at', r.created_at)
$noted$;
CREATE FUNCTION noted(r list_items) RETURNS noted_row LANGUAGE sql STABLE AS $noted$
  SELECT 'list_item', r.item, r.list::text, r.item, l.id, json_build_object(
    'list', l.name, 'ordinal', r.ordinal, 'added_at', r.added_at)
  FROM (SELECT 1) one LEFT JOIN lists l ON l.account_id = r.account_id AND l.seq = r.list
$noted$;
CREATE FUNCTION noted(r sources) RETURNS noted_row LANGUAGE sql IMMUTABLE AS $noted$
  SELECT 'source', r.seq, '', NULL::bigint, r.id, json_build_object(
    'name', r.name, 'state', r.state, 'options', r.options::text, 'every_ms', r.every_ms)
$noted$;
CREATE FUNCTION noted(r originals) RETURNS noted_row LANGUAGE sql IMMUTABLE AS $noted$
  SELECT 'original', r.item, CASE WHEN r.name = '' THEN '' ELSE encode(r.name_hash, 'hex') END, r.item, NULL::text,
    json_build_object('hash', upper(encode(r.hash, 'hex')), 'url', r.url, 'given', r.given::integer,
      'stored', coalesce(octet_length(r.bytes), r.blob_size))
$noted$;

-- `again`: the state, if the row was noted before in this entry.
CREATE FUNCTION note_change(account text, r noted_row, was json, made json, again json) RETURNS void
LANGUAGE plpgsql AS $noted$
BEGIN
  INSERT INTO history_changes (account_id, entry, kind, key, part, item, subject, before, after)
  VALUES (account, current_setting('app.change')::bigint, r.kind, r.key, r.part, r.item, r.subject, was, made)
  ON CONFLICT (account_id, entry, kind, key, part) DO UPDATE SET after = again;
END $noted$;

-- Keeps an original that is replaced, unless it was replaced before in this entry.
CREATE FUNCTION keep_original(o originals) RETURNS void LANGUAGE plpgsql AS $noted$
DECLARE
  named noted_row := noted(o);
BEGIN
  INSERT INTO history_originals (account_id, entry, item, name_hash, name, url, final_url, declared_type, fetched_at,
    given, hash, packing, bytes, blob, blob_size)
  SELECT o.account_id, current_setting('app.change')::bigint, o.item, o.name_hash, o.name, o.url, o.final_url,
    o.declared_type, o.fetched_at, o.given, o.hash, o.packing, o.bytes, o.blob, o.blob_size
  WHERE NOT EXISTS (SELECT 1 FROM history_changes c
    WHERE c.account_id = o.account_id AND c.entry = current_setting('app.change')::bigint AND c.kind = 'original'
      AND c.key = named.key AND c.part = named.part);
END $noted$;

-- Of a new item only the address is noted, which is enough: an import saves many. Renaming a tag changes its key, so
-- it is two changes.
CREATE FUNCTION record_change() RETURNS trigger LANGUAGE plpgsql AS $noted$
DECLARE
  was noted_row;
  made noted_row;
BEGIN
  IF TG_OP <> 'INSERT' THEN
    was := noted(OLD);
    IF was.kind = 'original' THEN
      PERFORM keep_original(OLD);
    END IF;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    made := noted(NEW);
  END IF;
  IF TG_OP = 'INSERT' AND made.kind = 'item' THEN
    PERFORM note_change(NEW.account_id, made, NULL, json_build_object('url', NEW.url), made.state);
  ELSIF TG_OP = 'INSERT' THEN
    PERFORM note_change(NEW.account_id, made, NULL, made.state, made.state);
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM note_change(OLD.account_id, was, was.state, NULL, NULL);
  ELSIF was.kind = 'tag' AND was.part <> made.part THEN
    PERFORM note_change(OLD.account_id, was, was.state, NULL, NULL);
    PERFORM note_change(NEW.account_id, made, NULL, made.state, made.state);
  ELSE
    PERFORM note_change(OLD.account_id, was, was.state, made.state, made.state);
  END IF;
  RETURN NULL;
END $noted$;
CREATE TRIGGER record_change AFTER INSERT OR DELETE OR UPDATE OF url, canonical_url, given_title, notes, created_at, deleted_at,
  deleted_passed, summary, analysis, processed_at, undone, shelf, read_at ON items
  FOR EACH ROW WHEN (current_setting('app.change', true) <> '') EXECUTE FUNCTION record_change();
CREATE TRIGGER record_change AFTER INSERT OR DELETE OR UPDATE ON actions
  FOR EACH ROW WHEN (current_setting('app.change', true) <> '') EXECUTE FUNCTION record_change();
CREATE TRIGGER record_change AFTER INSERT OR DELETE OR UPDATE ON goals
  FOR EACH ROW WHEN (current_setting('app.change', true) <> '') EXECUTE FUNCTION record_change();
CREATE TRIGGER record_change AFTER INSERT OR DELETE OR UPDATE ON insights
  FOR EACH ROW WHEN (current_setting('app.change', true) <> '') EXECUTE FUNCTION record_change();
CREATE TRIGGER record_change AFTER INSERT OR DELETE OR UPDATE ON highlights
  FOR EACH ROW WHEN (current_setting('app.change', true) <> '') EXECUTE FUNCTION record_change();
CREATE TRIGGER record_change AFTER INSERT OR DELETE OR UPDATE ON item_tags
  FOR EACH ROW WHEN (current_setting('app.change', true) <> '') EXECUTE FUNCTION record_change();
CREATE TRIGGER record_change AFTER INSERT OR DELETE OR UPDATE OF name, icon, query, ordinal ON lists
  FOR EACH ROW WHEN (current_setting('app.change', true) <> '') EXECUTE FUNCTION record_change();
CREATE TRIGGER record_change AFTER INSERT OR DELETE OR UPDATE OF ordinal ON list_items
  FOR EACH ROW WHEN (current_setting('app.change', true) <> '') EXECUTE FUNCTION record_change();
CREATE TRIGGER record_change AFTER INSERT OR UPDATE OF name, state, options, every_ms ON sources
  FOR EACH ROW WHEN (current_setting('app.change', true) <> '') EXECUTE FUNCTION record_change();
CREATE TRIGGER record_change AFTER INSERT OR DELETE OR UPDATE ON originals
  FOR EACH ROW WHEN (current_setting('app.change', true) <> '') EXECUTE FUNCTION record_change();
-- Part 4. Which items changed for searches: `index_changes`.

-- The number of this transaction; null while the account is being removed. It is one writer's: the row is locked.
CREATE FUNCTION take_index_change(account text) RETURNS bigint LANGUAGE plpgsql AS $taken$
DECLARE
  known text := current_setting('app.index_change', true);
  taken bigint;
BEGIN
  IF starts_with(known, account || ' ') THEN
    RETURN split_part(known, ' ', 2)::bigint;
  END IF;
  UPDATE libraries SET index_change = index_change + 1 WHERE account_id = account AND NOT closed
  RETURNING index_change INTO taken;
  IF taken IS NOT NULL THEN
    PERFORM set_config('app.index_change', account || ' ' || taken, true);
  END IF;
  RETURN taken;
END $taken$;

CREATE FUNCTION note_index_changes(account text, changed bigint[], is_text boolean) RETURNS void
LANGUAGE plpgsql AS $noted$
DECLARE
  taken bigint := take_index_change(account);
BEGIN
  IF taken IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO index_changes AS c (account_id, item, change, text_change)
  SELECT account, item, taken, CASE WHEN is_text THEN taken ELSE 0 END FROM unnest(changed) item
  ON CONFLICT (account_id, item) DO UPDATE
    SET change = excluded.change, text_change = greatest(c.text_change, excluded.text_change)
    WHERE c.change < excluded.change OR c.text_change < excluded.text_change;
END $noted$;

-- Items whose columns for searches changed.
CREATE FUNCTION note_index_item() RETURNS trigger LANGUAGE plpgsql AS $noted$
BEGIN
  PERFORM note_index_changes(NEW.account_id, ARRAY[NEW.seq], OLD.visible_document IS DISTINCT FROM NEW.visible_document);
  RETURN NULL;
END $noted$;
CREATE TRIGGER note_index AFTER UPDATE ON items FOR EACH ROW
  WHEN (OLD.id IS DISTINCT FROM NEW.id OR OLD.url IS DISTINCT FROM NEW.url
    OR OLD.canonical_url IS DISTINCT FROM NEW.canonical_url OR OLD.state IS DISTINCT FROM NEW.state
    OR OLD.content_type IS DISTINCT FROM NEW.content_type OR OLD.passage_count IS DISTINCT FROM NEW.passage_count
    OR OLD.visible_document IS DISTINCT FROM NEW.visible_document OR OLD.duplicate_of IS DISTINCT FROM NEW.duplicate_of
    OR OLD.given_title IS DISTINCT FROM NEW.given_title OR OLD.notes IS DISTINCT FROM NEW.notes
    OR OLD.known::text IS DISTINCT FROM NEW.known::text OR OLD.created_at IS DISTINCT FROM NEW.created_at
    OR OLD.deleted_at IS DISTINCT FROM NEW.deleted_at)
  EXECUTE FUNCTION note_index_item();

-- Passages whose highlights changed.
CREATE FUNCTION note_index_marks() RETURNS trigger LANGUAGE plpgsql AS $noted$
BEGIN
  PERFORM note_index_changes(NEW.account_id, ARRAY[NEW.item], false);
  RETURN NULL;
END $noted$;
CREATE TRIGGER note_index AFTER UPDATE OF marks ON passages FOR EACH ROW
  WHEN (OLD.marks::text IS DISTINCT FROM NEW.marks::text) EXECUTE FUNCTION note_index_marks();

-- Items of all rows that a statement inserted, changed or deleted: a book has thousands of passages. The argument
-- says whether their text changed.
CREATE FUNCTION note_index_items() RETURNS trigger LANGUAGE plpgsql AS $noted$
DECLARE
  account text;
  of_account bigint[];
BEGIN
  FOR account, of_account IN SELECT account_id, array_agg(seq) FROM changed GROUP BY account_id LOOP
    PERFORM note_index_changes(account, of_account, TG_ARGV[0]::boolean);
  END LOOP;
  RETURN NULL;
END $noted$;
CREATE FUNCTION note_index_rows() RETURNS trigger LANGUAGE plpgsql AS $noted$
DECLARE
  account text;
  of_account bigint[];
BEGIN
  FOR account, of_account IN SELECT account_id, array_agg(DISTINCT item) FROM changed GROUP BY account_id LOOP
    PERFORM note_index_changes(account, of_account, TG_ARGV[0]::boolean);
  END LOOP;
  RETURN NULL;
END $noted$;
CREATE TRIGGER note_index_insert AFTER INSERT ON items REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_index_items('false');
CREATE TRIGGER note_index_delete AFTER DELETE ON items REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_index_items('true');
CREATE TRIGGER note_index_insert AFTER INSERT ON item_tags REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_index_rows('false');
CREATE TRIGGER note_index_update AFTER UPDATE ON item_tags REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_index_rows('false');
CREATE TRIGGER note_index_delete AFTER DELETE ON item_tags REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_index_rows('false');
CREATE TRIGGER note_index_insert AFTER INSERT ON passages REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_index_rows('true');
CREATE TRIGGER note_index_delete AFTER DELETE ON passages REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_index_rows('true');
