import type { UndoConflict } from '../../history.ts';
import { findByTitle } from '../analyses/goals.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { mayComeBack } from './restore-highlights.ts';
import { shownValue, subjectOf } from './shown-changes.ts';
import { type ChangedRow, currentRow, differingColumns, type Kind, type Values } from './rows.ts';

/** What stands against undoing one row. */
export interface RowConflict extends UndoConflict {
  row: ChangedRow;
}

const lostForGood = 'It was removed for good since.';
const changedSince = 'It was changed since.';

/** The columns that people see and change. The others follow from them, or from the text. */
const compared: Readonly<Record<Kind, readonly string[]>> = {
  content: ['url', 'given_title', 'notes', 'created_at', 'deleted_at', 'summary', 'analysis'],
  tag: ['tag'],
  action: ['title', 'state', 'goal'],
  goal: ['title', 'category', 'description', 'archived_at'],
  insight: [],
  original: ['hash'],
  highlight: ['quote', 'note', 'colour', 'deleted_at'],
};

/** What was changed since the rows were recorded, and would be overwritten; and what cannot be done at all. */
export function conflictsOf(file: SqliteFile, rows: readonly ChangedRow[]): RowConflict[] {
  return rows.flatMap((row) => {
    const now = currentRow(file, row);
    return [...differences(row, now), ...obstacles(file, row, now)].map(
      ({ field, before, now: there, canForce, reason }) => ({
        ...subjectOf(file, row),
        field: shownValue(row.kind, field, null).field,
        before: shownValue(row.kind, field, before).value,
        now: shownValue(row.kind, field, there).value,
        canForce,
        reason,
        row,
      }),
    );
  });
}

interface Found {
  field: string;
  before: string | number | null;
  now: string | number | null;
  canForce: boolean;
  reason: string;
}

/** Of times only whether there is one counts: of when an item was deleted, say, nobody thinks twice. */
const isFlag = (column: string) => column === 'deleted_at' || column === 'archived_at';

function isSame(column: string, one: Values | null, other: Values | null): boolean {
  const [a, b] = [one?.[column] ?? null, other?.[column] ?? null];
  return isFlag(column) ? (a === null) === (b === null) : a === b;
}

/** A row that is as the change left it, or as it was before, can be restored. */
function differences(row: ChangedRow, now: Values | null): Found[] {
  const { kind, before, after } = row;
  if (isDeletedSince(row, now)) return [];
  if (before !== null && after !== null && now !== null)
    return differingColumns(row)
      .filter((column) => compared[kind].includes(column))
      .filter((column) => !isSame(column, now, after) && !isSame(column, now, before))
      .map((column) => ({
        field: column,
        before: before[column] ?? null,
        now: now[column] ?? null,
        canForce: true,
        reason: changedSince,
      }));
  if (kind !== 'tag' && kind !== 'original') return [];
  const [column = ''] = compared[kind];
  if ((now === null) === (after === null) && isSame(column, now, after)) return [];
  if ((now === null) === (before === null) && isSame(column, now, before)) return [];
  const [was, is] = [before?.[column] ?? null, now?.[column] ?? null];
  return [{ field: column, before: was, now: is, canForce: true, reason: changedSince }];
}

function obstacles(file: SqliteFile, row: ChangedRow, now: Values | null): Found[] {
  const { kind, content, before } = row;
  if (content !== null && file.get('SELECT 1 FROM content WHERE seq = ?', content) === undefined)
    return kind === 'content' ? [found('url', null, null, false, lostForGood)] : [];
  if (kind === 'content') return contentObstacles(file, row, now);
  if (kind === 'goal') return goalObstacles(file, row, now);
  if (kind === 'action') return actionObstacles(file, row, now);
  if (kind === 'highlight') return highlightObstacles(file, row, now);
  if (kind === 'insight' && before !== null && !hasDocument(file, before))
    return [
      found(
        'text',
        before['text'] ?? null,
        null,
        true,
        'The text that it quotes was read anew since, so it cannot come back.',
      ),
    ];
  return [];
}

function contentObstacles(file: SqliteFile, { entry, row, before }: ChangedRow, now: Values | null): Found[] {
  if (now === null) return [];
  if (before === null) {
    const later = now['deleted_at'] === null ? laterChange(file, entry, row) : undefined;
    const reason = `It was changed since (${later}): it would go to the trash as it is now.`;
    return later === undefined ? [] : [found('url', null, now['url'] ?? null, true, reason)];
  }
  const comesBack = before['deleted_at'] === null && now['deleted_at'] !== null;
  if (!comesBack && before['canonical_url'] === now['canonical_url']) return [];
  const other = file.get<{ id: string }>(
    'SELECT id FROM content WHERE canonical_url = ? AND deleted_at IS NULL AND seq <> ?',
    before['canonical_url'],
    row,
  );
  if (other === undefined) return [];
  return [found('url', before['url'] ?? null, other.id, false, `Another item has its address now: ${other.id}.`)];
}

function goalObstacles(file: SqliteFile, { entry, subject, before }: ChangedRow, now: Values | null): Found[] {
  if (before !== null) {
    const same = findByTitle(file, String(before['title']));
    const isFree = same === null || same === subject || now?.['title'] === before['title'];
    return isFree
      ? []
      : [found('title', before['title'] ?? null, same, false, `Another goal has this title now: ${same}.`)];
  }
  if (now === null) return [];
  const isUsed =
    file.get('SELECT 1 FROM actions WHERE goal = ? AND touched_at IS NOT NULL', subject) !== undefined ||
    file.get(
      `SELECT 1 FROM history_changes x JOIN history h ON h.seq = x.entry
       WHERE x.kind = 'goal' AND x.subject = ? AND x.entry > ? AND ${stillCounts}`,
      subject,
      entry,
    ) !== undefined;
  return isUsed
    ? [found('title', null, now['title'] ?? null, true, 'It was changed or given action items since.')]
    : [];
}

function actionObstacles(file: SqliteFile, { before, after }: ChangedRow, now: Values | null): Found[] {
  if (before === null) {
    const isTouched =
      now !== null && (now['touched_at'] !== after?.['touched_at'] || now['state'] !== after?.['state']);
    return isTouched
      ? [found('title', null, now['title'] ?? null, true, 'Somebody completed or changed it since.')]
      : [];
  }
  if (now !== null) return [];
  if (after !== null) return [found('title', before['title'] ?? null, null, false, lostForGood)];
  if (hasDocument(file, before)) return [];
  const reason = 'The text that it came from was read anew since, so it cannot come back.';
  return [found('title', before['title'] ?? null, null, false, reason)];
}

function highlightObstacles(file: SqliteFile, row: ChangedRow, now: Values | null): Found[] {
  const { before, after } = row;
  if (before === null) {
    const isChanged =
      now !== null &&
      now['deleted_at'] === null &&
      ['quote', 'note', 'colour'].some((column) => now[column] !== after?.[column]);
    return isChanged ? [found('quote', null, now['quote'] ?? null, true, changedSince)] : [];
  }
  const impossible = (reason: string) => [found('quote', before['quote'] ?? null, null, false, reason)];
  if (now !== null) return isDeletedSince(row, now) ? impossible('It was deleted since: undo that first.') : [];
  if (after !== null) return impossible('It is not there any more.');
  return mayComeBack(file, row, before) ? [] : impossible('It was imported anew since.');
}

/** Then it has no words that could be changed back. */
function isDeletedSince({ kind, before, after }: ChangedRow, now: Values | null): boolean {
  return (
    kind === 'highlight' &&
    before?.['deleted_at'] === null &&
    after?.['deleted_at'] === null &&
    (now?.['deleted_at'] ?? null) !== null
  );
}

function found(field: string, before: Found['before'], now: Found['now'], canForce: boolean, reason: string): Found {
  return { field, before, now, canForce, reason };
}

export function hasDocument(file: SqliteFile, { document }: Values): boolean {
  return file.get('SELECT 1 FROM documents WHERE id = ?', document) !== undefined;
}

/** SQL: a change that was neither undone nor undid another one. */
const stillCounts = 'x.before IS NOT x.after AND h.undone_by IS NULL AND h.undoes IS NULL';

/** The operation of a later change of the item that was not undone. */
function laterChange(file: SqliteFile, entry: number, content: number): string | undefined {
  return file.get<{ operation: string }>(
    `SELECT h.operation FROM history_changes x JOIN history h ON h.seq = x.entry
     WHERE x.content = ? AND x.entry > ? AND ${stillCounts}
     ORDER BY x.entry DESC LIMIT 1`,
    content,
    entry,
  )?.operation;
}
