import type { HeldTo } from '../../../domain/access/held.ts';
import type { ContentSummary, Shelf } from '../../../domain/records/content.ts';
import { newId } from '../../../domain/records/ids.ts';
import { restorableForMs } from '../../../domain/records/limits.ts';
import type { KnownMetadata } from '../../../domain/records/texts/document.ts';
import { AppError, invalidInput } from '../../../errors.ts';
import type { SaveOutcome } from '../../../domain/records/answers.ts';
import type { ContentChanges, SaveContent, SavedContent } from '../../records.ts';
import {
  all,
  assignments,
  type Db,
  first,
  isKey,
  keyed,
  later,
  passedTime,
  sql,
  type Steps,
  toJson,
  touchItem,
} from '../db.ts';
import { takeFromTrash } from './deletion.ts';
import { queueJob, requeueJob, restartJob } from '../queue/jobs.ts';
import { addressFor, isHeldItem, requireHeld } from './held.ts';
import { hasOriginal, type KeptOriginal, replaceCompanion, replaceOriginal, writeOriginal } from './documents.ts';
import { putItems } from './item-lists.ts';
import { findItem, getContentSummary, getItem, getNewItem, requireUnchanged, setRead, setShelf } from './reading.ts';
import { addFirstTags, addTags, confirmTags, rejectRemovedTags, rejectTags, removeTags, replaceTags } from './tags.ts';

interface LiveItem {
  seq: number;
  id: string;
  state: string;
}

interface SameAddress {
  live: LiveItem | undefined;
  /** The one that was deleted last, and when, by `passedTime`. */
  deleted: { id: string; deletedPassed: number } | undefined;
}

export function* findSameAddress(db: Db, canonicalUrl: string): Steps<SameAddress> {
  const same = sql`${db.of('i')} AND ${isKey(db, 'i', 'canonical_url', canonicalUrl)}`;
  const found = yield* all<LiveItem & { deletedPassed: number | null }>`
    SELECT i.seq, i.id, i.state, NULL AS deleted_passed FROM items i WHERE ${same} AND i.deleted_at IS NULL
    UNION ALL SELECT seq, id, state, deleted_passed FROM (
      SELECT i.seq, i.id, i.state, i.deleted_passed FROM items i WHERE ${same} AND i.deleted_passed IS NOT NULL
      ORDER BY i.deleted_passed DESC, i.deleted_at DESC LIMIT 1) AS gone`;
  const items: SameAddress = { live: undefined, deleted: undefined };
  for (const { deletedPassed, ...item } of found)
    if (deletedPassed === null) items.live = item;
    else items.deleted = { id: item.id, deletedPassed };
  return items;
}

function* findLive(db: Db, canonicalUrl: string): Steps<LiveItem | undefined> {
  return yield* first<LiveItem>`
    SELECT seq, id, state FROM items i
    WHERE ${db.of('i')} AND ${isKey(db, 'i', 'canonical_url', canonicalUrl)} AND deleted_at IS NULL`;
}

/** The id of the item that was saved from this address and is not deleted. */
export function* findByAddress(db: Db, canonicalUrl: string, held?: HeldTo): Steps<string | null> {
  return (yield* findLive(db, yield* addressFor(db, canonicalUrl, held)))?.id ?? null;
}

/**
 * Inserts the item with its job, or merges into the item with the same canonical URL; a deleted one is restored.
 * Bytes that differ from the item's become its next version. Until that has its passages, the previous version is shown
 * and found.
 * @param asked what `findSameAddress` found, when that was asked before
 */
export function* savePackedContent(
  db: Db,
  given: Omit<SaveContent, 'original'>,
  original: KeptOriginal | null,
  asked?: SameAddress,
): Steps<SavedContent> {
  const { held } = given;
  const input = { ...given, canonicalUrl: yield* addressFor(db, given.canonicalUrl, held) };
  const known = held === undefined ? asked : undefined;
  const { live, deleted } = known ?? (yield* findSameAddress(db, input.canonicalUrl));
  const isRestored =
    live === undefined && deleted !== undefined && deleted.deletedPassed > (yield* passedTime(db)) - restorableForMs;
  if (isRestored) yield* takeFromTrash(db, deleted.id);
  const existing = isRestored ? yield* findLive(db, input.canonicalUrl) : live;
  const { isFiled = false } = input;
  const shelf = input.shelf ?? (isRestored ? (isFiled ? 'archive' : 'inbox') : undefined);
  const filed = isFiled && ({ shelf: 'archive', readAt: db.now } as const);
  const outcome = existing && (yield* mergeSave(db, existing, { ...input, shelf }, original));
  if (existing !== undefined && isRestored && isFiled) yield* setRead(db, existing.seq, true);
  const id = existing?.id ?? (yield* insertNewItem(db, { ...input, ...filed, title: null, createdAt: null }, original));
  if (held !== undefined) yield* holdItem(db, (yield* findItem(db, id)) ?? 0, held);
  const item = yield* outcome === undefined ? getNewItem(db, id) : getItem(db, id);
  if (item === null) throw new Error('an item that was just saved is not there');
  return { id, outcome: isRestored ? 'restored' : (outcome ?? 'created'), item };
}

/**
 * Gives a saved item the first of the tags, or adds it to the first of the lists.
 * @throws {AppError} `insufficient_scope` where that list no longer exists, `invalid_input` where it is full
 */
function* holdItem(db: Db, item: number, held: HeldTo): Steps<void> {
  if (yield* isHeldItem(db, item, held)) return;
  yield* addTags(db, item, held.tags.slice(0, 1));
  if (held.tags.length > 0) return;
  const list = yield* first<{ seq: number }>`
    SELECT l.seq FROM lists l
    WHERE ${db.of('l')} AND l.query IS NULL AND l.id IN (SELECT value FROM ${db.texts('held', held.lists)})
    ORDER BY l.seq LIMIT 1`;
  if (list === undefined)
    throw new AppError(
      'insufficient_scope',
      'This token or key saves nothing: no list that it is restricted to takes items by hand.',
    );
  yield* putItems(db, list.seq, [item]);
  yield* touchItem(db, item);
}

function* mergeSave(
  db: Db,
  { seq, state }: LiveItem,
  { tags, notes, shelf }: Omit<SaveContent, 'original'>,
  original: KeptOriginal | null,
): Steps<SaveOutcome> {
  yield* addTags(db, seq, tags);
  yield* confirmTags(db, seq, tags);
  if (notes !== undefined) yield* setNotes(db, seq, notes || null);
  if (shelf !== undefined) yield* setShelf(db, seq, shelf);
  yield* touchItem(db, seq);
  if (original !== null && (state === 'failed' || !(yield* hasOriginal(db, seq, original)))) {
    // A failed item may have failed because of its old bytes, at whatever stage.
    yield* replaceOriginal(db, seq, original, 'given');
    yield* restartJob(db, seq, 'extract');
    return 'requeued';
  }
  if (state !== 'failed') return 'existed';
  yield* requeueJob(db, seq);
  return 'requeued';
}

interface NewItem {
  url: string;
  canonicalUrl: string;
  title: string | null;
  notes?: string | null | undefined;
  known?: KnownMetadata | undefined;
  tags: readonly string[];
  shelf?: Shelf | undefined;
  readAt?: number | null;
  readingShare?: number | null;
  /** Null: now. */
  createdAt: number | null;
  isBackground?: boolean;
}

/**
 * Inserts an item with its tags, its original and its job. Nothing has to be waited for before the commit.
 * @returns the item's id
 * @throws {AppError} `invalid_input` for more tags than an item can have
 */
export function* insertNewItem(db: Db, item: NewItem, original: KeptOriginal | null): Steps<string> {
  const { canonicalUrl, isBackground = false } = item;
  const id = newId('c');
  yield* later`${db.row('items', {
    id,
    url: item.url,
    ...keyed(db, 'canonical_url', canonicalUrl),
    given_title: item.title,
    notes: item.notes || null,
    shelf: item.shelf ?? 'inbox',
    read_at: item.readAt ?? null,
    reading_share: item.readingShare ?? null,
    known: toJson(item.known),
    created_at: item.createdAt ?? db.now,
    updated_at: db.now,
  })}`;
  const key = sql`(SELECT n.seq FROM items n WHERE ${db.of('n')} AND n.id = ${id})`;
  yield* addFirstTags(db, key, item.tags);
  if (original !== null) yield* writeOriginal(db, key, '', original, 'given');
  yield* queueJob(db, key, canonicalUrl, original === null ? 'fetch' : 'extract', { isBackground });
  return id;
}

export function* setNotes(db: Db, item: number, notes: string | null): Steps<void> {
  yield* later`UPDATE items SET notes = ${notes} WHERE ${db.of('items')} AND seq = ${item}`;
}

export function* setTitle(db: Db, item: number, title: string | null): Steps<void> {
  yield* later`UPDATE items SET given_title = ${title} WHERE ${db.of('items')} AND seq = ${item}`;
  db.indexing.wordsChanged(item);
}

/** Gives a note or a file its new text and address; until that is processed, the text before is shown and found. */
function* rewriteNote(db: Db, item: number, original: KeptOriginal, held: HeldTo | undefined): Steps<void> {
  const { url } = original.resource;
  const known = yield* addressFor(db, url, held);
  const same = yield* findLive(db, known);
  if (same !== undefined && same.seq !== item)
    throw invalidInput(`There is a note with this title and text already: ${same.id}.`);
  if (same === undefined) {
    const address = assignments({ url, ...keyed(db, 'canonical_url', known) });
    yield* later`UPDATE items SET ${address} WHERE ${db.of('items')} AND seq = ${item}`;
    db.indexing.wordsChanged(item);
  }
  if (yield* hasOriginal(db, item, original)) return;
  yield* replaceOriginal(db, item, original, 'given');
  yield* restartJob(db, item, 'extract');
}

/**
 * Changes an item's title, tags, notes and shelf, whether it was read, and the text of a note.
 * @throws {AppError} `invalid_input` when another note has this text, and for more tags than an item can have
 */
export function* updatePackedContent(
  db: Db,
  id: string,
  changes: Omit<ContentChanges, 'original'>,
  original: KeptOriginal | null,
): Steps<ContentSummary | null> {
  const item = yield* findItem(db, id);
  const { held } = changes;
  if (item === null || (held !== undefined && !(yield* isHeldItem(db, item, held)))) return null;
  yield* requireUnchanged(db, id, changes.unchangedSince);
  if (original !== null) yield* rewriteNote(db, item, original, held);
  const { title, notes, shelf, read } = changes;
  if (title !== undefined) yield* setTitle(db, item, title);
  yield* changeTags(db, item, changes);
  if (notes !== undefined) yield* setNotes(db, item, notes);
  if (shelf !== undefined) yield* setShelf(db, item, shelf);
  if (read !== undefined) yield* setRead(db, item, read);
  yield* requireHeld(db, item, held);
  yield* touchItem(db, item);
  return yield* getContentSummary(db, id);
}

/** The person's word on an item's tags decides what was proposed, too. */
function* changeTags(
  db: Db,
  item: number,
  { tags, removeTags: removed = [], addTags: added = [], rejectTags: rejected = [] }: Omit<ContentChanges, 'original'>,
): Steps<void> {
  if (tags !== undefined) {
    yield* rejectRemovedTags(db, item, 'others', tags);
    yield* replaceTags(db, item, tags);
  }
  if (removed.length > 0) yield* rejectRemovedTags(db, item, 'these', removed);
  yield* removeTags(db, item, removed);
  yield* addTags(db, item, added);
  yield* confirmTags(db, item, [...(tags ?? []), ...added]);
  yield* rejectTags(db, item, rejected);
}

export function* keepPackedCompanion(db: Db, contentId: string, name: string, packed: KeptOriginal): Steps<void> {
  const item = yield* findItem(db, contentId);
  if (item !== null) yield* replaceCompanion(db, item, name, packed);
}

/**
 * Queues a failed item, or one that waits for its next attempt, at once from the stage that failed. An item that
 * failed at `extract` is fetched again, unless its original was given with the save. False when there is nothing to
 * retry.
 */
export function* retryContent(db: Db, id: string): Steps<boolean> {
  const item = yield* findItem(db, id);
  return item !== null && (yield* requeueJob(db, item));
}
