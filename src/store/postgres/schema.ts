import { readFileSync } from 'node:fs';

/** One step from the first version of the schema to the present one. Only append: a migration that was released never changes. */
export interface Migration {
  name: string;
  sql: string;
  /** Takes away or changes what programs that do not know this migration use. */
  isContraction?: boolean;
}

/** The statements that make an empty database. */
export function readSchema(): string {
  return readFileSync(new URL('./schema.sql', import.meta.url), 'utf8');
}

export const migrations: readonly Migration[] = [
  {
    name: 'shelves, lists, proposed tags, priorities',
    sql: `
      ALTER TABLE items ADD COLUMN shelf text NOT NULL DEFAULT 'inbox' CHECK (shelf IN ('inbox', 'later', 'archive')),
        ADD COLUMN read_at bigint, ADD COLUMN reading_start integer, ADD COLUMN reading_share double precision;
      ALTER TABLE items NO FORCE ROW LEVEL SECURITY, DISABLE TRIGGER USER;
      ALTER TABLE item_tags NO FORCE ROW LEVEL SECURITY;
      UPDATE items SET shelf = CASE WHEN EXISTS (SELECT 1 FROM item_tags t
          WHERE t.account_id = items.account_id AND t.item = items.seq AND t.folded = 'later') THEN 'later'
        ELSE 'archive' END
      WHERE NOT EXISTS (SELECT 1 FROM item_tags t
        WHERE t.account_id = items.account_id AND t.item = items.seq AND t.folded = 'unread');
      ALTER TABLE items FORCE ROW LEVEL SECURITY, ENABLE TRIGGER USER;
      ALTER TABLE item_tags FORCE ROW LEVEL SECURITY;
      ALTER TABLE actions ADD COLUMN priority text NOT NULL DEFAULT 'normal' CHECK (priority IN ('high', 'normal', 'low')),
        ADD COLUMN snoozed_until text;
      ALTER TABLE tokens ADD COLUMN held_to json;
      CREATE INDEX items_by_shelf ON items (account_id, shelf, created_at DESC, seq DESC) INCLUDE (read_at) WHERE deleted_at IS NULL;
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
      DO $secured$
      DECLARE
        secured text;
      BEGIN
        FOREACH secured IN ARRAY ARRAY['lists', 'list_items', 'tag_proposals']
        LOOP
          EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', secured);
          EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', secured);
          EXECUTE format('CREATE POLICY own_account ON %I USING (account_id = current_setting(''app.account'', true))', secured);
        END LOOP;
      END $secured$;
CREATE OR REPLACE FUNCTION noted(r items) RETURNS noted_row LANGUAGE sql IMMUTABLE AS $noted$
  SELECT 'item', r.seq, '', r.seq, r.id, json_build_object(
    'url', r.url, 'canonical_url', r.canonical_url, 'given_title', r.given_title, 'notes', r.notes,
    'created_at', r.created_at, 'deleted_at', r.deleted_at, 'deleted_passed', r.deleted_passed, 'summary', r.summary,
    'analysis', r.analysis::text, 'processed_at', r.processed_at, 'undone', r.undone::integer,
    'shelf', r.shelf, 'read_at', r.read_at)
$noted$;
CREATE OR REPLACE FUNCTION noted(r actions) RETURNS noted_row LANGUAGE sql IMMUTABLE AS $noted$
  SELECT 'action', r.seq, '', r.item, r.id, json_build_object(
    'item', r.item, 'document', r.document, 'goal', r.goal, 'goal_reason', r.goal_reason, 'title', r.title,
    'reason', r.reason, 'quote', r.quote, 'start_at', r.start_at, 'end_at', r.end_at, 'locator', r.locator::text,
    'url', r.url, 'state', r.state, 'touched_at', r.touched_at, 'completed_at', r.completed_at,
    'created_at', r.created_at, 'merged_into', r.merged_into, 'due', r.due,
    'priority', r.priority, 'snoozed_until', r.snoozed_until)
$noted$;
DROP TRIGGER record_change ON items;
CREATE TRIGGER record_change AFTER INSERT OR DELETE OR UPDATE OF url, canonical_url, given_title, notes, created_at, deleted_at,
  deleted_passed, summary, analysis, processed_at, undone, shelf, read_at ON items
  FOR EACH ROW WHEN (current_setting('app.change', true) <> '') EXECUTE FUNCTION record_change();
      `,
  },
  {
    name: 'history of lists',
    sql: `
DROP INDEX history_changes_by_subject;
CREATE INDEX history_changes_by_subject ON history_changes (account_id, subject, entry)
  WHERE kind IN ('action', 'goal', 'highlight', 'list', 'list_item');
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
CREATE TRIGGER record_change AFTER INSERT OR DELETE OR UPDATE OF name, icon, query, ordinal ON lists
  FOR EACH ROW WHEN (current_setting('app.change', true) <> '') EXECUTE FUNCTION record_change();
CREATE TRIGGER record_change AFTER INSERT OR DELETE OR UPDATE OF ordinal ON list_items
  FOR EACH ROW WHEN (current_setting('app.change', true) <> '') EXECUTE FUNCTION record_change();
    `,
  },
  {
    name: 'pages fetched anew, sources',
    sql: `
      ALTER TABLE jobs ADD COLUMN refresh boolean NOT NULL DEFAULT false;
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
      DO $secured$
      DECLARE
        secured text;
      BEGIN
        FOREACH secured IN ARRAY ARRAY['page_checks', 'sources', 'source_entries']
        LOOP
          EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', secured);
          EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', secured);
          EXECUTE format('CREATE POLICY own_account ON %I USING (account_id = current_setting(''app.account'', true))', secured);
        END LOOP;
      END $secured$;
DROP INDEX history_changes_by_subject;
CREATE INDEX history_changes_by_subject ON history_changes (account_id, subject, entry)
  WHERE kind IN ('action', 'goal', 'highlight', 'list', 'list_item', 'source');
CREATE FUNCTION noted(r sources) RETURNS noted_row LANGUAGE sql IMMUTABLE AS $noted$
  SELECT 'source', r.seq, '', NULL::bigint, r.id, json_build_object(
    'name', r.name, 'state', r.state, 'options', r.options::text, 'every_ms', r.every_ms)
$noted$;
CREATE TRIGGER record_change AFTER INSERT OR UPDATE OF name, state, options, every_ms ON sources
  FOR EACH ROW WHEN (current_setting('app.change', true) <> '') EXECUTE FUNCTION record_change();
    `,
  },
];
