import type { ChangeNeeds } from '../../history.ts';
import { conflictsOf } from '../../history/conflicts.ts';
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
import type { AccountTx, AccountWrite } from '../account-access.ts';
import { libraryNow } from './library-now.ts';
import { restoreRows } from './restore-rows.ts';
import { changedRows } from './rows.ts';

export async function findEntry({ sql, account }: AccountTx, id: string): Promise<UndoneEntry | null> {
  const [entry] = await sql<UndoneEntry[]>`
    SELECT seq, operation, scopes, rows, undoes, undone_by, undone_from, restored AS is_restored FROM history
    WHERE account_id = ${account} AND id = ${id}`;
  return entry ?? null;
}

/** The change that began to undo an entry, through the same face and by the same caller as one that has done nothing yet. */
async function findBegunUndo(
  { sql, account }: AccountTx,
  { seq }: UndoneEntry,
  undoneBy: string,
): Promise<string | null> {
  const [begun] = await sql<{ id: string }[]>`
    SELECT u.id FROM history x
    JOIN history u ON u.account_id = x.account_id AND u.undoes = x.id
    JOIN history own ON own.account_id = x.account_id AND own.id = ${undoneBy}
    WHERE x.account_id = ${account} AND x.seq = ${seq} AND x.undone_from IS NOT NULL
      AND u.undone_from IS NULL AND NOT u.restored AND u.rows > 0
      AND own.rows = 0 AND u.face = own.face AND u.token IS NOT DISTINCT FROM own.token
    ORDER BY u.seq DESC LIMIT 1`;
  return begun?.id ?? null;
}

/** Of what undoing the entry takes away: what the change made, or brought back from the trash. */
export async function removedByUndoing(
  { sql, account }: AccountTx,
  { seq, rows }: UndoneEntry,
): Promise<ChangeNeeds['removes']> {
  if (rows > maxRowsAtOnce) return ['content', 'goals'];
  const removed = await sql<{ kind: string }[]>`
    SELECT DISTINCT kind FROM history_changes
    WHERE account_id = ${account} AND entry = ${seq} AND before::text IS DISTINCT FROM after::text AND after IS NOT NULL
      AND (before IS NULL OR (before->>'deleted_at' IS NOT NULL AND after->>'deleted_at' IS NULL))`;
  const kinds = new Set(removed.map(({ kind }) => kind));
  return (['content', 'goals'] as const).filter((resource) => kindsRemoved[resource].some((kind) => kinds.has(kind)));
}

/** The conflicts of one part of an entry, for an entry that is undone in several writes. */
export async function conflictsBelow(db: AccountTx, entry: number, below: number): Promise<PartConflicts> {
  const rows = await changedRows(db, entry, below, maxRowsAtOnce);
  return partConflicts(rows, conflictsOf(rows, await libraryNow(db, rows)));
}

/**
 * Undoes the last rows of an entry that are not undone yet. With conflicts and without `force` it changes nothing.
 * @param undoneBy the change that undoes it
 */
export async function undoPart(
  db: AccountWrite,
  id: string,
  { force, undoneBy }: { force: boolean; undoneBy: string },
): Promise<UndoPart | null> {
  const { sql, account } = db;
  const entry = await findEntry(db, id);
  if (entry === null) return null;
  const before = undoneBefore(entry);
  if (before !== null) return before;
  const begun = await findBegunUndo(db, entry, undoneBy);
  if (begun !== null) return joinedUndo(entry, begun);
  const rows = await changedRows(db, entry.seq, entry.undoneFrom ?? fromEnd, maxRowsAtOnce);
  const { part, restore, undoneFrom } = planPart(entry, rows, conflictsOf(rows, await libraryNow(db, rows)), force);
  if (restore === null) return part;
  await restoreRows(db, restore);
  await sql`
    UPDATE history SET undone_from = ${undoneFrom}, undone_by = ${part.isDone ? undoneBy : null},
      passed = greatest(passed, (SELECT passed FROM history WHERE account_id = ${account} AND id = ${undoneBy}))
    WHERE account_id = ${account} AND seq = ${entry.seq}`;
  // What is redone can be undone again.
  if (part.isDone && entry.undoes !== null)
    await sql`
      UPDATE history SET undone_by = NULL, undone_from = NULL WHERE account_id = ${account} AND id = ${entry.undoes}`;
  return part;
}
