import type { UndoConflict } from '../../domain/records/history-entry.ts';
import { type ChangedRow, differingColumns, type Kind, type Values } from './changed-rows.ts';
import { shownValue } from './shown-changes.ts';

export interface RowConflict extends UndoConflict {
  row: ChangedRow;
}

/** The library's current state of the rows that are checked for conflicts. An engine may look up all of it beforehand. */
export interface LibraryNow {
  /** The record that the row belongs to, as it is called now. */
  subjectOf(row: ChangedRow): { id: string; title: string | null };
  /** The row as it is now; null when it is not there. */
  current(row: ChangedRow): Values | null;
  /** Whether the row's item exists, in the trash or not. */
  hasItem(row: ChangedRow): boolean;
  /** Whether the row's previous text exists. */
  hasDocument(row: ChangedRow): boolean;
  /** Whether the item's previous version exists. */
  hasVersion(row: ChangedRow): boolean;
  /** The operation of the last change of the item after this one that was not undone and undid none. */
  laterChange(row: ChangedRow): string | null;
  /** The id of another item, not in the trash, that has the address which this one had before. */
  itemWithAddress(row: ChangedRow): string | null;
  /** The id of the goal that has the title which this one had before. */
  goalWithTitle(row: ChangedRow): string | null;
  /** The id of the list that has the name which this one had before. */
  listWithName(row: ChangedRow): string | null;
  /**
   * Whether a person gave action items to the goal or items to the list, or changed it after this change, which was not
   * undone and undid none.
   */
  isUsed(row: ChangedRow): boolean;
  /** Whether a highlight whose row is not there can be added again: an import may have added the same one meanwhile. */
  mayComeBack(row: ChangedRow): boolean;
}

const lostForGood = 'It was removed for good since.';
const changedSince = 'It was changed since.';

/** The columns that people see and change. The others follow from them, or from the text. */
const compared: Readonly<Record<Kind, readonly string[]>> = {
  item: ['url', 'given_title', 'notes', 'created_at', 'deleted_at', 'summary', 'analysis', 'shelf', 'read_at'],
  tag: ['tag'],
  action: ['title', 'state', 'goal', 'due', 'priority', 'snoozed_until'],
  goal: ['title', 'category', 'description', 'archived_at'],
  insight: [],
  original: ['hash'],
  highlight: ['quote', 'note', 'colour', 'deleted_at'],
  list: ['name', 'icon', 'query'],
  source: ['name', 'state', 'options', 'every_ms'],
  // Whatever was put into a list since stays in it.
  list_item: [],
  text: ['visible_document'],
};

/** Rows that were changed since the recording, and would be overwritten; and those that cannot be undone. */
export function conflictsOf(rows: readonly ChangedRow[], library: LibraryNow): RowConflict[] {
  return rows.flatMap((row) => {
    const now = library.current(row);
    return [...differences(row, now), ...obstacles(library, row, now)].map(
      ({ field, before, now: there, canForce, reason }) => ({
        ...library.subjectOf(row),
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

interface FoundConflict {
  field: string;
  before: string | number | null;
  now: string | number | null;
  canForce: boolean;
  reason: string;
}

/** Of times, only their presence counts: nobody objects to another time of deletion, for example. */
const isFlag = (column: string) => ['deleted_at', 'archived_at', 'read_at'].includes(column);

function isSame(column: string, one: Values | null, other: Values | null): boolean {
  const [a, b] = [one?.[column] ?? null, other?.[column] ?? null];
  return isFlag(column) ? (a === null) === (b === null) : a === b;
}

/** A row that is as the change left it, or as it was before, can be restored. */
function differences(row: ChangedRow, now: Values | null): FoundConflict[] {
  const { kind, before, after } = row;
  if (isDeletedSince(row, now)) return [];
  if (before !== null && after !== null && now !== null)
    return differingColumns(row)
      .filter((column) => compared[kind].includes(column))
      .filter((column) => !isSame(column, now, after) && !isSame(column, now, before))
      .map((column) => found(column, before[column] ?? null, now[column] ?? null, true, changedSince));
  if (kind !== 'tag' && kind !== 'original') return [];
  const [column = ''] = compared[kind];
  if ((now === null) === (after === null) && isSame(column, now, after)) return [];
  if ((now === null) === (before === null) && isSame(column, now, before)) return [];
  return [found(column, before?.[column] ?? null, now?.[column] ?? null, true, changedSince)];
}

function obstacles(library: LibraryNow, row: ChangedRow, now: Values | null): FoundConflict[] {
  const { kind, item, before } = row;
  if (item !== null && !library.hasItem(row))
    return kind === 'item' ? [found('url', null, null, false, lostForGood)] : [];
  if (kind === 'item') return itemObstacles(library, row, now);
  if (kind === 'goal') return goalObstacles(library, row, now);
  if (kind === 'list') return listObstacles(library, row, now);
  if (kind === 'action') return actionObstacles(library, row, now);
  if (kind === 'highlight') return highlightObstacles(library, row, now);
  if (kind === 'text' && before !== null && !library.hasVersion(row))
    return [found('shown', before['shown'] ?? null, null, false, 'That version of the text is not kept any more.')];
  if (kind === 'insight' && before !== null && !library.hasDocument(row))
    return [
      found(
        'text',
        before['text'] ?? null,
        null,
        true,
        'The text that it quotes was read again since, so it cannot come back.',
      ),
    ];
  return [];
}

function itemObstacles(library: LibraryNow, row: ChangedRow, now: Values | null): FoundConflict[] {
  const { before } = row;
  if (now === null) return [];
  if (before === null) {
    const later = now['deleted_at'] === null ? library.laterChange(row) : null;
    const reason = `It was changed since (${later}): it would go to the trash as it is now.`;
    return later === null ? [] : [found('url', null, now['url'] ?? null, true, reason)];
  }
  const comesBack = before['deleted_at'] === null && now['deleted_at'] !== null;
  if (!comesBack && before['canonical_url'] === now['canonical_url']) return [];
  const other = library.itemWithAddress(row);
  if (other === null) return [];
  return [found('url', before['url'] ?? null, other, false, `Another item has its address now: ${other}.`)];
}

function goalObstacles(library: LibraryNow, row: ChangedRow, now: Values | null): FoundConflict[] {
  const { subject, before } = row;
  if (before !== null) {
    const same = library.goalWithTitle(row);
    const isFree = same === null || same === subject || now?.['title'] === before['title'];
    return isFree
      ? []
      : [found('title', before['title'] ?? null, same, false, `Another goal has this title now: ${same}.`)];
  }
  return now !== null && library.isUsed(row)
    ? [found('title', null, now['title'] ?? null, true, 'It was changed or given action items since.')]
    : [];
}

function listObstacles(library: LibraryNow, row: ChangedRow, now: Values | null): FoundConflict[] {
  const { subject, before, after } = row;
  if (before === null)
    return now !== null && library.isUsed(row)
      ? [found('name', null, now['name'] ?? null, true, 'It was changed or given items since.')]
      : [];
  const impossible = (there: string | null, reason: string) => [
    found('name', before['name'] ?? null, there, false, reason),
  ];
  if (now === null && after !== null) return impossible(null, 'It was deleted since: undo that first.');
  const same = library.listWithName(row);
  return same === null || same === subject ? [] : impossible(same, `Another list has this name now: ${same}.`);
}

function actionObstacles(library: LibraryNow, row: ChangedRow, now: Values | null): FoundConflict[] {
  const { before, after } = row;
  if (before === null) {
    const isTouched =
      now !== null && (now['touched_at'] !== after?.['touched_at'] || now['state'] !== after?.['state']);
    return isTouched
      ? [found('title', null, now['title'] ?? null, true, 'Somebody completed or changed it since.')]
      : [];
  }
  if (now !== null) return [];
  if (after !== null) return [found('title', before['title'] ?? null, null, false, lostForGood)];
  if (library.hasDocument(row)) return [];
  const reason = 'The text that it came from was read again since, so it cannot come back.';
  return [found('title', before['title'] ?? null, null, false, reason)];
}

function highlightObstacles(library: LibraryNow, row: ChangedRow, now: Values | null): FoundConflict[] {
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
  return library.mayComeBack(row) ? [] : impossible('It was imported again since.');
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

function found(
  field: string,
  before: FoundConflict['before'],
  now: FoundConflict['now'],
  canForce: boolean,
  reason: string,
): FoundConflict {
  return { field, before, now, canForce, reason };
}
