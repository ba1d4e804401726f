import type { ChangedRow } from '../../history/changed-rows.ts';
import { conflictsOf, type LibraryNow } from '../../history/conflicts.ts';
import { subjectOf } from '../../history/shown-changes.ts';
import {
  fromEnd,
  joinedUndo,
  kindsRemoved,
  maxRowsAtOnce,
  type PartConflicts,
  partConflicts,
  planPart,
  undoneBefore,
  type UndoneEntry,
  type UndoPart,
} from '../../history/undo.ts';
import type { ChangeNeeds } from '../../history.ts';
import { all, type Db, first, fromJson, later, sql, type Steps, text, together } from '../db.ts';
import { listGoalTitles, sameTitle } from '../analyses/goals.ts';
import { restoreRows } from './restore.ts';
import { changedRows, currentRows, existingDocuments, isChanged, itemNames, withSubjects } from './rows.ts';

export function* findHistoryEntry(db: Db, id: string): Steps<UndoneEntry | null> {
  const entry = yield* first<UndoneEntry>`
    SELECT h.seq, h.operation, h.scopes, h.rows, h.undoes, h.undone_by, h.undone_from, h.restored AS is_restored
    FROM history h WHERE ${db.of('h')} AND h.id = ${id}`;
  return entry === undefined ? null : { ...entry, scopes: fromJson(entry.scopes) };
}

/** The requirements of a change, and the effects of undoing it; null when there is none, or it is too old. */
export function* needsOfChange(db: Db, id: string): Steps<ChangeNeeds | null> {
  const entry = yield* findHistoryEntry(db, id);
  return entry === null ? null : { scopes: entry.scopes, removes: yield* removedByUndoing(db, entry) };
}

/** Of what undoing the entry takes away: what the change made, or brought back from the trash. */
function* removedByUndoing(db: Db, { seq, rows }: UndoneEntry): Steps<ChangeNeeds['removes']> {
  if (rows > maxRowsAtOnce) return ['content', 'goals'];
  const removed = yield* all<{ kind: ChangedRow['kind'] }>`
    SELECT DISTINCT x.kind FROM history_changes x
    WHERE ${db.of('x')} AND x.entry = ${seq} AND ${isChanged} AND x.after IS NOT NULL
      AND (x.before IS NULL OR (x.before->>'deleted_at' IS NOT NULL AND x.after->>'deleted_at' IS NULL))`;
  const kinds = new Set(removed.map(({ kind }) => kind));
  return (['content', 'goals'] as const).filter((resource) => kindsRemoved[resource].some((kind) => kinds.has(kind)));
}

/** The change that began to undo an entry, through the same face and by the same caller as one that has done nothing yet. */
function* findBegunUndo(db: Db, { seq }: UndoneEntry, undoneBy: string): Steps<string | null> {
  const begun = yield* first<{ id: string }>`
    SELECT u.id FROM history x
      JOIN history u ON ${db.of('u')} AND u.undoes = x.id
      JOIN history own ON ${db.of('own')} AND own.id = ${undoneBy}
    WHERE ${db.of('x')} AND x.seq = ${seq} AND x.undone_from IS NOT NULL AND u.undone_from IS NULL AND NOT u.restored
      AND u.rows > 0 AND own.rows = 0 AND u.face = own.face AND u.token IS NOT DISTINCT FROM own.token
    ORDER BY u.seq DESC LIMIT 1`;
  return begun?.id ?? null;
}

/** The conflicts of one part of an entry, for an entry that is undone in several writes. */
export function* conflictsBelow(db: Db, entry: number, below: number): Steps<PartConflicts> {
  const rows = yield* changedRows(db, entry, below, maxRowsAtOnce);
  return partConflicts(rows, conflictsOf(rows, yield* libraryNow(db, rows)));
}

/**
 * Undoes the last rows of an entry that are not undone yet. With conflicts and without `force` it changes nothing.
 * @param undoneBy the change that undoes it
 */
export function* undoPart(
  db: Db,
  id: string,
  { force, undoneBy }: { force: boolean; undoneBy: string },
): Steps<UndoPart | null> {
  const entry = yield* findHistoryEntry(db, id);
  if (entry === null) return null;
  const before = undoneBefore(entry);
  if (before !== null) return before;
  const begun = yield* findBegunUndo(db, entry, undoneBy);
  if (begun !== null) return joinedUndo(entry, begun);
  const rows = yield* changedRows(db, entry.seq, entry.undoneFrom ?? fromEnd, maxRowsAtOnce);
  const conflicts = conflictsOf(rows, yield* libraryNow(db, rows));
  const { part, restore, undoneFrom } = planPart(entry, rows, conflicts, force);
  if (restore === null) return part;
  yield* restoreRows(db, restore);
  const undoing = sql`(SELECT u.passed FROM history u WHERE ${db.of('u')} AND u.id = ${undoneBy})`;
  yield* later`
    UPDATE history SET undone_from = ${undoneFrom}, undone_by = ${part.isDone ? undoneBy : null},
      passed = CASE WHEN passed < ${undoing} THEN ${undoing} ELSE passed END
    WHERE ${db.of('history')} AND seq = ${entry.seq}`;
  // A redone change can be undone again.
  if (part.isDone && entry.undoes !== null)
    yield* later`
      UPDATE history SET undone_by = NULL, undone_from = NULL WHERE ${db.of('history')} AND id = ${entry.undoes}`;
  return part;
}

/** Loads the names of an entry's rows and possible conflicts in advance: in a few statements, however many rows there are. */
function* libraryNow(db: Db, rows: readonly ChangedRow[]): Steps<LibraryNow> {
  const [current, findItem, documents, lastChanges, addresses, goals, used, highlights, lists] = yield* together(
    currentRows(db, rows),
    itemNames(db, rows),
    existingDocuments(db, rows),
    laterChanges(db, rows),
    itemsWithAddresses(db, rows),
    listGoalTitles(db),
    goalsAndListsUsed(db, rows),
    highlightsOfItems(db, rows),
    all<{ id: string; folded: string }>`SELECT l.id, l.folded FROM lists l WHERE ${db.of('l')}`,
  );
  return {
    subjectOf: (row) => subjectOf(row, findItem),
    current,
    hasItem: ({ item }) => findItem(item) !== undefined,
    hasDocument: ({ before }) => before !== null && documents.has(before['document']),
    hasVersion: ({ before }) => before !== null && documents.has(before['visible_document']),
    laterChange: ({ key }) => lastChanges.get(key) ?? null,
    itemWithAddress: ({ key, before }) =>
      addresses.find(({ seq, canonicalUrl }) => seq !== key && canonicalUrl === before?.['canonical_url'])?.id ?? null,
    goalWithTitle: ({ before }) => goals.find(({ title }) => sameTitle(title, String(before?.['title'])))?.id ?? null,
    listWithName: ({ before }) => lists.find(({ folded }) => folded === before?.['folded'])?.id ?? null,
    isUsed: ({ subject }) => used.has(subject ?? ''),
    mayComeBack: ({ item: key, subject, before }) =>
      findItem(key) !== undefined &&
      !highlights.some(
        ({ id, item, source }) => id === subject || (item === key && source !== null && source === before?.['source']),
      ),
  };
}

/** A change `x`, of the entry `h`, that was neither undone nor undid another one. */
const stillCounts = sql`${isChanged} AND h.undone_by IS NULL AND h.undoes IS NULL`;

/** Of items that the entry saved: the operation of the last change after it. */
function* laterChanges(db: Db, rows: readonly ChangedRow[]): Steps<ReadonlyMap<number, string>> {
  const saved = rows.filter(({ kind, before }) => kind === 'item' && before === null);
  const [one] = saved;
  if (one === undefined) return new Map();
  const keys = saved.map(({ key }) => key);
  const found = yield* all<{ item: number; operation: string }>`
    SELECT l.item, o.operation FROM (
      SELECT x.item, max(x.entry) AS entry FROM history_changes x JOIN history h ON ${db.of('h')} AND h.seq = x.entry
      WHERE ${db.of('x')} AND x.item IN (SELECT k.value FROM ${db.numbers('k', keys)}) AND x.entry > ${one.entry}
        AND ${stillCounts} GROUP BY x.item) l
    JOIN history o ON ${db.of('o')} AND o.seq = l.entry`;
  return new Map(found.map(({ item, operation }) => [item, operation]));
}

interface Addressed {
  seq: number;
  id: string;
  canonicalUrl: string;
}

/** Items, not in the trash, that have an address which an item of the entry had before. */
function* itemsWithAddresses(db: Db, rows: readonly ChangedRow[]): Steps<Addressed[]> {
  const addresses = rows
    .filter(({ kind, before }) => kind === 'item' && before !== null)
    .map(({ before }) => String(before?.['canonical_url']));
  if (addresses.length === 0) return [];
  return yield* all<Addressed>`
    SELECT i.seq, i.id, i.canonical_url FROM ${db.keyValues('k', addresses)} CROSS JOIN items i
    WHERE ${db.of('i')} AND i.deleted_at IS NULL AND ${text(`i.${db.keyColumn('canonical_url')}`)} = k.value`;
}

/** Of goals and lists that the entry made. */
function* goalsAndListsUsed(db: Db, rows: readonly ChangedRow[]): Steps<ReadonlySet<string>> {
  const made = rows.filter(({ kind, before }) => (kind === 'goal' || kind === 'list') && before === null);
  const [one] = made;
  if (one === undefined) return new Set();
  const ids = made.flatMap(({ subject }) => subject ?? []);
  // Action items of items that the same change saved go with them.
  const used = yield* all<{ id: string }>`
    SELECT a.goal AS id FROM actions a
    WHERE ${db.of('a')} AND a.goal IN (SELECT k.value FROM ${db.texts('k', ids)}) AND a.touched_at IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM history_changes x WHERE ${db.of('x')} AND x.entry = ${one.entry}
        AND x.kind = 'item' AND x.key = a.item AND x.part = '' AND x.before IS NULL)
    UNION
    SELECT x.subject FROM history_changes x JOIN history h ON ${db.of('h')} AND h.seq = x.entry
    WHERE ${db.of('x')} AND x.kind IN ('goal', 'list', 'list_item') AND ${withSubjects} AND x.subject IN (SELECT k.value FROM ${db.texts('k', ids)})
      AND x.entry > ${one.entry} AND ${stillCounts}`;
  return new Set(used.map(({ id }) => id));
}

interface KnownHighlight {
  id: string;
  item: number;
  source: string | null;
}

/** The highlights beside which those of the entry would return. An import may have added the same ones meanwhile. */
function* highlightsOfItems(db: Db, rows: readonly ChangedRow[]): Steps<KnownHighlight[]> {
  const removed = rows.filter(({ kind, before, after }) => kind === 'highlight' && before !== null && after === null);
  if (removed.length === 0) return [];
  const items = [...new Set(removed.flatMap(({ item }) => item ?? []))];
  const ids = removed.map(({ subject }) => subject ?? '');
  return yield* all<KnownHighlight>`
    SELECT h.id, h.item, h.source FROM ${db.numbers('k', items)} CROSS JOIN highlights h
    WHERE ${db.of('h')} AND h.item = k.value AND h.source IS NOT NULL
    UNION SELECT h.id, h.item, h.source FROM ${db.texts('k', ids)} CROSS JOIN highlights h
    WHERE ${db.of('h')} AND h.id = k.value`;
}
