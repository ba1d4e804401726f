import { isoTime } from '../../../domain/clock.ts';
import type { ExportedHistoryEntry } from '../../../domain/records/transfers/exported.ts';
import { rowBytes } from '../../history/recording.ts';
import { hasOwnName, maxRowsShown, shownChanges, withoutItem } from '../../history/shown-changes.ts';
import type { HistoryChange, HistoryValue } from '../../../domain/records/history-entry.ts';
import type { HistoryEntry, HistoryQuery } from '../../history.ts';
import type { HistoryPage, Page } from '../../records.ts';
import { all, type Db, first, JsonText, later, passedTime, sql, type Steps, text, together, toJson } from '../db.ts';
import { firstRows, hasLostRows, isChanged, itemNames, withSubjects } from './rows.ts';
import type { Scope } from '../../../domain/records/account.ts';
import { maxHistoryText } from '../../../domain/records/transfers/export-files.ts';
import { shortened } from '../../../domain/text/shortened.ts';

/** Whose changes are shown: of an item, by its key and its id, of another record, or of all. */
type About = { item: number; id: string } | { subject: string } | null;

interface EntryRow extends Omit<HistoryEntry, 'changes'> {
  seq: number;
}

/** Newest first. Null when there is nothing with the id. */
export function* listHistory(db: Db, query: HistoryQuery): Steps<Page<HistoryEntry> | null> {
  const { id, scopes, limit, offset } = query;
  const found = yield* findAbout(db, id);
  if (found === null) return null;
  const { about, entry } = found;
  const from = sql`history h
    WHERE ${db.of('h')} AND NOT ${hasLostRows('h')} ${entry === null ? sql`` : sql`AND h.id = ${entry}`}
      AND NOT EXISTS (SELECT 1 FROM ${db.listed('needed', 'h.scopes')}
        WHERE needed.value NOT IN (SELECT allowed.value FROM ${db.texts('allowed', scopes)}))
      ${concerning(db, about)}`;
  const rows = yield* all<EntryRow>`
    SELECT h.seq, h.id, h.at, h.face, h.token AS by, h.operation, h.rows, h.undone_by, h.undoes,
      h.restored AS is_restored FROM ${from}
    ORDER BY h.at DESC, h.seq DESC LIMIT ${limit} OFFSET ${offset}`;
  const counted = yield* first<{ total: number }>`SELECT count(*) AS total FROM ${from}`;
  const items = yield* together(...rows.map((row) => withChanges(db, row, about, maxRowsShown(id))));
  return { items, total: counted?.total ?? 0 };
}

/** The record of an id: an entry, or a record of any kind. Null when there is none. */
function* findAbout(db: Db, id: string | undefined): Steps<{ about: About; entry: string | null } | null> {
  if (id === undefined) return { about: null, entry: null };
  const withId = (table: string) => sql`SELECT 1 FROM ${text(table)} t WHERE ${db.of('t')} AND t.id = ${id}`;
  const found = yield* first<{ isEntry: boolean; item: number | null; isRecord: boolean }>`
    SELECT EXISTS (${withId('history')}) AS is_entry,
      (SELECT i.seq FROM items i WHERE ${db.of('i')} AND i.id = ${id}) AS item,
      EXISTS (${withId('actions')}) OR EXISTS (${withId('goals')}) OR EXISTS (${withId('highlights')}) OR EXISTS (${withId('lists')})
        OR EXISTS (${withId('sources')})
        OR EXISTS (SELECT 1 FROM history_changes x WHERE ${db.of('x')} AND x.subject = ${id} AND ${withSubjects})
        OR EXISTS (SELECT 1 FROM restored_changes r WHERE ${db.of('r')} AND r.record = ${id}) AS is_record`;
  if (found?.isEntry === true) return { about: null, entry: id };
  const item = found?.item ?? null;
  if (item !== null) return { about: { item, id }, entry: null };
  return found?.isRecord === true ? { about: { subject: id }, entry: null } : null;
}

function concerning(db: Db, about: About) {
  if (about === null) return sql``;
  const isItem = 'item' in about;
  return sql`AND h.seq IN (
    SELECT x.entry FROM history_changes x
    WHERE ${db.of('x')} AND ${isItem ? sql`x.item = ${about.item}` : sql`x.subject = ${about.subject} AND ${withSubjects}`}
      AND ${isChanged}
    UNION ALL SELECT r.entry FROM restored_changes r
    WHERE ${db.of('r')} AND ${isItem ? sql`r.item = ${about.id}` : sql`r.record = ${about.subject}`})`;
}

function* withChanges(db: Db, { seq, ...entry }: EntryRow, about: About, limit: number): Steps<HistoryEntry> {
  if (entry.isRestored) return { ...entry, changes: (yield* restoredChanges(db, seq, about, limit)).map(withoutItem) };
  const rows = yield* firstRows(db, seq, about, limit);
  return { ...entry, changes: shownChanges(rows, yield* itemNames(db, rows)) };
}

/**
 * The next entries after a position, the oldest first. Excludes changes of deleted records, and imports of an export: they would
 * make the export of a copy differ from the library's.
 * @param since milliseconds since the epoch
 */
export function* readHistoryToExport(
  db: Db,
  { after, since, limit }: { after: HistoryPage['next']; since: number; limit: number },
): Steps<HistoryPage> {
  const rows = yield* all<EntryToExport & { isRestored: boolean }>`
    SELECT h.seq, h.id, h.at, h.face, h.token AS by, h.operation, h.rows, h.undone_by, h.undoes,
      h.restored AS is_restored FROM history h
    WHERE ${db.of('h')} AND NOT h.transfer AND NOT ${hasLostRows('h')} AND h.at >= ${since}
      AND (h.at, h.seq) > (CAST(${after?.at ?? Number.MIN_SAFE_INTEGER} AS bigint), CAST(${after?.seq ?? 0} AS bigint))
    ORDER BY h.at, h.seq LIMIT ${limit}`;
  const changes = yield* together(
    ...rows.map(({ seq, isRestored }) => (isRestored ? restoredToExport(db, seq) : recordedToExport(db, seq))),
  );
  const entries = rows.map(({ seq: _seq, isRestored: _isRestored, at, ...entry }, index) => ({
    ...entry,
    at: isoTime(at),
    changes: withinLength(changes[index] ?? []),
  }));
  const last = rows.at(-1);
  return {
    entries: entries.filter((entry) => entry.changes.length > 0),
    next: last === undefined || rows.length < limit ? null : { at: last.at, seq: last.seq },
  };
}

/** Texts and tags of a deleted item are not exported, nor parts deleted from an item. */
function* recordedToExport(db: Db, entry: number): Steps<ExportedChange[]> {
  const rows = yield* firstRows(db, entry, null, maxRowsExported);
  const findItem = yield* itemNames(db, rows);
  const idOf = (row: (typeof rows)[number]) =>
    hasOwnName(row.kind) ? (row.subject ?? '') : (findItem(row.item)?.id ?? '');
  const there = yield* recordsThere(db, rows.map(idOf));
  const kept = rows.filter((row) => there.has(idOf(row)));
  return shownChanges(kept, findItem).map((change) => toExport(change, there.get(change.id) ?? null));
}

function* restoredToExport(db: Db, entry: number): Steps<ExportedChange[]> {
  const changes = yield* restoredChanges(db, entry, null, maxRowsExported);
  const there = yield* recordsThere(
    db,
    changes.map(({ id }) => id),
  );
  return changes.filter(({ id }) => there.has(id));
}

/** The records that are there and not in the trash, with the item that an action item or a highlight belongs to. */
function* recordsThere(db: Db, ids: readonly string[]): Steps<ReadonlyMap<string, string | null>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return new Map();
  const isWanted = (table: 'i' | 'g' | 'l' | 'a' | 'h') =>
    sql`${db.of(table)} AND ${text(table)}.id IN (SELECT k.value FROM ${db.texts('k', wanted)})`;
  const itemOf = (table: 'a' | 'h') =>
    sql`items i ON ${db.of('i')} AND i.seq = ${text(table)}.item AND i.deleted_at IS NULL`;
  const rows = yield* all<{ id: string; item: string | null }>`
    SELECT i.id, CAST(NULL AS text) AS item FROM items i WHERE ${isWanted('i')} AND i.deleted_at IS NULL
    UNION ALL SELECT g.id, NULL FROM goals g WHERE ${isWanted('g')}
    UNION ALL SELECT l.id, NULL FROM lists l WHERE ${isWanted('l')}
    UNION ALL SELECT a.id, i.id FROM actions a JOIN ${itemOf('a')} WHERE ${isWanted('a')}
    UNION ALL SELECT h.id, i.id FROM highlights h JOIN ${itemOf('h')} WHERE ${isWanted('h')} AND h.deleted_at IS NULL`;
  return new Map(rows.map(({ id, item }) => [id, item]));
}

/** The recorded changes of an imported entry: all, or of one item, or of one other record. */
function* restoredChanges(
  db: Db,
  entry: number,
  of: { id: string } | { subject: string } | null,
  limit: number,
): Steps<ExportedChange[]> {
  const about = of === null ? sql`` : 'id' in of ? sql`AND r.item = ${of.id}` : sql`AND r.record = ${of.subject}`;
  const rows = yield* all<ExportedChange>`
    SELECT r.record AS id, CASE WHEN r.item <> r.record THEN r.item END AS content_id, r.title, r.field, r.before, r.after
    FROM restored_changes r WHERE ${db.of('r')} AND r.entry = ${entry} ${about} ORDER BY r.id LIMIT ${limit}`;
  return rows.map(({ before, after, ...change }) => ({
    ...change,
    before: db.recording.value(before) as HistoryValue,
    after: db.recording.value(after) as HistoryValue,
  }));
}

/** Adds missing entries, for reading but not undoing, with their changes of existing records. They keep their age. */
export function* restoreHistory(db: Db, entries: readonly ExportedHistoryEntry[]): Steps<void> {
  // Where no history is kept, none is restored.
  if (db.history === null) return;
  const passed = yield* passedTime(db);
  const there = yield* recordsThere(
    db,
    entries.flatMap(({ changes }) => changes.map(({ id }) => id)),
  );
  for (const entry of entries) {
    const changes = entry.changes.filter(({ id }) => there.has(id));
    if (changes.length > 0) yield* restoreEntry(db, passed, entry, changes, there);
  }
}

function* restoreEntry(
  db: Db,
  passed: number,
  { id, at, face, by, operation, rows, undoneBy, undoes }: ExportedHistoryEntry,
  changes: readonly ExportedChange[],
  itemOf: ReadonlyMap<string, string | null>,
): Steps<void> {
  const time = Date.parse(at);
  const bytes = changes.reduce(
    (sum, { before, after }) => sum + JSON.stringify(before).length + JSON.stringify(after).length + rowBytes,
    rowBytes,
  );
  const entry = yield* first<{ seq: number }>`${db.row('history', {
    id,
    at: time,
    passed: passed - Math.max(0, db.clock.now() - time),
    face,
    token: by,
    operation,
    scopes: toJson(scopesOf(changes)),
    rows,
    bytes,
    undoes,
    undone_by: undoneBy,
    restored: true,
  })} ON CONFLICT ${db.key('id')} DO NOTHING RETURNING seq`;
  if (entry === undefined) return;
  for (const { id: record, title, field, before, after } of changes)
    yield* later`${db.row('restored_changes', {
      entry: entry.seq,
      record,
      item: record.startsWith('c_') ? record : (itemOf.get(record) ?? null),
      title,
      field,
      before: new JsonText(before),
      after: new JsonText(after),
    })}`;
  yield* later`UPDATE libraries SET history_bytes = history_bytes + ${bytes} WHERE ${db.of('libraries')}`;
}

/** Marks the change that is being recorded as one that takes back an export. */
export function* noteTransfer(db: Db): Steps<void> {
  yield* later`UPDATE history SET transfer = true WHERE ${db.of('history')} AND seq = ${db.recording.entry}`;
}

/*
 * History as it is exported and taken back: what was changed, in the words in which people see it. Rows that undo would
 * restore are not exported: an edited file could make undo write anything.
 */

type ExportedChange = ExportedHistoryEntry['changes'][number];

interface EntryToExport extends Omit<HistoryEntry, 'changes' | 'isRestored'> {
  seq: number;
}

/** Of an entry, this many rows and characters are exported: an import may have changed all of a library. */
const maxRowsExported = 500;
const maxLength = 1_000_000;
const maxListed = 1_000;

/** A change as it is exported. @param contentId the item that an action item or a highlight belongs to */
function toExport({ id, title, field, before, after }: HistoryChange, contentId: string | null): ExportedChange {
  return {
    id,
    contentId,
    title: title === null ? null : shortened(title, maxHistoryText),
    field,
    before: bounded(before),
    after: bounded(after),
  };
}

function bounded(value: HistoryValue): HistoryValue {
  if (typeof value === 'string') return shortened(value, maxHistoryText);
  return Array.isArray(value) ? value.slice(0, maxListed).map((one) => shortened(one, maxHistoryText)) : value;
}

function withinLength(changes: readonly ExportedChange[]): ExportedChange[] {
  let length = 0;
  return changes.filter((change) => (length += JSON.stringify(change).length) <= maxLength);
}

const writeScopes: Readonly<Record<string, Scope>> = {
  c: 'content:write',
  h: 'content:write',
  a: 'actions:write',
  g: 'goals:write',
};

/** The scopes that restored changes ask for, by the records that they are about. */
function scopesOf(changes: readonly ExportedChange[]): Scope[] {
  return [...new Set(changes.map((change) => writeScopes[change.id.charAt(0)] ?? 'content:write'))];
}
