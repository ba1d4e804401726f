import type { Migration } from './migration.ts';
import { rowLevelSecurity } from './row-level-security.ts';

/*
 * What people and assistants write is recorded by triggers, in the transaction that writes it: while `app.change` holds the
 * key of an entry of `history`, each changed row is noted once, as it was before the entry and as it is after it.
 * `history_originals` holds bytes that were replaced; `restored_changes` what entries say that came with an export, in the
 * words in which people see it. `passed` is the time that had certainly passed. `undone_from`: the rows with this id and
 * greater ones were undone. `transfer`: the entry took back an export, and is not exported itself.
 *
 * `before` and `after` hold columns under the names of `store/history/changed-rows.ts`. JSON stands in them as text: the
 * server does not read JSON with the character U+0000 in it.
 */

/** Names in the record, and SQL with `$` in place of the row. */
export type RecordedColumns = Readonly<Record<string, string>>;

const same = (columns: string): RecordedColumns =>
  Object.fromEntries(columns.split(' ').map((column) => [column, `$.${column}`]));

export const recordedColumns = {
  content: {
    ...same('url canonical_url given_title notes created_at deleted_at deleted_passed summary'),
    analysis: '$.analysis::text',
    processed_at: '$.processed_at',
    undone: '$.undone::integer',
  },
  action: {
    content: '$.item',
    ...same('document goal goal_reason title reason quote start_at end_at'),
    locator: '$.locator::text',
    ...same('url state touched_at completed_at created_at merged_into'),
  },
  goal: same('title category description created_at archived_at'),
  insight: {
    ...same('document text quote start_at end_at'),
    locator: '$.locator::text',
    url: '$.url',
  },
  highlight: same('source quote note colour touched_at created_at deleted_at'),
  tag: same('tag ordinal'),
  original: {
    hash: `upper(encode($.hash, 'hex'))`,
    url: '$.url',
    given: '$.given::integer',
    stored: 'octet_length($.bytes)',
  },
} satisfies Record<string, RecordedColumns>;

type RecordedKind = keyof typeof recordedColumns;

/** SQL: the record of a row. */
export function recordOf(columns: RecordedColumns, row: string): string {
  const pairs = Object.entries(columns).map(([name, sql]) => `'${name}', ${sql.replaceAll('$', row)}`);
  return `json_build_object(${pairs.join(', ')})`;
}

interface Recorded {
  table: string;
  kind: RecordedKind;
  /** SQL with `$` in place of the row: the key, the part of it, the item and the id. */
  key: string;
  part: string;
  item: string;
  subject: string;
}

const ofItem = { key: '$.item', item: '$.item', subject: 'NULL' };
const withId = { key: '$.seq', part: `''`, item: '$.item', subject: '$.id' };

/** Names of companions may be longer than what an index holds. */
export const partOfOriginal = `CASE WHEN $.name = '' THEN '' ELSE encode($.name_hash, 'hex') END`;

const ofOriginals: Recorded = { ...ofItem, table: 'originals', kind: 'original', part: partOfOriginal };

const recorded: readonly Recorded[] = [
  { ...withId, table: 'items', kind: 'content', item: '$.seq' },
  { ...withId, table: 'actions', kind: 'action' },
  { ...withId, table: 'goals', kind: 'goal', item: 'NULL' },
  { ...withId, table: 'highlights', kind: 'highlight' },
  { ...ofItem, table: 'insights', kind: 'insight', part: '$.ordinal::text' },
  { ...ofItem, table: 'item_tags', kind: 'tag', part: '$.folded' },
  ofOriginals,
];

/** The columns that are compared, as `UPDATE OF` wants them. */
const updatedColumns: Readonly<Partial<Record<RecordedKind, string>>> = {
  content:
    'url, canonical_url, given_title, notes, created_at, deleted_at, deleted_passed, summary, analysis, processed_at, undone',
};

/** `again`: what the row is, if it was noted before in this entry. */
function note(of: Recorded, row: 'OLD' | 'NEW', before: string, after: string, again: string): string {
  const at = (sql: string) => sql.replaceAll('$', row);
  return `PERFORM note_change('${of.kind}', ${row}.account_id, ${at(of.key)}, ${at(of.part)}, ${at(of.item)}, ${at(of.subject)},
      ${before}, ${after}, ${again});`;
}

/** Renaming a tag changes its key: then it is two changes. */
function functionOf(of: Recorded, columns: RecordedColumns): string {
  const [before, after] = [recordOf(columns, 'OLD'), recordOf(columns, 'NEW')];
  // A new item is described well enough by its address, and an import saves many.
  const made = of.kind === 'content' ? `json_build_object('url', NEW.url)` : after;
  return `
CREATE FUNCTION note_${of.table}() RETURNS trigger LANGUAGE plpgsql AS $noted$
BEGIN
  ${of.kind === 'original' ? `IF TG_OP <> 'INSERT' THEN PERFORM keep_original(OLD); END IF;` : ''}
  IF TG_OP = 'INSERT' THEN
    ${note(of, 'NEW', 'NULL', made, after)}
  ELSIF TG_OP = 'DELETE' THEN
    ${note(of, 'OLD', before, 'NULL', 'NULL')}
  ${
    of.kind === 'tag'
      ? `ELSIF OLD.folded <> NEW.folded THEN
    ${note(of, 'OLD', before, 'NULL', 'NULL')}
    ${note(of, 'NEW', 'NULL', after, after)}`
      : ''
  }
  ELSE
    ${note(of, 'OLD', before, after, after)}
  END IF;
  RETURN NULL;
END $noted$;`;
}

function triggersOf(of: Recorded): string {
  const columns = updatedColumns[of.kind];
  return `${functionOf(of, recordedColumns[of.kind])}
CREATE TRIGGER record_change AFTER INSERT OR DELETE OR UPDATE ${columns === undefined ? '' : `OF ${columns}`} ON ${of.table}
  FOR EACH ROW WHEN (current_setting('app.change', true) <> '') EXECUTE FUNCTION note_${of.table}();`;
}

/** SQL: records other columns of a kind from now on. */
export function replaceNotes(kind: RecordedKind, columns: RecordedColumns): string {
  return recorded
    .filter((of) => of.kind === kind)
    .map((of) => functionOf(of, columns).replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION'))
    .join('');
}

export const originalColumns =
  'item, name_hash, name, url, final_url, declared_type, fetched_at, given, hash, packing, bytes';

const functions = `
CREATE FUNCTION note_change(of_kind text, account text, of_key bigint, of_part text, of_item bigint, of_subject text,
  was json, made json, again json) RETURNS void LANGUAGE plpgsql AS $noted$
BEGIN
  INSERT INTO history_changes (account_id, entry, kind, key, part, item, subject, before, after)
  VALUES (account, current_setting('app.change')::bigint, of_kind, of_key, of_part, of_item, of_subject, was, made)
  ON CONFLICT (account_id, entry, kind, key, part) DO UPDATE SET after = again;
END $noted$;

-- Bytes that are replaced are kept, when they were not replaced before in this entry.
CREATE FUNCTION keep_original(o originals) RETURNS void LANGUAGE plpgsql AS $noted$
BEGIN
  INSERT INTO history_originals (account_id, entry, ${originalColumns})
  SELECT o.account_id, current_setting('app.change')::bigint, ${originalColumns
    .split(', ')
    .map((column) => `o.${column}`)
    .join(', ')}
  WHERE NOT EXISTS (SELECT 1 FROM history_changes c
    WHERE c.account_id = o.account_id AND c.entry = current_setting('app.change')::bigint AND c.kind = 'original'
      AND c.key = o.item AND c.part = ${partOfOriginal.replaceAll('$', 'o')});
END $noted$;
`;

const tables = `
ALTER TABLE libraries ADD COLUMN history_bytes bigint NOT NULL DEFAULT 0;

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
  WHERE kind IN ('action', 'goal', 'highlight');

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
  bytes bytea NOT NULL,
  PRIMARY KEY (account_id, entry, item, name_hash),
  FOREIGN KEY (account_id, entry) REFERENCES history (account_id, seq) ON DELETE CASCADE
);
ALTER TABLE history_originals ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE INDEX history_originals_by_item ON history_originals (account_id, item);

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
`;

/** In the order in which rows can be deleted. */
export const historyTables = ['restored_changes', 'history_originals', 'history_changes', 'history'] as const;

export const history: Migration = {
  name: 'history and undo',
  sql: tables + functions + recorded.map(triggersOf).join('') + rowLevelSecurity(historyTables),
};
