import type { Migration } from '../../files/migrate.ts';

/*
 * What people and assistants write is recorded by triggers, in the transaction that writes it: while `file_state.recording`
 * holds the key of an entry of `history`, each changed row is noted once, as it was before the entry and as it is after it.
 * `history_originals` holds bytes that were replaced. `passed` is the time that had certainly passed (`account-time.ts`).
 * `undone_from`: the rows with this id and greater ones were undone. `content.undone`: its save was undone.
 */

interface Recorded {
  table: string;
  kind: string;
  /** SQL with `$` in place of `old` or `new`. */
  row: string;
  part: string;
  item: string;
  subject: string;
  columns: readonly string[];
}

export const recorded: readonly Recorded[] = [
  {
    table: 'content',
    kind: 'content',
    row: '$.seq',
    part: `''`,
    item: '$.seq',
    subject: '$.id',
    columns: [
      'url',
      'canonical_url',
      'given_title',
      'notes',
      'created_at',
      'deleted_at',
      'deleted_passed',
      'summary',
      'analysis',
      'processed_at',
      'undone',
    ],
  },
  {
    table: 'actions',
    kind: 'action',
    row: '$.seq',
    part: `''`,
    item: '$.content',
    subject: '$.id',
    columns: [
      'content',
      'document',
      'goal',
      'goal_reason',
      'title',
      'reason',
      'quote',
      'start_at',
      'end_at',
      'locator',
      'url',
      'state',
      'touched_at',
      'completed_at',
      'created_at',
      'merged_into',
    ],
  },
  {
    table: 'goals',
    kind: 'goal',
    row: '$.seq',
    part: `''`,
    item: 'NULL',
    subject: '$.id',
    columns: ['title', 'category', 'description', 'created_at', 'archived_at'],
  },
  {
    table: 'insights',
    kind: 'insight',
    row: '$.content',
    part: '$.ordinal',
    item: '$.content',
    subject: 'NULL',
    columns: ['document', 'text', 'quote', 'start_at', 'end_at', 'locator', 'url'],
  },
  {
    table: 'highlights',
    kind: 'highlight',
    row: '$.seq',
    part: `''`,
    item: '$.content',
    subject: '$.id',
    columns: ['source', 'quote', 'note', 'colour', 'touched_at', 'created_at', 'deleted_at'],
  },
];

const isRecording = 'WHEN (SELECT recording FROM file_state) IS NOT NULL';

type Side = 'old' | 'new' | null;

/** Notes one row: `key` says whose names it has, the others what it was and is; `again` what it is if it was noted before. */
function note(
  of: Omit<Recorded, 'table' | 'columns'>,
  key: 'old' | 'new',
  before: string,
  after: string,
  again = 'excluded.after',
): string {
  const at = (sql: string) => sql.replaceAll('$', key);
  return `INSERT INTO history_changes (entry, kind, row, part, content, subject, before, after)
    VALUES ((SELECT recording FROM file_state), '${of.kind}', ${at(of.row)}, ${at(of.part)}, ${at(of.item)}, ${at(of.subject)},
      ${before}, ${after})
    ON CONFLICT (entry, kind, row, part) DO UPDATE SET after = ${again};`;
}

export function triggersOf(of: Recorded): string {
  const json = (side: Side) =>
    side === null ? 'NULL' : `json_object(${of.columns.map((column) => `'${column}', ${side}.${column}`).join(', ')})`;
  // A new item is described well enough by its address, and an import saves many.
  const made = of.kind === 'content' ? `json_object('url', new.url)` : json('new');
  return `
CREATE TRIGGER ${of.table}_add_to_history AFTER INSERT ON ${of.table} ${isRecording} BEGIN
  ${note(of, 'new', 'NULL', made, json('new'))}
END;
CREATE TRIGGER ${of.table}_change_in_history AFTER UPDATE OF ${of.columns.join(', ')} ON ${of.table} ${isRecording} BEGIN
  ${note(of, 'old', json('old'), json('new'))}
END;
CREATE TRIGGER ${of.table}_remove_in_history AFTER DELETE ON ${of.table} ${isRecording} BEGIN
  ${note(of, 'old', json('old'), 'NULL')}
END;`;
}

const tag = { kind: 'tag', row: '$.content', part: '$.folded', item: '$.content', subject: 'NULL' };
const tagJson = (side: 'old' | 'new') => `json_object('tag', ${side}.tag, 'ordinal', ${side}.ordinal)`;

/** Renaming a tag changes its key. */
const tagTriggers = `
CREATE TRIGGER content_tags_add_to_history AFTER INSERT ON content_tags ${isRecording} BEGIN
  ${note(tag, 'new', 'NULL', tagJson('new'))}
END;
CREATE TRIGGER content_tags_change_in_history AFTER UPDATE ON content_tags ${isRecording} AND old.folded = new.folded BEGIN
  ${note(tag, 'old', tagJson('old'), tagJson('new'))}
END;
CREATE TRIGGER content_tags_rename_in_history AFTER UPDATE ON content_tags ${isRecording} AND old.folded <> new.folded BEGIN
  ${note(tag, 'old', tagJson('old'), 'NULL')}
  ${note(tag, 'new', 'NULL', tagJson('new'))}
END;
CREATE TRIGGER content_tags_remove_in_history AFTER DELETE ON content_tags ${isRecording} BEGIN
  ${note(tag, 'old', tagJson('old'), 'NULL')}
END;`;

const original = { kind: 'original', row: '$.content', part: '$.name', item: '$.content', subject: 'NULL' };
const originalJson = (side: 'old' | 'new') =>
  `json_object('hash', hex(${side}.hash), 'url', ${side}.url, 'given', ${side}.given, 'stored', length(${side}.bytes))`;
const originalColumns =
  'content, name, url, final_url, media_type, declared_type, charset, fetched_at, given, hash, packing, bytes';

/** Originals are replaced by removing the row and adding another. */
const originalTriggers = `
CREATE TRIGGER originals_add_to_history AFTER INSERT ON originals ${isRecording} BEGIN
  ${note(original, 'new', 'NULL', originalJson('new'))}
END;
CREATE TRIGGER originals_remove_in_history BEFORE DELETE ON originals ${isRecording} BEGIN
  INSERT INTO history_originals (entry, ${originalColumns})
    SELECT f.recording, ${originalColumns
      .split(', ')
      .map((column) => `old.${column}`)
      .join(', ')}
    FROM file_state f WHERE NOT EXISTS (SELECT 1 FROM history_changes c
      WHERE c.entry = f.recording AND c.kind = 'original' AND c.row = old.content AND c.part = old.name);
  ${note(original, 'old', originalJson('old'), 'NULL')}
END;`;

export const history: Migration = {
  name: 'history',
  sql: `
ALTER TABLE file_state ADD COLUMN recording INTEGER;
ALTER TABLE file_state ADD COLUMN history_bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE content ADD COLUMN undone INTEGER NOT NULL DEFAULT 0 CHECK (undone IN (0, 1));

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
  undone_from INTEGER
) STRICT;
CREATE INDEX history_by_age ON history (passed);

CREATE TABLE history_changes (
  id INTEGER PRIMARY KEY,
  entry INTEGER NOT NULL REFERENCES history (seq) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  row INTEGER NOT NULL,
  part TEXT NOT NULL,
  content INTEGER,
  subject TEXT,
  before TEXT,
  after TEXT,
  UNIQUE (entry, kind, row, part)
) STRICT;
CREATE INDEX history_changes_by_entry ON history_changes (entry);
CREATE INDEX history_changes_by_item ON history_changes (content, entry) WHERE content IS NOT NULL;
CREATE INDEX history_changes_by_subject ON history_changes (subject, entry) WHERE kind IN ('action', 'goal', 'highlight');

CREATE TABLE history_originals (
  id INTEGER PRIMARY KEY,
  entry INTEGER NOT NULL REFERENCES history (seq) ON DELETE CASCADE,
  content INTEGER NOT NULL,
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  final_url TEXT NOT NULL,
  media_type TEXT NOT NULL,
  declared_type TEXT,
  charset TEXT,
  fetched_at TEXT NOT NULL,
  given INTEGER NOT NULL,
  hash BLOB NOT NULL,
  packing TEXT NOT NULL,
  bytes BLOB NOT NULL,
  UNIQUE (entry, content, name)
) STRICT;
${recorded.map(triggersOf).join('\n')}
${tagTriggers}
${originalTriggers}
`,
};
