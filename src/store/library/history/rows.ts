import { type ChangedRow, type Kind, recordedColumns, type Values } from '../../history/changed-rows.ts';
import type { FindItemName, ItemName } from '../../history/shown-changes.ts';
import { all, type Db, fromJson, sql, type Steps, text } from '../db.ts';

/** Some rows of the entry were removed. Then it can neither be shown nor undone. @param entry the table or its alias */
export const hasLostRows = (entry: string) => text(`${entry}.id LIKE 'pruned %'`);

/** A row of `history_changes` that was changed. An entry may note rows that are as they were before. */
export const isChanged = sql`CAST(x.before AS text) IS DISTINCT FROM CAST(x.after AS text)`;

/** Records other than items that have ids. Their index has the same condition. */
export const withSubjects = sql`x.kind IN ('action', 'goal', 'highlight', 'list', 'list_item', 'source')`;

export function* itemNames(db: Db, rows: readonly Pick<ChangedRow, 'item'>[]): Steps<FindItemName> {
  const keys = [...new Set(rows.flatMap(({ item }) => item ?? []))];
  const items =
    keys.length === 0
      ? []
      : yield* all<ItemName & { seq: number }>`
          SELECT i.seq, i.id, coalesce(i.given_title, d.title) AS title, i.url
          FROM items i LEFT JOIN documents d ON ${db.of('d')} AND d.id = i.visible_document
          WHERE ${db.of('i')} AND i.seq IN (SELECT k.value FROM ${db.numbers('k', keys)})`;
  const bySeq = new Map(items.map(({ seq, ...name }) => [seq, name]));
  return (key) => (key === null ? undefined : bySeq.get(key));
}

type StoredRow = Omit<ChangedRow, 'before' | 'after'> & { before: unknown; after: unknown };

const selected = (db: Db, entry: number) => sql`
  SELECT x.id, x.entry, x.kind, x.key, x.part, x.item, x.subject, x.before, x.after FROM history_changes x
  WHERE ${db.of('x')} AND x.entry = ${entry} AND ${isChanged}`;

function toRow(db: Db, { before, after, ...row }: StoredRow): ChangedRow {
  const { json } = recordedColumns[row.kind];
  const toValues = (stored: unknown): Values | null => {
    const values = fromJson<Values | null>(stored);
    if (values === null) return null;
    const decoded = Object.entries(values).map(([column, value]) => [
      column,
      typeof value === 'string' && !json.includes(column) ? db.recording.text(value) : value,
    ]);
    return Object.fromEntries(decoded) as Values;
  };
  return { ...row, before: toValues(before), after: toValues(after) };
}

/** The rows of an entry with smaller ids than `below`, the last ones first. */
export function* changedRows(db: Db, entry: number, below: number, limit: number): Steps<ChangedRow[]> {
  const rows = yield* all<StoredRow>`
    ${selected(db, entry)} AND x.id < ${below} ORDER BY x.id DESC LIMIT ${limit}`;
  return rows.map((row) => toRow(db, row));
}

/** The first rows of an entry; of an item, an action item, a goal, a highlight, a list or a source when one is given. */
export function* firstRows(
  db: Db,
  entry: number,
  of: { item: number } | { subject: string } | null,
  limit: number,
): Steps<ChangedRow[]> {
  const about =
    of === null
      ? sql``
      : 'item' in of
        ? sql`AND x.item = ${of.item}`
        : sql`AND x.subject = ${of.subject} AND ${withSubjects}`;
  const rows = yield* all<StoredRow>`${selected(db, entry)} ${about} ORDER BY x.id LIMIT ${limit}`;
  return rows.map((row) => toRow(db, row));
}

type NamedRow = Pick<ChangedRow, 'kind' | 'key' | 'part'>;

/** Finds a row as it is now; null when it is not there. */
export type CurrentRows = (row: NamedRow) => Values | null;

const nameOf = ({ kind, key, part }: NamedRow) => `${kind} ${key} ${part}`;

/** Where the rows of a kind are: the table `t`, and the key and its part. */
const places: Readonly<Record<Kind, { table: string; key: string; part: string }>> = {
  item: { table: 'items', key: 'seq', part: `''` },
  action: { table: 'actions', key: 'seq', part: `''` },
  goal: { table: 'goals', key: 'seq', part: `''` },
  highlight: { table: 'highlights', key: 'seq', part: `''` },
  list: { table: 'lists', key: 'seq', part: `''` },
  source: { table: 'sources', key: 'seq', part: `''` },
  list_item: { table: 'list_items', key: 'item', part: 'CAST(t.list AS text)' },
  tag: { table: 'item_tags', key: 'item', part: 't.folded' },
  insight: { table: 'insights', key: 'item', part: 'CAST(t.ordinal AS text)' },
  original: { table: 'originals', key: 'item', part: 't.name' },
  text: { table: 'items', key: 'seq', part: `''` },
};

export function* currentRows(db: Db, rows: readonly (NamedRow & Pick<ChangedRow, 'item'>)[]): Steps<CurrentRows> {
  const found = new Map<string, Values>();
  for (const kind of new Set(rows.map((row) => row.kind))) {
    const { table, key, part } = places[kind];
    const { columns } = recordedColumns[kind];
    const ofKind = rows.filter((row) => row.kind === kind);
    const keys = [...new Set(ofKind.map((row) => row.key))];
    const items = [...new Set(ofKind.flatMap(({ item }) => item ?? []))];
    const stored = yield* all<{ key: number; part: string } & Record<string, unknown>>`
      SELECT ${text(`t.${key} AS key, ${part} AS part, ${columns.map((column, at) => `t.${column} AS c${at}`).join(', ')}`)}
      FROM ${text(table)} t WHERE ${db.of('t')} AND ${text(`t.${key}`)} IN (SELECT k.value FROM ${db.numbers('k', keys)})
        ${kind === 'highlight' ? sql`AND t.item IN (SELECT k.value FROM ${db.numbers('k', items)})` : sql``}`;
    for (const row of stored) {
      const values = columns.map((column, at) => [column, recordedValue(row[`c${at}`])]);
      const named = { kind, key: row.key, part: kind === 'original' ? db.recording.part(row.part) : row.part };
      found.set(nameOf(named), Object.fromEntries(values) as Values);
    }
  }
  return (row) => found.get(nameOf(row)) ?? null;
}

/** A value as triggers record it. */
function recordedValue(value: unknown): Values[string] {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex').toUpperCase();
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as Values[string]);
}

/** Those of the texts that rows pointed to that are still there. Null points to none. */
export function* existingDocuments(db: Db, rows: readonly Pick<ChangedRow, 'before'>[]): Steps<ReadonlySet<unknown>> {
  const pointedTo = rows
    .flatMap(({ before }) => [before?.['document'], before?.['visible_document']])
    .filter((id) => typeof id === 'number');
  const ids = [...new Set(pointedTo)];
  if (ids.length === 0) return new Set([null]);
  const found = yield* all<{ id: number }>`
    SELECT d.id FROM documents d WHERE ${db.of('d')} AND d.id IN (SELECT k.value FROM ${db.numbers('k', ids)})`;
  return new Set([null, ...found.map(({ id }) => id)]);
}
