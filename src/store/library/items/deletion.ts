import type { ContentSummary } from '../../../domain/records/content.ts';
import {
  all,
  type Db,
  expiredBy,
  first,
  isKey,
  later,
  passedTime,
  run,
  sql,
  type Steps,
  text,
  touchItem,
} from '../db.ts';
import { linkDuplicates, regroupCopies } from './duplicates.ts';
import { forgetItem, hasHistory } from '../history/pruning.ts';
import { resumeJob, stopJob } from '../queue/jobs.ts';
import { leavePlaces, mergeActions, takePlaces } from '../analyses/merged-actions.ts';
import { getContentSummary, getDeletedSummary, requireUnchanged } from './reading.ts';

/**
 * Hides the item from every other method and stops its job. Repeating it changes nothing. Null when there is no such
 * item, or when it can no longer be restored.
 * @throws {AppError} `precondition_failed` when the item has changed since the version `unchangedSince`
 */
export function* deleteContent(db: Db, id: string, unchangedSince?: number): Steps<ContentSummary | null> {
  yield* requireUnchanged(db, id, unchangedSince);
  yield* moveToTrash(db, id);
  return yield* getDeletedSummary(db, id);
}

/** Shows a deleted item again; an item that is not deleted stays as it is. Null when there is no such item. */
export function* restoreContent(db: Db, id: string): Steps<ContentSummary | null> {
  yield* takeFromTrash(db, id);
  return yield* getContentSummary(db, id);
}

/** Hides the item and stops its job; a worker that holds it loses its lease. */
export function* moveToTrash(db: Db, id: string): Steps<void> {
  const deleted = yield* first<{ seq: number }>`
    UPDATE items SET deleted_at = ${db.now}, deleted_passed = ${yield* passedTime(db)}, duplicate_of = NULL
    WHERE ${db.of('items')} AND id = ${id} AND deleted_at IS NULL RETURNING seq`;
  if (deleted === undefined) return;
  yield* stopJob(db, deleted.seq);
  yield* leavePlaces(db, deleted.seq);
  yield* touchItem(db, deleted.seq);
  yield* regroupCopies(db, deleted.seq);
}

/** Shows a deleted item again and resumes its job. */
export function* takeFromTrash(db: Db, id: string): Steps<void> {
  const address = text(db.keyColumn('canonical_url'));
  // Only one item that is not deleted may have an address.
  const restored = yield* first<{ seq: number; state: string; document: number | null }>`
    UPDATE items AS i SET deleted_at = NULL, deleted_passed = NULL, undone = false
    WHERE ${db.of('i')} AND i.id = ${id} AND i.deleted_passed > ${yield* expiredBy(db)} AND NOT EXISTS (
      SELECT 1 FROM items o WHERE ${db.of('o')} AND o.${address} = i.${address} AND o.deleted_at IS NULL)
    RETURNING seq, state, visible_document AS document`;
  if (restored === undefined) return;
  if (restored.state === 'unfinished') yield* resumeJob(db, restored.seq);
  yield* takePlaces(db, restored.seq);
  yield* mergeActions(db, restored.seq);
  if (restored.document !== null) yield* linkDuplicates(db, restored.seq, restored.document);
  yield* touchItem(db, restored.seq);
}

/** The item with this address that was deleted last and can still be restored. */
export function* findDeleted(db: Db, canonicalUrl: string): Steps<string | null> {
  const row = yield* first<{ id: string }>`
    SELECT id FROM items i
    WHERE ${db.of('i')} AND ${isKey(db, 'i', 'canonical_url', canonicalUrl)} AND deleted_passed > ${yield* expiredBy(db)}
    ORDER BY deleted_at DESC LIMIT 1`;
  return row?.id ?? null;
}

/** Ends the time in which these deleted items can be restored; null: all of them. @returns how many `purgeExpired` will remove for it */
export function* expireDeleted(db: Db, ids: readonly string[] | null): Steps<number> {
  const expired = yield* expiredBy(db);
  const those = ids === null ? sql`` : sql`AND id IN (SELECT value FROM ${db.texts('those', ids)})`;
  return yield* run`
    UPDATE items SET deleted_passed = ${expired} WHERE ${db.of('items')} AND deleted_passed > ${expired} ${those}`;
}

export function* hasExpired(db: Db): Steps<boolean> {
  const found = yield* first`
    SELECT 1 AS found FROM items i WHERE ${db.of('i')} AND deleted_passed <= ${yield* expiredBy(db)} LIMIT 1`;
  return found !== undefined;
}

function* hasDeleted(db: Db): Steps<boolean> {
  const found = yield* first`
    SELECT 1 AS found FROM items i WHERE ${db.of('i')} AND deleted_passed IS NOT NULL LIMIT 1`;
  return found !== undefined;
}

/** Whether the time has to be noted, so that what was deleted and recorded grows old. */
export function* hasWhatGrowsOld(db: Db): Steps<boolean> {
  return (yield* hasDeleted(db)) || (yield* hasHistory(db));
}

/**
 * Removes items that were deleted `restorableForMs` ago, with everything that belongs to them. @returns how many, at
 * most `limit`
 */
export function* purgeExpired(db: Db, limit: number): Steps<number> {
  const expired = yield* all<{ seq: number }>`
    SELECT seq FROM items i WHERE ${db.of('i')} AND deleted_passed <= ${yield* expiredBy(db)}
    ORDER BY deleted_passed LIMIT ${limit}`;
  for (const { seq } of expired) {
    yield* leavePlaces(db, seq, 'any');
    yield* forgetItem(db, seq);
    // A source that still offers it does not bring it back, and keeps nothing of it but its key.
    yield* later`
      UPDATE source_entries SET state = 'left', item = NULL, address = NULL, title = NULL, fingerprint = NULL
      WHERE ${db.of('source_entries')} AND item = ${seq}`;
    yield* run`DELETE FROM items WHERE ${db.of('items')} AND seq = ${seq}`;
  }
  return expired.length;
}
