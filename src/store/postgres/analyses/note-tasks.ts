import { continueTasks, type KnownAction } from '../../../domain/actions/continued-actions.ts';
import { newId } from '../../../domain/records/ids.ts';
import type { NotesDue, NoteTask } from '../../records/analysis-records.ts';
import type { AccountTx, AccountWrite } from '../account-access.ts';
import { touchItem } from '../items/bridged.ts';
import { mergeActions, removeAction } from './merged-actions.ts';

/*
 * Actions from a person's notes on an item. They have a quote and no place in the text. Triggers set `tasks_due` when a
 * note is written, whoever writes it.
 */

/** Of an item with more notes on highlights, the first are read. */
const maxNotes = 500;

export async function hasNotesDue({ sql, account }: AccountTx): Promise<boolean> {
  const [due] = await sql`
    SELECT 1 FROM items WHERE account_id = ${account} AND tasks_due AND deleted_at IS NULL LIMIT 1`;
  return due !== undefined;
}

export async function listNotesDue({ sql, account }: AccountTx, limit: number): Promise<NotesDue[]> {
  const items = await sql<(Omit<NotesDue, 'notes'> & { seq: number; own: string | null })[]>`
    SELECT i.seq, i.id AS content_id, i.updated_at, d.language, i.notes AS own
    FROM items i LEFT JOIN documents d ON d.account_id = ${account} AND d.id = i.visible_document
    WHERE i.account_id = ${account} AND i.tasks_due AND i.deleted_at IS NULL LIMIT ${limit}`;
  return Promise.all(
    items.map(async ({ seq, own, ...item }) => {
      const ofHighlights = await sql<{ note: string }[]>`
        SELECT note FROM highlights
        WHERE account_id = ${account} AND item = ${seq} AND note IS NOT NULL AND deleted_at IS NULL
        ORDER BY seq LIMIT ${maxNotes}`;
      return { ...item, notes: [...(own === null ? [] : [own]), ...ofHighlights.map(({ note }) => note)] };
    }),
  );
}

interface StoredAction extends KnownAction {
  seq: number;
  isOfNote: boolean;
}

export async function keepNoteTasks(
  db: AccountWrite,
  { contentId, updatedAt }: Pick<NotesDue, 'contentId' | 'updatedAt'>,
  tasks: readonly NoteTask[],
): Promise<boolean> {
  const { sql, account, now } = db;
  const [item] = await sql<{ seq: number }[]>`
    UPDATE items SET tasks_due = false
    WHERE account_id = ${account} AND id = ${contentId} AND updated_at = ${updatedAt} AND deleted_at IS NULL
    RETURNING seq`;
  if (item === undefined) return false;
  const known = await sql<StoredAction[]>`
    SELECT seq, title, quote, touched_at IS NOT NULL AS is_touched, quote IS NOT NULL AND start_at IS NULL AS is_of_note
    FROM actions WHERE account_id = ${account} AND item = ${item.seq} ORDER BY is_touched DESC, seq`;
  const { found, gone } = continueTasks<StoredAction, NoteTask>(known, tasks);
  if (found.length === 0 && gone.length === 0) return true;
  const isLinkDue = sql`(SELECT goals_version > 0 FROM libraries WHERE account_id = ${account})`;
  for (const { action, continues, isReworded } of found) {
    const { title, quote, due } = action;
    if (continues === null)
      await sql`
        INSERT INTO actions (account_id, id, item, title, quote, due, created_at, link_due)
        VALUES (${account}, ${newId('a')}, ${item.seq}, ${title}, ${quote}, ${due}, ${now}, ${isLinkDue})`;
    else if (isReworded)
      await sql`
        UPDATE actions SET title = ${title}, quote = ${quote}, due = ${due}, has_words = has_words AND title = ${title},
          link_due = ${isLinkDue}
        WHERE account_id = ${account} AND seq = ${continues.seq}`;
    else await sql`UPDATE actions SET quote = ${quote} WHERE account_id = ${account} AND seq = ${continues.seq}`;
  }
  for (const { seq } of gone) await removeAction(db, seq);
  const asksAnew = found.flatMap(({ continues, asksAnew }) => (asksAnew && continues !== null ? [continues.seq] : []));
  await mergeActions(db, item.seq, new Set(asksAnew));
  touchItem(db, item.seq);
  return true;
}
