import { isWebAddress } from '../../../domain/links/shown-address.ts';
import { maxHighlights, maxTags } from '../../../domain/records/limits.ts';
import type { ImportContent, ImportedContent } from '../../records.ts';
import { type Db, first, isKey, run, sql, type Sql, type Steps, together, touchItem } from '../db.ts';
import { findDeleted, takeFromTrash } from './deletion.ts';
import { importHighlights } from '../highlights.ts';
import { restartJob } from '../queue/jobs.ts';
import { hasOriginal, type KeptOriginal, replaceOriginal } from './documents.ts';
import { findItem } from './reading.ts';
import { insertNewItem, setNotes, setTitle } from './saving.ts';
import { addTags, countTags, missingTags } from './tags.ts';

const maxNotes = 10_000;

interface PackedImport extends Omit<ImportContent, 'original'> {
  original: KeptOriginal | null;
}

/** Inserts entries, or adds what they know to the items that are there. See `Store.importContent`. */
export function* importPackedContent(db: Db, entries: readonly PackedImport[]): Steps<ImportedContent[]> {
  const outcomes: ImportedContent[] = [];
  for (const entry of entries) outcomes.push(yield* importOne(db, entry));
  return outcomes;
}

interface Existing {
  seq: number;
  id: string;
  notes: string | null;
  createdAt: number;
  hasTitle: boolean;
  hasText: boolean;
  /** Neither a person nor another program said where it is to be kept, and it is not read yet. */
  hasNoState: boolean;
}

const readExisting = (db: Db, condition: Sql): Steps<Existing | undefined> => first<Existing>`
  SELECT seq, id, notes, created_at, given_title IS NOT NULL OR visible_document IS NOT NULL AS has_title,
    visible_document IS NOT NULL AS has_text,
    visible_document IS NULL AND shelf = 'archive' AND read_at IS NULL AS has_no_state
  FROM items i WHERE ${db.of('i')} AND ${condition}`;

function* importOne(db: Db, entry: PackedImport): Steps<ImportedContent> {
  const [existing, deleted] = yield* together(
    readExisting(db, sql`${isKey(db, 'i', 'canonical_url', entry.canonicalUrl)} AND deleted_at IS NULL`),
    findDeleted(db, entry.canonicalUrl),
  );
  if (existing !== undefined) return yield* merge(db, existing, entry);
  if (deleted !== null) return yield* importDeleted(db, deleted, entry);
  return { ...(yield* insert(db, entry)), outcome: 'taken' };
}

/** A deleted item stays deleted, unless only its import or save was undone: then it is imported again. */
function* importDeleted(db: Db, id: string, entry: PackedImport): Steps<ImportedContent> {
  const undone = yield* readExisting(db, sql`id = ${id} AND undone`);
  if (undone === undefined) return { id, outcome: 'deleted', leftOut: [] };
  yield* takeFromTrash(db, id);
  // Its title was removed with the rest of the save.
  yield* run`
    UPDATE items SET shelf = 'archive', read_at = NULL, reading_start = NULL, reading_share = NULL
    WHERE ${db.of('items')} AND seq = ${undone.seq}`;
  return { ...(yield* merge(db, { ...undone, hasTitle: false, hasNoState: true }, entry)), outcome: 'taken' };
}

function* insert(db: Db, entry: PackedImport): Steps<Pick<ImportedContent, 'id' | 'leftOut'>> {
  const { original, highlights = [], state, ...about } = entry;
  const made = {
    ...about,
    shelf: 'archive' as const,
    ...state,
    tags: about.tags.slice(0, maxTags),
    isBackground: true,
  };
  const id = yield* insertNewItem(db, made, original);
  if (highlights.length === 0) return { id, leftOut: [] };
  const item = yield* findItem(db, id);
  if (item === null) throw new Error('an item that was just imported is not there');
  const { leftOut } = yield* importHighlights(db, item, highlights);
  return { id, leftOut: aboutLeftOut(leftOut) };
}

function aboutLeftOut(highlights: number): string[] {
  return highlights === 0 ? [] : [`${highlights} highlights: an item has ${maxHighlights} at most`];
}

/**
 * Adds tags, notes, highlights, a missing title and an earlier date. A page or a mail gets a text only when it has none. Writes
 * nothing when the item has all of that.
 */
function* merge(db: Db, existing: Existing, entry: PackedImport): Steps<ImportedContent> {
  const { seq, id } = existing;
  const leftOut: string[] = [];
  let isChanged = false;
  const tags = yield* missingTags(db, seq, entry.tags);
  const room = maxTags - (tags.length === 0 ? 0 : yield* countTags(db, seq));
  if (tags.length > room) leftOut.push(`${tags.length - Math.max(0, room)} tags: the item has ${maxTags}`);
  if (tags.length > 0 && room > 0) {
    yield* addTags(db, seq, tags.slice(0, room));
    isChanged = true;
  }
  if (entry.notes !== null && existing.notes?.includes(entry.notes) !== true) {
    const notes = existing.notes === null ? entry.notes : `${existing.notes}\n\n${entry.notes}`;
    if (notes.length > maxNotes) leftOut.push('the notes: the item has too many');
    else {
      yield* setNotes(db, seq, notes);
      isChanged = true;
    }
  }
  const { state } = entry;
  // Of one page, an export may name the highlights in one file and the state in another.
  if (state !== undefined && existing.hasNoState && (state.shelf !== 'archive' || state.readAt !== null)) {
    const { shelf, readAt, readingShare } = state;
    yield* run`
      UPDATE items SET shelf = ${shelf}, read_at = ${readAt}, reading_share = ${readingShare}
      WHERE ${db.of('items')} AND seq = ${seq}`;
    isChanged = true;
  }
  if (entry.title !== null && !existing.hasTitle) {
    yield* setTitle(db, seq, entry.title);
    isChanged = true;
  }
  if (entry.createdAt !== null && entry.createdAt < existing.createdAt) {
    yield* run`UPDATE items SET created_at = ${entry.createdAt} WHERE ${db.of('items')} AND seq = ${seq}`;
    isChanged = true;
  }
  // Of a mail that has the same name, only fields have changed that say whether it was read or labelled.
  const isMail = entry.original?.resource.declaredType === 'message/rfc822';
  const mayReplace = !existing.hasText || !(isWebAddress(entry.url) || isMail);
  if (entry.original !== null && mayReplace && !(yield* hasOriginal(db, seq, entry.original))) {
    yield* replaceOriginal(db, seq, entry.original, 'given');
    yield* restartJob(db, seq, 'extract');
    isChanged = true;
  }
  const highlights = yield* importHighlights(db, seq, entry.highlights ?? []);
  leftOut.push(...aboutLeftOut(highlights.leftOut));
  if (highlights.written > 0) isChanged = true;
  if (isChanged) yield* touchItem(db, seq);
  return { id, outcome: isChanged ? 'merged' : 'unchanged', leftOut };
}
