import { restorableForMs } from '../../../domain/records/limits.ts';
import type { AccountTx, AccountWrite } from '../account-access.ts';
import { forgetItem } from '../../library/history-pruning.ts';
import { leavePlaces, mergeActions, takePlaces } from '../../library/merged-actions.ts';
import { postgresDb, runSteps } from '../postgres-db.ts';
import { addressHash } from '../address-hash.ts';
import { linkDuplicates, regroupCopies, resumeJob, stopJob, touchItem } from './bridged.ts';

/** Hides the item and stops its job; a worker that holds it loses its lease. */
export async function deleteContent(db: AccountWrite, id: string): Promise<void> {
  const { sql, account, now, passed } = db;
  const [deleted] = await sql<{ seq: number }[]>`
    UPDATE items SET deleted_at = ${now}, deleted_passed = ${passed}, duplicate_of = NULL
    WHERE account_id = ${account} AND id = ${id} AND deleted_at IS NULL RETURNING seq`;
  if (deleted === undefined) return;
  stopJob(db, deleted.seq);
  await runSteps(db, leavePlaces(postgresDb(db), deleted.seq));
  touchItem(db, deleted.seq);
  await regroupCopies(db, deleted.seq);
}

/** Restores a deleted item and resumes its job. */
export async function restoreContent(db: AccountWrite, id: string): Promise<void> {
  const { sql, account, passed } = db;
  // Only one item that is not deleted may have an address.
  const [restored] = await sql<{ seq: number; state: string; document: number | null }[]>`
    UPDATE items SET deleted_at = NULL, deleted_passed = NULL, undone = false
    WHERE account_id = ${account} AND id = ${id} AND deleted_passed > ${passed - restorableForMs} AND NOT EXISTS (
      SELECT 1 FROM items o WHERE o.account_id = ${account} AND o.deleted_at IS NULL
        AND o.url_hash = items.url_hash)
    RETURNING seq, state, visible_document AS document`;
  if (restored === undefined) return;
  if (restored.state === 'unfinished') resumeJob(db, restored.seq);
  await runSteps(db, takePlaces(postgresDb(db), restored.seq));
  await runSteps(db, mergeActions(postgresDb(db), restored.seq));
  if (restored.document !== null) await linkDuplicates(db, restored.seq, restored.document);
  touchItem(db, restored.seq);
}

/** The item with this address that was deleted last and can still be restored. */
export async function findDeleted(
  { sql, account, passed }: AccountWrite,
  canonicalUrl: string,
): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    SELECT id FROM items
    WHERE account_id = ${account} AND url_hash = ${addressHash(canonicalUrl)}
      AND deleted_passed > ${passed - restorableForMs}
    ORDER BY deleted_at DESC LIMIT 1`;
  return row?.id ?? null;
}

export async function hasExpired({ sql, account }: AccountTx, passed: number): Promise<boolean> {
  const found = await sql`
    SELECT 1 FROM items WHERE account_id = ${account} AND deleted_passed <= ${passed - restorableForMs} LIMIT 1`;
  return found.length > 0;
}

export async function hasDeleted({ sql, account }: AccountTx): Promise<boolean> {
  const found = await sql`SELECT 1 FROM items WHERE account_id = ${account} AND deleted_at IS NOT NULL LIMIT 1`;
  return found.length > 0;
}

/** Ends the time in which deleted items can be restored; null: all of them. Returns how many. */
export async function expireDeleted(db: AccountWrite, ids: readonly string[] | null): Promise<number> {
  const { sql, account, passed } = db;
  const expired = passed - restorableForMs;
  const rows = await sql`
    UPDATE items SET deleted_passed = ${expired} WHERE account_id = ${account} AND deleted_passed > ${expired}
      ${ids === null ? sql`` : sql`AND id = ANY(${ids as string[]})`} RETURNING seq`;
  return rows.length;
}

/** Removes items that can no longer be restored, with all their data. Returns how many. */
export async function purgeExpired(db: AccountWrite, limit: number): Promise<number> {
  const { sql, account, passed } = db;
  const expired = await sql<{ seq: number }[]>`
    SELECT seq FROM items WHERE account_id = ${account} AND deleted_passed <= ${passed - restorableForMs}
    ORDER BY deleted_passed LIMIT ${limit}`;
  for (const { seq } of expired) {
    await runSteps(db, leavePlaces(postgresDb(db), seq, 'any'));
    await runSteps(db, forgetItem(postgresDb(db), seq));
    await sql`DELETE FROM items WHERE account_id = ${account} AND seq = ${seq}`;
  }
  return expired.length;
}
