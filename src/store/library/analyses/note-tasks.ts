import { continueTasks, type KnownAction } from '../../../domain/actions/continued-actions.ts';
import { newId } from '../../../domain/records/ids.ts';
import type { NotesDue, NoteTask } from '../../records/analysis-records.ts';
import { all, type Db, first, later, sql, type Steps, text, together, touchItem } from '../db.ts';
import { mergeActions, removeAction } from './merged-actions.ts';

/*
 * Actions from a person's notes on an item. They have a quote and no location in the text. Triggers set `tasks_due` when a note is
 * written, whoever writes it.
 */

/** SQL: the action is from a note. */
export const isOfNote = text('(quote IS NOT NULL AND start_at IS NULL)');

/** Of an item with more notes on highlights, the first are read. */
const maxNotes = 500;

/** The comparison with `true` keeps SQLite from an index by `deleted_at`, which would read all items. */
const isDue = (db: Db) => sql`${db.of('i')} AND i.tasks_due = ${db.yes} AND (i.deleted_at IS NULL) = true`;

export function* hasNotesDue(db: Db): Steps<boolean> {
  return (yield* first`SELECT 1 AS due FROM items i WHERE ${isDue(db)} LIMIT 1`) !== undefined;
}

/** Items, but deleted ones, whose notes or notes of highlights were written, changed or deleted. */
export function* listNotesDue(db: Db, limit: number): Steps<NotesDue[]> {
  const items = yield* all<Omit<NotesDue, 'notes'> & { seq: number; own: string | null }>`
    SELECT i.seq, i.id AS content_id, i.updated_at, d.language, i.notes AS own
    FROM items i LEFT JOIN documents d ON ${db.of('d')} AND d.id = i.visible_document
    WHERE ${isDue(db)} LIMIT ${limit}`;
  const ofHighlights = yield* together(
    ...items.map(
      ({ seq }) => all<{ note: string }>`
        SELECT note FROM highlights h
        WHERE ${db.of('h')} AND item = ${seq} AND note IS NOT NULL AND deleted_at IS NULL ORDER BY seq LIMIT ${maxNotes}`,
    ),
  );
  return items.map(({ seq: _seq, own, ...item }, at) => ({
    ...item,
    notes: [...(own === null ? [] : [own]), ...(ofHighlights[at] ?? []).map(({ note }) => note)],
  }));
}

interface StoredAction extends KnownAction {
  seq: number;
  isOfNote: boolean;
}

/**
 * Makes the tasks in an item's notes its actions: adds new ones and removes those missing from the notes, unless a person
 * completed, dismissed or edited them. False, with nothing stored, when the item has changed since `read`.
 */
export function* keepNoteTasks(
  db: Db,
  { contentId, updatedAt }: Pick<NotesDue, 'contentId' | 'updatedAt'>,
  tasks: readonly NoteTask[],
): Steps<boolean> {
  const item = yield* first<{ seq: number }>`
    UPDATE items SET tasks_due = ${db.no}
    WHERE ${db.of('items')} AND id = ${contentId} AND updated_at = ${updatedAt} AND deleted_at IS NULL RETURNING seq`;
  if (item === undefined) return false;
  const known = yield* all<StoredAction>`
    SELECT seq, title, quote, touched_at IS NOT NULL AS is_touched, ${isOfNote} AS is_of_note FROM actions a
    WHERE ${db.of('a')} AND item = ${item.seq} ORDER BY is_touched DESC, seq`;
  const { found, gone } = continueTasks<StoredAction, NoteTask>(known, tasks);
  if (found.length === 0 && gone.length === 0) return true;
  const linkDue = sql`(SELECT l.goals_version > 0 FROM libraries l WHERE ${db.of('l')})`;
  for (const { action, continues, isReworded } of found) {
    const { title, quote, due, priority } = action;
    if (continues === null) {
      const row = {
        id: newId('a'),
        item: item.seq,
        title,
        quote,
        due,
        priority,
        created_at: db.now,
        link_due: linkDue,
      };
      yield* later`${db.row('actions', row)}`;
    } else {
      const words = isReworded
        ? sql`, title = ${title}, due = ${due}, priority = ${priority}, has_words = (has_words AND title = ${title}),
            link_due = ${linkDue}`
        : sql``;
      yield* later`
        UPDATE actions SET quote = ${quote} ${words} WHERE ${db.of('actions')} AND seq = ${continues.seq}`;
    }
  }
  for (const { seq } of gone) yield* removeAction(db, seq);
  const asksAnew = found.flatMap(({ continues, asksAnew }) => (asksAnew && continues !== null ? [continues.seq] : []));
  yield* mergeActions(db, item.seq, new Set(asksAnew));
  yield* touchItem(db, item.seq);
  return true;
}
