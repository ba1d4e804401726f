import {
  type ChangedRow,
  differingColumns,
  type Kind,
  recordedColumns,
  requireRoomForHighlights,
  requireRoomForTags,
  restoredActionColumns,
  restoredHighlightColumns,
  restoredItemColumns,
  type Values,
} from '../../history/changed-rows.ts';
import {
  all,
  assignments,
  type Db,
  first,
  grown,
  isKey,
  keyed,
  later,
  sql,
  type Steps,
  text,
  together,
  toJson,
  type Value,
} from '../db.ts';
import { moveToTrash, takeFromTrash } from '../items/deletion.ts';
import { removeList, requireRoom } from '../items/item-lists.ts';
import { noteChangedGoal } from '../analyses/goals.ts';
import { type CurrentRows, currentRows, existingDocuments } from './rows.ts';
import { restartJob, stopJob } from '../queue/jobs.ts';
import { chooseVersion } from '../items/versions.ts';
import { markPassages } from '../highlights.ts';
import { touchAction } from '../analyses/merged-actions.ts';

/**
 * Restores rows to their recorded state. Derived data follows: a deleted item returns with its passages and vectors, and one whose
 * text was replaced is read again from its previous bytes.
 */
export function* restoreRows(db: Db, rows: readonly ChangedRow[]): Steps<void> {
  const of = (kind: Kind) => rows.filter((row) => row.kind === kind);
  // Action items point to goals.
  yield* restoreGoals(db, of('goal'));
  yield* restoreLists(db, of('list'));
  yield* restoreSources(db, of('source'));
  for (const row of of('item')) yield* restoreColumns(db, row);
  for (const row of of('original')) yield* restoreOriginal(db, row);
  for (const row of of('text')) yield* restoreVersionOf(db, row);
  yield* restoreTags(db, of('tag'));
  yield* restoreInsights(db, of('insight'));
  yield* restoreActions(db, of('action'));
  yield* restoreHighlights(db, of('highlight'));
  for (const { subject, before } of of('goal')) if (before === null) yield* removeGoal(db, subject ?? '');
  for (const row of of('item')) yield* restorePlace(db, row);
  yield* restoreListItems(db, of('list_item'));
  for (const { key, before } of of('list')) if (before === null) yield* removeList(db, key);
  yield* later`
    UPDATE items SET updated_at = ${grown(db.now)} WHERE ${db.of('items')} AND seq IN (
      SELECT k.value FROM ${db.numbers('k', itemsOf(rows))})`;
}

const itemsOf = (rows: readonly ChangedRow[]): number[] => [...new Set(rows.flatMap(({ item }) => item ?? []))];

function recorded(kind: Kind, columns: readonly string[], values: Values): Record<string, Value> {
  const { json } = recordedColumns[kind];
  const parameter = (column: string): Value => {
    const value = values[column] ?? null;
    if (column === 'undone') return value === 1;
    return typeof value === 'string' && json.includes(column) ? toJson(JSON.parse(value)) : value;
  };
  return Object.fromEntries(columns.map((column) => [column, parameter(column)]));
}

/** The table names are ours. */
function* update(db: Db, table: string, key: number, values: Readonly<Record<string, Value>>): Steps<void> {
  if (Object.keys(values).length === 0) return;
  yield* later`UPDATE ${text(table)} SET ${assignments(values)} WHERE ${db.of(table)} AND seq = ${key}`;
}

function* restoreColumns(db: Db, row: ChangedRow): Steps<void> {
  const { key, before } = row;
  if (before === null) return;
  const columns = restoredItemColumns(row);
  const address = columns.includes('canonical_url') && keyed(db, 'canonical_url', String(before['canonical_url']));
  yield* update(db, 'items', key, { ...recorded('item', columns, before), ...address });
  if (columns.includes('given_title')) db.indexing.wordsChanged(key);
  // The item waits for an analysis by a model or an assistant again.
  if (columns.includes('analysis'))
    yield* later`
      UPDATE llm_analyses SET state = 'waiting', due_at = 0, attempts = 0, lease_token = NULL
      WHERE ${db.of('llm_analyses')} AND item = ${key} AND state = 'done'`;
}

/** Deletes an item, or brings it back, as it was before. An item that was not there goes to the trash. */
function* restorePlace(db: Db, row: ChangedRow): Steps<void> {
  const { key, before } = row;
  if (before !== null && !differingColumns(row).includes('deleted_at')) return;
  const item = yield* first<{ id: string; deletedAt: number | null }>`
    SELECT i.id, i.deleted_at FROM items i WHERE ${db.of('i')} AND i.seq = ${key}`;
  if (item === undefined) return;
  if (before !== null && before['deleted_at'] === null) yield* takeFromTrash(db, item.id);
  else if (item.deletedAt === null) {
    yield* moveToTrash(db, item.id);
    const values =
      before === null
        ? { undone: true, notes: null, given_title: null }
        : recorded('item', ['deleted_at', 'deleted_passed', 'undone'], before);
    yield* update(db, 'items', key, values);
  }
}

function* restoreOriginal(db: Db, { entry, key, part, before }: ChangedRow): Steps<void> {
  const [made, names] = yield* together(
    first`
      SELECT 1 AS made FROM history_changes x WHERE ${db.of('x')} AND x.entry = ${entry} AND x.kind = 'item'
        AND x.key = ${key} AND x.part = '' AND x.before IS NULL`,
    all<{ name: string }>`
      SELECT o.name FROM originals o WHERE ${db.of('o')} AND o.item = ${key}
      UNION SELECT h.name FROM history_originals h WHERE ${db.of('h')} AND h.entry = ${entry} AND h.item = ${key}`,
  );
  // It goes to the trash with its item, and comes back with it.
  if (before === null && made !== undefined) return;
  const name = part === '' ? '' : names.find((one) => db.recording.part(one.name) === part)?.name;
  // A companion that was not there before, and went since.
  if (name === undefined) return;
  const named = (alias: string) => sql`${text(alias)}.item = ${key} AND ${isKey(db, alias, 'name', name)}`;
  const columns = sql`
    item, name, url, final_url, declared_type, fetched_at, given, hash, packing, bytes ${db.recording.originalColumns}`;
  yield* later`DELETE FROM originals WHERE ${db.of('originals')} AND ${named('originals')}`;
  yield* later`
    INSERT INTO originals (${db.account.column} ${columns})
    SELECT ${db.account.value} ${columns} FROM history_originals h WHERE ${db.of('h')} AND h.entry = ${entry} AND ${named('h')}`;
  if (part !== '') return;
  yield* restartJob(db, key, before === null ? 'fetch' : 'extract');
  yield* stopInTrash(db, key);
}

function* restoreVersionOf(db: Db, { key, before }: ChangedRow): Steps<void> {
  yield* chooseVersion(db, key, Number(before?.['visible_document']));
  yield* stopInTrash(db, key);
}

function* stopInTrash(db: Db, item: number): Steps<void> {
  const hidden = yield* first`
    SELECT 1 AS hidden FROM items i WHERE ${db.of('i')} AND i.seq = ${item} AND i.deleted_at IS NOT NULL`;
  if (hidden !== undefined) yield* stopJob(db, item);
}

/** The largest number of rows that one of the items has. */
function* mostRows(db: Db, table: string, items: readonly number[], condition = sql``): Steps<number> {
  const most = yield* first<{ total: number }>`
    SELECT count(*) AS total FROM ${text(table)} t
    WHERE ${db.of('t')} AND t.item IN (SELECT k.value FROM ${db.numbers('k', items)}) ${condition}
    GROUP BY t.item ORDER BY 1 DESC LIMIT 1`;
  return most?.total ?? 0;
}

/** @throws {AppError} `invalid_input` when an item would have too many tags */
function* restoreTags(db: Db, rows: readonly ChangedRow[]): Steps<void> {
  if (rows.length === 0) return;
  for (const { key, part, before } of rows)
    if (before === null)
      yield* later`DELETE FROM item_tags WHERE ${db.of('item_tags')} AND item = ${key} AND folded = ${part}`;
    else
      yield* later`${db.row('item_tags', { item: key, folded: part, ...recorded('tag', ['tag', 'ordinal'], before) })}
        ON CONFLICT ${db.key('item', 'folded')} DO UPDATE SET tag = excluded.tag, ordinal = excluded.ordinal`;
  requireRoomForTags(yield* mostRows(db, 'item_tags', itemsOf(rows)));
}

/** All insights of an item come from one analysis, and are replaced together. Their goals are looked for again. */
function* restoreInsights(db: Db, rows: readonly ChangedRow[]): Steps<void> {
  if (rows.length === 0) return;
  const documents = yield* existingDocuments(db, rows);
  yield* later`
    DELETE FROM insights WHERE ${db.of('insights')} AND item IN (SELECT k.value FROM ${db.numbers('k', itemsOf(rows))})`;
  for (const { key, part, before } of rows)
    if (before !== null && documents.has(before['document']))
      yield* later`${db.row('insights', {
        item: key,
        ordinal: Number(part),
        ...recorded('insight', recordedColumns.insight.columns, before),
      })}`;
}

interface PointedTo {
  current: CurrentRows;
  documents: ReadonlySet<unknown>;
  goals: ReadonlySet<unknown>;
}

function* restoreActions(db: Db, rows: readonly ChangedRow[]): Steps<void> {
  if (rows.length === 0) return;
  const gone = rows.filter(({ before }) => before === null).map(({ key }) => key);
  yield* later`
    DELETE FROM actions WHERE ${db.of('actions')} AND seq IN (SELECT k.value FROM ${db.numbers('k', gone)})`;
  const [current, documents, goals] = yield* together(
    currentRows(db, rows),
    existingDocuments(db, rows),
    all<{ id: string }>`SELECT g.id FROM goals g WHERE ${db.of('g')}`,
  );
  const found = { current, documents, goals: new Set([null, ...goals.map(({ id }) => id)]) };
  for (const one of rows)
    if (one.before !== null && one.after === null) yield* insertAction(db, found, one, one.before);
  for (const one of rows)
    if (one.before !== null && one.after !== null) yield* updateAction(db, found, one, one.before);
  for (const { key, before } of rows) {
    if (before === null) continue;
    const head = before['merged_into'] ?? null;
    // An action that it was merged into may have come back only now.
    if (head !== null)
      yield* later`
        UPDATE actions SET merged_into = (
          SELECT h.seq FROM actions h WHERE ${db.of('h')} AND h.seq = ${head} AND h.merged_into IS NULL)
        WHERE ${db.of('actions')} AND seq = ${key} AND merged_into IS NULL`;
    yield* touchAction(db, key);
  }
}

function* insertAction(db: Db, found: PointedTo, changed: ChangedRow, before: Values): Steps<void> {
  if (found.current(changed) !== null || !found.documents.has(before['document'])) return;
  yield* later`${db.row('actions', {
    seq: changed.key,
    id: changed.subject,
    ...recorded('action', recordedColumns.action.columns, before),
    merged_into: null,
    ...(!found.goals.has(before['goal']) && { goal: null }),
  })}`;
}

function* updateAction(db: Db, found: PointedTo, changed: ChangedRow, before: Values): Steps<void> {
  const there = found.current(changed);
  if (there === null) return;
  const { columns, standsAlone } = restoredActionColumns(changed, there, {
    hasDocument: found.documents.has(before['document']),
    hasGoal: found.goals.has(before['goal']),
  });
  yield* update(db, 'actions', changed.key, {
    ...recorded('action', columns, before),
    ...(standsAlone && { merged_into: null }),
    ...(columns.includes('title') && { has_words: false }),
  });
}

function* restoreGoals(db: Db, rows: readonly ChangedRow[]): Steps<void> {
  const current = yield* currentRows(db, rows);
  for (const row of rows) {
    const { key, subject, before } = row;
    if (before === null) continue;
    if (current(row) === null)
      yield* later`${db.row('goals', {
        seq: key,
        id: subject,
        ...recorded('goal', recordedColumns.goal.columns, before),
      })}`;
    else yield* update(db, 'goals', key, recorded('goal', differingColumns(row), before));
    yield* noteChangedGoal(db, subject ?? '', before['archived_at'] !== null);
  }
}

function* restoreLists(db: Db, rows: readonly ChangedRow[]): Steps<void> {
  const current = yield* currentRows(db, rows);
  for (const row of rows) {
    const { key, subject, before } = row;
    if (before === null) continue;
    const there = current(row) !== null;
    const columns = there ? differingColumns(row) : recordedColumns.list.columns;
    const values = recorded('list', columns, before);
    if (there) yield* update(db, 'lists', key, { ...values, updated_at: grown(db.now) });
    else yield* later`${db.row('lists', { seq: key, id: subject, ...values, updated_at: db.now })}`;
  }
}

/** One that was not there is removed, which keeps its entries: when that is undone, nothing is taken twice. */
function* restoreSources(db: Db, rows: readonly ChangedRow[]): Steps<void> {
  for (const row of rows) {
    const { key, before } = row;
    const values = before === null ? { state: 'removed' } : recorded('source', differingColumns(row), before);
    const { state } = values;
    const due = state !== undefined && { due_at: state === 'active' ? db.now : null, lease_token: null };
    yield* update(db, 'sources', key, { ...values, ...due, updated_at: grown(db.now) });
  }
}

/**
 * Where the list or the item is gone, nothing is put.
 * @throws {AppError} `invalid_input` when a list would have too many items
 */
function* restoreListItems(db: Db, rows: readonly ChangedRow[]): Steps<void> {
  for (const { key, part, before } of rows) {
    const list = Number(part);
    if (before === null)
      yield* later`
        DELETE FROM list_items WHERE ${db.of('list_items')} AND item = ${key} AND list = ${list}`;
    else
      yield* later`
        INSERT INTO list_items (${db.account.column} list, item, ordinal, added_at)
        SELECT ${db.account.value} l.seq, i.seq, CAST(${before['ordinal'] ?? 0} AS bigint), CAST(${before['added_at'] ?? 0} AS bigint)
        FROM lists l CROSS JOIN items i
        WHERE ${db.of('l')} AND l.seq = ${list} AND ${db.of('i')} AND i.seq = ${key}
        ON CONFLICT ${db.key('list', 'item')} DO UPDATE SET ordinal = excluded.ordinal`;
  }
  const lists = rows.flatMap(({ part, before }) => (before === null ? [] : [Number(part)]));
  for (const list of new Set(lists)) yield* requireRoom(db, list);
}

/** Its action items are linked to other goals. */
function* removeGoal(db: Db, id: string): Steps<void> {
  yield* noteChangedGoal(db, id, false);
  for (const table of ['actions', 'insights'])
    yield* later`
      UPDATE ${text(table)} SET goal = NULL, goal_reason = NULL WHERE ${db.of(table)} AND goal = ${id}`;
  yield* later`DELETE FROM goals WHERE ${db.of('goals')} AND id = ${id}`;
}

/**
 * A highlight's location is not restored, but computed again when its words change. Its addition to the passages of its item is
 * written at once.
 * @throws {AppError} `invalid_input` when an item would have too many highlights
 */
function* restoreHighlights(db: Db, rows: readonly ChangedRow[]): Steps<void> {
  if (rows.length === 0) return;
  const gone = rows.filter(({ before }) => before === null).flatMap(({ subject }) => subject ?? []);
  yield* later`
    DELETE FROM highlights WHERE ${db.of('highlights')} AND id IN (SELECT k.value FROM ${db.texts('k', gone)})`;
  const current = yield* currentRows(db, rows);
  for (const row of rows) if (row.before !== null) yield* restoreHighlight(db, row, row.before, current(row));
  requireRoomForHighlights(yield* mostRows(db, 'highlights', itemsOf(rows), sql`AND t.deleted_at IS NULL`));
  for (const item of itemsOf(rows)) yield* markPassages(db, item);
}

function* restoreHighlight(db: Db, changed: ChangedRow, before: Values, there: Values | null): Steps<void> {
  const { key, item, subject, after } = changed;
  const { columns } = recordedColumns.highlight;
  if (there === null) {
    if (after !== null) return;
    // An import may have added the same one meanwhile.
    yield* later`${db.row('highlights', {
      seq: key,
      id: subject,
      item,
      updated_at: db.now,
      ...recorded('highlight', columns, before),
    })} ON CONFLICT DO NOTHING`;
  } else {
    const restored = restoredHighlightColumns(changed, there);
    if (restored.length === 0) return;
    const unplaced = { document: null, start_at: null, end_at: null, locator: null, url: null };
    const values = {
      ...recorded('highlight', restored, before),
      ...(restored.includes('quote') && unplaced),
      updated_at: grown(db.now),
    };
    yield* later`UPDATE highlights SET ${assignments(values)} WHERE ${db.of('highlights')} AND id = ${subject}`;
  }
  yield* later`
    UPDATE highlights AS h SET place_due = h.deleted_at IS NULL AND (h.place_due OR EXISTS (
      SELECT 1 FROM items i WHERE ${db.of('i')} AND i.seq = h.item AND i.visible_document IS NOT NULL
        AND i.visible_document IS DISTINCT FROM h.document))
    WHERE ${db.of('h')} AND h.id = ${subject}`;
}
