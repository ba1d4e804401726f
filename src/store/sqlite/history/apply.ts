import type { ClockReading } from '../../../domain/clock.ts';
import { type ChangedRow, differingColumns, type Values } from '../../history/changed-rows.ts';
import { requireRoomForTags, restoredActionColumns, restoredItemColumns } from '../../history/restored-columns.ts';
import { noteChangedGoal } from '../../library/goals.ts';
import { touchAction } from '../../library/merged-actions.ts';
import { bridge, runSteps } from '../library/sqlite-db.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { currentRows } from '../../library/history-rows.ts';
import { reindexWords } from '../index/index.ts';
import { countTags, moveToTrash, restartJob, stopJob, takeFromTrash, touchItem } from '../items/bridged.ts';
import { restoreHighlights } from './restore-highlights.ts';

interface Now {
  file: SqliteFile;
  now: number;
  clock: ClockReading;
}

/**
 * Brings rows back to what they were before they were recorded. What is derived follows: a deleted item comes back from
 * the trash with its passages and vectors, and one whose text was replaced is read again from the bytes that it had.
 */
export function restoreRows(at: Now, rows: readonly ChangedRow[]): void {
  const { file, now } = at;
  const of = (kind: ChangedRow['kind']) => rows.filter((row) => row.kind === kind);
  const items = of('item');
  for (const row of of('goal')) if (row.before !== null) restoreGoal(at, row, row.before);
  for (const row of items) restoreColumns(file, row);
  for (const row of of('original')) restoreOriginal(at, row);
  restoreTags(file, of('tag'));
  restoreInsights(file, of('insight'));
  restoreActions(at, of('action'));
  restoreHighlights(file, of('highlight'), now);
  for (const row of of('goal')) if (row.before === null) removeGoal(file, row);
  for (const row of items) restorePlace(at, row);
  for (const item of new Set(rows.flatMap((row) => row.item ?? []))) touchItem(file, item, now);
}

function restoreColumns(file: SqliteFile, row: ChangedRow): void {
  const { before } = row;
  if (before === null) return;
  const columns = restoredItemColumns(row);
  if (columns.length === 0) return;
  update(file, 'items', row.key, columns, before);
  if (columns.includes('given_title')) reindexWords(file, row.key);
  // The item waits for an analysis by a model or an assistant again.
  if (columns.includes('analysis'))
    file.run(
      `UPDATE llm_analyses SET state = 'waiting', due_at = 0, attempts = 0, lease_token = NULL
       WHERE item = ? AND state = 'done'`,
      row.key,
    );
}

/** The table names are ours; the values are bound. */
function update(
  file: SqliteFile,
  table: 'items' | 'actions' | 'goals',
  row: number,
  columns: string[],
  values: Values,
): void {
  file.run(
    `UPDATE ${table} SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE seq = ?`,
    ...columns.map((column) => values[column] ?? null),
    row,
  );
}

/** Deletes an item, or brings it back, as it was before. An item that was not there goes to the trash. */
function restorePlace({ file, now, clock }: Now, row: ChangedRow): void {
  const { before } = row;
  const item = file.get<{ id: string; deletedAt: number | null }>(
    'SELECT id, deleted_at AS deletedAt FROM items WHERE seq = ?',
    row.key,
  );
  if (item === undefined) return;
  if (before === null) {
    if (item.deletedAt !== null) return;
    moveToTrash(file, item.id, now, clock);
    file.run('UPDATE items SET undone = 1, notes = NULL, given_title = NULL WHERE seq = ?', row.key);
    return;
  }
  if (!differingColumns(row).includes('deleted_at')) return;
  if (before['deleted_at'] === null) takeFromTrash(file, item.id, now, clock);
  else if (item.deletedAt === null) {
    moveToTrash(file, item.id, now, clock);
    update(file, 'items', row.key, ['deleted_at', 'deleted_passed', 'undone'], before);
  }
}

const originalColumns = 'item, name, url, final_url, declared_type, fetched_at, given, hash, packing, bytes';

function restoreOriginal({ file, now }: Now, { entry, key, part, before }: ChangedRow): void {
  const isNew =
    file.get(
      `SELECT 1 FROM history_changes WHERE entry = ? AND kind = 'item' AND key = ? AND part = '' AND before IS NULL`,
      entry,
      key,
    ) !== undefined;
  // It goes to the trash with its item, and comes back with it.
  if (before === null && isNew) return;
  file.run('DELETE FROM originals WHERE item = ? AND name = ?', key, part);
  file.run(
    `INSERT INTO originals (${originalColumns})
     SELECT ${originalColumns} FROM history_originals WHERE entry = ? AND item = ? AND name = ?`,
    entry,
    key,
    part,
  );
  if (part !== '') return;
  restartJob(file, key, before === null ? 'fetch' : 'extract', now);
  if (file.get('SELECT 1 FROM items WHERE seq = ? AND deleted_at IS NOT NULL', key) !== undefined) stopJob(file, key);
}

/** @throws {AppError} `invalid_input` when an item would have too many tags */
function restoreTags(file: SqliteFile, rows: readonly ChangedRow[]): void {
  for (const { key, part, before } of rows) {
    if (before === null) file.run('DELETE FROM item_tags WHERE item = ? AND folded = ?', key, part);
    else
      file.run(
        `INSERT INTO item_tags (item, folded, tag, ordinal) VALUES (?, ?, ?, ?)
         ON CONFLICT (item, folded) DO UPDATE SET tag = excluded.tag, ordinal = excluded.ordinal`,
        key,
        part,
        before['tag'],
        before['ordinal'],
      );
  }
  for (const item of new Set(rows.map(({ key }) => key))) requireRoomForTags(countTags(file, item));
}

/** All insights of an item come from one analysis, and are replaced together. Their goals are looked for again. */
function restoreInsights(file: SqliteFile, rows: readonly ChangedRow[]): void {
  for (const item of new Set(rows.map(({ key }) => key))) file.run('DELETE FROM insights WHERE item = ?', item);
  for (const { key, part, before } of rows)
    if (before !== null && hasDocument(file, before))
      file.run(
        `INSERT INTO insights (item, ordinal, document, text, quote, start_at, end_at, locator, url)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        key,
        Number(part),
        ...['document', 'text', 'quote', 'start_at', 'end_at', 'locator', 'url'].map(
          (column) => before[column] ?? null,
        ),
      );
}

function restoreActions({ file, now }: Now, rows: readonly ChangedRow[]): void {
  for (const { key, before } of rows) if (before === null) file.run('DELETE FROM actions WHERE seq = ?', key);
  for (const one of rows) if (one.before !== null && one.after === null) insertAction(file, one, one.before);
  for (const one of rows) if (one.before !== null && one.after !== null) updateAction(file, one, one.before);
  for (const { key, before } of rows)
    if (before !== null) {
      // An action that it was merged into may have come back only now.
      file.run(
        `UPDATE actions SET merged_into = (SELECT seq FROM actions WHERE seq = @head AND merged_into IS NULL)
         WHERE seq = @key AND merged_into IS NULL AND @head IS NOT NULL`,
        { key, head: before['merged_into'] ?? null },
      );
      runSteps(file, touchAction(bridge(file, now), key));
    }
}

const currentRow = (file: SqliteFile, row: Pick<ChangedRow, 'kind' | 'key' | 'part' | 'item'>): Values | null =>
  runSteps(file, currentRows(bridge(file), [row]))(row);

const hasDocument = (file: SqliteFile, { document }: Values): boolean =>
  document === null || file.get('SELECT 1 FROM documents WHERE id = ?', document) !== undefined;

const hasGoal = (file: SqliteFile, { goal }: Values) =>
  goal === null || file.get('SELECT 1 FROM goals WHERE id = ?', goal) !== undefined;

function insertAction(file: SqliteFile, { key, subject }: ChangedRow, before: Values): void {
  if (currentAction(file, key) !== null || !hasDocument(file, before)) return;
  const values = { ...before, merged_into: null, goal: hasGoal(file, before) ? before['goal'] : null };
  const columns = Object.keys(values);
  file.run(
    `INSERT INTO actions (seq, id, ${columns.join(', ')}) VALUES (?, ?, ${columns.map(() => '?').join(', ')})`,
    key,
    subject,
    ...Object.values(values),
  );
}

function updateAction(file: SqliteFile, changed: ChangedRow, before: Values): void {
  const there = currentAction(file, changed.key);
  if (there === null) return;
  const { columns, standsAlone } = restoredActionColumns(changed, there, {
    hasDocument: hasDocument(file, before),
    hasGoal: hasGoal(file, before),
  });
  if (columns.length > 0) update(file, 'actions', changed.key, columns, before);
  if (standsAlone) file.run('UPDATE actions SET merged_into = NULL WHERE seq = ?', changed.key);
  if (columns.includes('title')) file.run('UPDATE actions SET has_words = 0 WHERE seq = ?', changed.key);
}

function currentAction(file: SqliteFile, key: number): Values | null {
  return currentRow(file, { kind: 'action', key, part: '', item: null });
}

function restoreGoal({ file }: Now, changed: ChangedRow, before: Values): void {
  const { key, subject } = changed;
  const columns = Object.keys(before);
  if (currentRow(file, { kind: 'goal', key, part: '', item: null }) === null)
    file.run(
      `INSERT INTO goals (seq, id, ${columns.join(', ')}) VALUES (?, ?, ${columns.map(() => '?').join(', ')})`,
      key,
      subject,
      ...Object.values(before),
    );
  else update(file, 'goals', key, differingColumns(changed), before);
  runSteps(file, noteChangedGoal(bridge(file), subject ?? '', before['archived_at'] !== null));
}

/** Its action items are linked to other goals. */
function removeGoal(file: SqliteFile, { key, subject }: ChangedRow): void {
  runSteps(file, noteChangedGoal(bridge(file), subject ?? '', false));
  for (const table of ['actions', 'insights'])
    file.run(`UPDATE ${table} SET goal = NULL, goal_reason = NULL WHERE goal = ?`, subject);
  file.run('DELETE FROM goals WHERE seq = ?', key);
}
