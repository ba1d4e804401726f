import type { ChangedRow, Kind, Values } from '../../history/changed-rows.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

type StoredRow = Omit<ChangedRow, 'before' | 'after'> & { before: string | null; after: string | null };

const columns = 'id, entry, kind, key, part, item, subject, before, after';

const parsed = (json: string | null): Values | null => (json === null ? null : (JSON.parse(json) as Values));

function toRow(row: StoredRow): ChangedRow {
  return { ...row, before: parsed(row.before), after: parsed(row.after) };
}

/** The rows of an entry with smaller ids than `below`, the last ones first. */
export function changedRows(file: SqliteFile, entry: number, below: number, limit: number): ChangedRow[] {
  return file
    .all<StoredRow>(
      `SELECT ${columns} FROM history_changes INDEXED BY history_changes_by_entry WHERE entry = ? AND id < ? AND before IS NOT after ORDER BY id DESC LIMIT ?`,
      entry,
      below,
      limit,
    )
    .map(toRow);
}

/** The first rows of an entry; of an item, an action item, a goal or a highlight when one is given. */
export function firstRows(
  file: SqliteFile,
  entry: number,
  of: { item: number } | { subject: string } | null,
  limit: number,
): ChangedRow[] {
  const [condition, parameters] =
    of === null ? ['', []] : 'item' in of ? ['AND item = ?', [of.item]] : ['AND subject = ?', [of.subject]];
  return file
    .all<StoredRow>(
      `SELECT ${columns} FROM history_changes ${of === null ? 'INDEXED BY history_changes_by_entry' : ''}
       WHERE entry = ? ${condition} AND before IS NOT after ORDER BY id LIMIT ?`,
      entry,
      ...parameters,
      limit,
    )
    .map(toRow);
}

const current: Readonly<Record<Kind, string>> = {
  item: 'SELECT * FROM items WHERE seq = @key',
  tag: 'SELECT tag, ordinal FROM item_tags WHERE item = @key AND folded = @part',
  action: 'SELECT * FROM actions WHERE seq = @key',
  goal: 'SELECT * FROM goals WHERE seq = @key',
  insight: 'SELECT * FROM insights WHERE item = @key AND ordinal = CAST(@part AS INTEGER)',
  original:
    'SELECT hex(hash) AS hash, url, given, length(bytes) AS stored FROM originals WHERE item = @key AND name = @part',
  highlight: 'SELECT * FROM highlights WHERE seq = @key',
};

/** The row as it is now; null when it is not there. */
export function currentRow(
  file: SqliteFile,
  { kind, key, part }: Pick<ChangedRow, 'kind' | 'key' | 'part'>,
): Values | null {
  // Every statement names the same parameters, so that the driver accepts them.
  return file.get<Values>(`${current[kind]} AND @part IS NOT NULL`, { key, part }) ?? null;
}
