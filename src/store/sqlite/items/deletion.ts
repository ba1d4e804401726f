import type { ClockReading } from '../../../domain/clock.ts';
import { isNoteDue, passedTime, wasSetBack } from '../files/account-time.ts';
import { forgetItem, hasHistory } from '../../library/history-pruning.ts';
import { bridge, runSteps } from '../library/sqlite-db.ts';
import { expiredBy } from './deleted.ts';
import { linkDuplicates, regroupCopies, resumeJob, stopJob, touchItem } from './bridged.ts';
import { leavePlaces, mergeActions, takePlaces } from '../../library/merged-actions.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

/**
 * Hides the item and stops its job; a worker that holds it loses its lease. Returns false when there is no such item.
 */
export function deleteContent(file: SqliteFile, id: string, now: number, clock: ClockReading): boolean {
  const deleted = file.get<{ seq: number }>(
    `UPDATE items SET deleted_at = ?, deleted_passed = ?, duplicate_of = NULL
     WHERE id = ? AND deleted_at IS NULL RETURNING seq`,
    now,
    passedTime(file, clock),
    id,
  );
  if (deleted === undefined) return false;
  stopJob(file, deleted.seq);
  runSteps(file, leavePlaces(bridge(file, now), deleted.seq));
  touchItem(file, deleted.seq, now);
  regroupCopies(file, deleted.seq, now);
  return true;
}

/** Restores a deleted item and resumes its job. Returns false when there is no such item to restore. */
export function restoreContent(file: SqliteFile, id: string, now: number, clock: ClockReading): boolean {
  const restored = file.get<{ seq: number; state: string; document: number | null }>(
    // Only one item that is not deleted may have an address.
    `UPDATE items SET deleted_at = NULL, deleted_passed = NULL, undone = 0 WHERE id = ? AND deleted_passed > ?
       AND NOT EXISTS (SELECT 1 FROM items c WHERE c.canonical_url = items.canonical_url AND c.deleted_at IS NULL)
     RETURNING seq, state, visible_document AS document`,
    id,
    expiredBy(file, clock),
  );
  if (restored === undefined) return false;
  if (restored.state === 'unfinished') resumeJob(file, restored.seq, now);
  runSteps(file, takePlaces(bridge(file, now), restored.seq));
  runSteps(file, mergeActions(bridge(file, now), restored.seq));
  if (restored.document !== null) linkDuplicates(file, restored.seq, restored.document, now);
  touchItem(file, restored.seq, now);
  return true;
}

/**
 * The item with this address that was deleted last and can still be restored. The caller checks whether another item
 * has the address now.
 */
export function findDeleted(file: SqliteFile, canonicalUrl: string, clock: ClockReading): string | null {
  const row = file.get<{ id: string }>(
    'SELECT id FROM items WHERE canonical_url = ? AND deleted_passed > ? ORDER BY deleted_at DESC LIMIT 1',
    canonicalUrl,
    expiredBy(file, clock),
  );
  return row?.id ?? null;
}

/** Ends the time in which deleted items can be restored; null: all of them. Returns how many. */
export function expireDeleted(file: SqliteFile, ids: readonly string[] | null, clock: ClockReading): number {
  const expired = expiredBy(file, clock);
  return file.all(
    `UPDATE items SET deleted_passed = ? WHERE deleted_passed > ?
       AND (? OR id IN (SELECT value FROM json_each(?))) RETURNING seq`,
    expired,
    expired,
    Number(ids === null),
    JSON.stringify(ids),
  ).length;
}

const expiredItems = 'FROM items WHERE deleted_passed <= ?';

export function hasExpired(file: SqliteFile, clock: ClockReading): boolean {
  return hasDeleted(file) && file.get(`SELECT 1 ${expiredItems} LIMIT 1`, expiredBy(file, clock)) !== undefined;
}

function hasDeleted(file: SqliteFile): boolean {
  return file.get('SELECT 1 FROM items WHERE deleted_passed IS NOT NULL LIMIT 1') !== undefined;
}

/** Whether a write is needed only to note the time. */
export function hasTimeToNote(file: SqliteFile, clock: ClockReading): boolean {
  return (
    wasSetBack(file, clock.now()) ||
    ((hasDeleted(file) || runSteps(file, hasHistory(bridge(file)))) && isNoteDue(file, clock))
  );
}

/** Removes items that can no longer be restored, with all their data. Returns how many. */
export function purgeExpired(file: SqliteFile, limit: number, now: number, clock: ClockReading): number {
  const expired = file.all<{ seq: number }>(
    `SELECT seq ${expiredItems} ORDER BY deleted_passed LIMIT ?`,
    expiredBy(file, clock),
    limit,
  );
  for (const { seq } of expired) {
    runSteps(file, leavePlaces(bridge(file, now), seq, 'any'));
    runSteps(file, forgetItem(bridge(file), seq));
    file.run('DELETE FROM items WHERE seq = ?', seq);
  }
  return expired.length;
}
