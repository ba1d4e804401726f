import type { ClockReading } from '../../../domain/clock.ts';
import { type ChangedRow, differingColumns, type Values } from '../../history/changed-rows.ts';
import { requireRoomForTags, restoredActionColumns, restoredItemColumns } from '../../history/restored-columns.ts';
import { touchAction } from '../analyses/merged-actions.ts';
import { noteChangedGoal } from '../analyses/goal-links.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { reindexWords } from '../index/index.ts';
import { deleteContent, restoreContent } from '../items/deletion.ts';
import { countTags } from '../items/tags.ts';
import { touchContent } from '../items/touch-content.ts';
import { restartJob, stopJob } from '../queue/jobs.ts';
import { hasDocument } from './library-now.ts';
import { restoreHighlights } from './restore-highlights.ts';
import { currentRow } from './rows.ts';

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
  const items = of('content');
  for (const row of of('goal')) if (row.before !== null) restoreGoal(at, row, row.before);
  for (const row of items) restoreColumns(file, row);
  for (const row of of('original')) restoreOriginal(at, row);
  restoreTags(file, of('tag'));
  restoreInsights(file, of('insight'));
  restoreActions(at, of('action'));
  restoreHighlights(file, of('highlight'), now);
  for (const row of of('goal')) if (row.before === null) removeGoal(file, row);
  for (const row of items) restorePlace(at, row);
  for (const content of new Set(rows.flatMap((row) => row.content ?? []))) touchContent(file, content, now);
}

function restoreColumns(file: SqliteFile, row: ChangedRow): void {
  const { before } = row;
  if (before === null) return;
  const columns = restoredItemColumns(row);
  if (columns.length === 0) return;
  update(file, 'content', row.row, columns, before);
  if (columns.includes('given_title')) reindexWords(file, row.row);
  // The item waits for an analysis by a model or an assistant again.
  if (columns.includes('analysis'))
    file.run(
      `UPDATE better_analyses SET state = 'waiting', due_at = 0, attempts = 0, lease_token = NULL
       WHERE content = ? AND state = 'done'`,
      row.row,
    );
}

/** The table names are ours; the values are bound. */
function update(
  file: SqliteFile,
  table: 'content' | 'actions' | 'goals',
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
    'SELECT id, deleted_at AS deletedAt FROM content WHERE seq = ?',
    row.row,
  );
  if (item === undefined) return;
  if (before === null) {
    if (item.deletedAt !== null) return;
    deleteContent(file, item.id, now, clock);
    file.run('UPDATE content SET undone = 1, notes = NULL, given_title = NULL WHERE seq = ?', row.row);
    return;
  }
  if (!differingColumns(row).includes('deleted_at')) return;
  if (before['deleted_at'] === null) restoreContent(file, item.id, now, clock);
  else if (item.deletedAt === null) {
    deleteContent(file, item.id, now, clock);
    update(file, 'content', row.row, ['deleted_at', 'deleted_passed', 'undone'], before);
  }
}

const originalColumns =
  'content, name, url, final_url, media_type, declared_type, charset, fetched_at, given, hash, packing, bytes';

function restoreOriginal({ file, now }: Now, { entry, row, part, before }: ChangedRow): void {
  const isNew =
    file.get(
      `SELECT 1 FROM history_changes WHERE entry = ? AND kind = 'content' AND row = ? AND part = '' AND before IS NULL`,
      entry,
      row,
    ) !== undefined;
  // It goes to the trash with its item, and comes back with it.
  if (before === null && isNew) return;
  file.run('DELETE FROM originals WHERE content = ? AND name = ?', row, part);
  file.run(
    `INSERT INTO originals (${originalColumns})
     SELECT ${originalColumns} FROM history_originals WHERE entry = ? AND content = ? AND name = ?`,
    entry,
    row,
    part,
  );
  if (part !== '') return;
  restartJob(file, row, before === null ? 'fetch' : 'extract', now);
  if (file.get('SELECT 1 FROM content WHERE seq = ? AND deleted_at IS NOT NULL', row) !== undefined) stopJob(file, row);
}

/** @throws {AppError} `invalid_input` when an item would have too many tags */
function restoreTags(file: SqliteFile, rows: readonly ChangedRow[]): void {
  for (const { row, part, before } of rows) {
    if (before === null) file.run('DELETE FROM content_tags WHERE content = ? AND folded = ?', row, part);
    else
      file.run(
        `INSERT INTO content_tags (content, folded, tag, ordinal) VALUES (?, ?, ?, ?)
         ON CONFLICT (content, folded) DO UPDATE SET tag = excluded.tag, ordinal = excluded.ordinal`,
        row,
        part,
        before['tag'],
        before['ordinal'],
      );
  }
  for (const content of new Set(rows.map(({ row }) => row))) requireRoomForTags(countTags(file, content));
}

/** All insights of an item come from one analysis, and are replaced together. Their goals are looked for again. */
function restoreInsights(file: SqliteFile, rows: readonly ChangedRow[]): void {
  for (const content of new Set(rows.map(({ row }) => row)))
    file.run('DELETE FROM insights WHERE content = ?', content);
  for (const { row, part, before } of rows)
    if (before !== null && hasDocument(file, before))
      file.run(
        `INSERT INTO insights (content, ordinal, document, text, quote, start_at, end_at, locator, url)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        row,
        Number(part),
        ...['document', 'text', 'quote', 'start_at', 'end_at', 'locator', 'url'].map(
          (column) => before[column] ?? null,
        ),
      );
}

function restoreActions({ file, now }: Now, rows: readonly ChangedRow[]): void {
  for (const { row, before } of rows) if (before === null) file.run('DELETE FROM actions WHERE seq = ?', row);
  for (const one of rows) if (one.before !== null && one.after === null) insertAction(file, one, one.before);
  for (const one of rows) if (one.before !== null && one.after !== null) updateAction(file, one, one.before);
  for (const { row, before } of rows)
    if (before !== null) {
      // An action that it was merged into may have come back only now.
      file.run(
        `UPDATE actions SET merged_into = (SELECT seq FROM actions WHERE seq = @head AND merged_into IS NULL)
         WHERE seq = @row AND merged_into IS NULL AND @head IS NOT NULL`,
        { row, head: before['merged_into'] ?? null },
      );
      touchAction(file, row, now);
    }
}

const hasGoal = (file: SqliteFile, { goal }: Values) =>
  goal === null || file.get('SELECT 1 FROM goals WHERE id = ?', goal) !== undefined;

function insertAction(file: SqliteFile, { row, subject }: ChangedRow, before: Values): void {
  if (currentAction(file, row) !== null || !hasDocument(file, before)) return;
  const values = { ...before, merged_into: null, goal: hasGoal(file, before) ? before['goal'] : null };
  const columns = Object.keys(values);
  file.run(
    `INSERT INTO actions (seq, id, ${columns.join(', ')}) VALUES (?, ?, ${columns.map(() => '?').join(', ')})`,
    row,
    subject,
    ...Object.values(values),
  );
}

function updateAction(file: SqliteFile, changed: ChangedRow, before: Values): void {
  const there = currentAction(file, changed.row);
  if (there === null) return;
  const { columns, standsAlone } = restoredActionColumns(changed, there, {
    hasDocument: hasDocument(file, before),
    hasGoal: hasGoal(file, before),
  });
  if (columns.length > 0) update(file, 'actions', changed.row, columns, before);
  if (standsAlone) file.run('UPDATE actions SET merged_into = NULL WHERE seq = ?', changed.row);
  if (columns.includes('title')) file.run('UPDATE actions SET has_words = 0 WHERE seq = ?', changed.row);
}

function currentAction(file: SqliteFile, row: number): Values | null {
  return currentRow(file, { kind: 'action', row, part: '' });
}

function restoreGoal({ file }: Now, changed: ChangedRow, before: Values): void {
  const { row, subject } = changed;
  const columns = Object.keys(before);
  if (currentRow(file, { kind: 'goal', row, part: '' }) === null)
    file.run(
      `INSERT INTO goals (seq, id, ${columns.join(', ')}) VALUES (?, ?, ${columns.map(() => '?').join(', ')})`,
      row,
      subject,
      ...Object.values(before),
    );
  else update(file, 'goals', row, differingColumns(changed), before);
  noteChangedGoal(file, subject ?? '', before['archived_at'] !== null);
}

/** Its action items are linked to other goals. */
function removeGoal(file: SqliteFile, { row, subject }: ChangedRow): void {
  noteChangedGoal(file, subject ?? '', false);
  for (const table of ['actions', 'insights'])
    file.run(`UPDATE ${table} SET goal = NULL, goal_reason = NULL WHERE goal = ?`, subject);
  file.run('DELETE FROM goals WHERE seq = ?', row);
}
