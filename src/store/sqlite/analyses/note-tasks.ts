import { continueTasks, type KnownAction } from '../../../domain/actions/continued-actions.ts';
import { newId } from '../../../domain/records/ids.ts';
import type { NotesDue, NoteTask } from '../../records/analysis-records.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { touchItem } from '../items/bridged.ts';
import { mergeActions, removeAction } from './merged-actions.ts';

/*
 * Actions from a person's notes on an item. They have a quote and no place in the text. Triggers set `tasks_due` when a
 * note is written, whoever writes it.
 */

/** SQL: the action is from a note. */
export const isOfNote = '(quote IS NOT NULL AND start_at IS NULL)';

/** Of an item with more notes on highlights, the first are read. */
const maxNotes = 500;

export function hasNotesDue(file: SqliteFile): boolean {
  return file.get('SELECT 1 FROM items WHERE tasks_due = 1 AND deleted_at IS NULL LIMIT 1') !== undefined;
}

export function listNotesDue(file: SqliteFile, limit: number): NotesDue[] {
  const items = file.all<Omit<NotesDue, 'notes'> & { seq: number; own: string | null }>(
    `SELECT i.seq, i.id AS contentId, i.updated_at AS updatedAt, d.language, i.notes AS own
     FROM items i LEFT JOIN documents d ON d.id = i.visible_document
     WHERE i.tasks_due = 1 AND i.deleted_at IS NULL LIMIT ?`,
    limit,
  );
  return items.map(({ seq, own, ...item }) => {
    const ofHighlights = file.all<{ note: string }>(
      `SELECT note FROM highlights WHERE item = ? AND note IS NOT NULL AND deleted_at IS NULL ORDER BY seq LIMIT ?`,
      seq,
      maxNotes,
    );
    return { ...item, notes: [...(own === null ? [] : [own]), ...ofHighlights.map(({ note }) => note)] };
  });
}

interface StoredAction extends KnownAction {
  seq: number;
  isOfNote: boolean;
}

export function keepNoteTasks(
  file: SqliteFile,
  { contentId, updatedAt }: Pick<NotesDue, 'contentId' | 'updatedAt'>,
  tasks: readonly NoteTask[],
  now: number,
): boolean {
  const item = file.get<{ seq: number }>(
    'UPDATE items SET tasks_due = 0 WHERE id = ? AND updated_at = ? AND deleted_at IS NULL RETURNING seq',
    contentId,
    updatedAt,
  );
  if (item === undefined) return false;
  const known = file
    .all<Omit<StoredAction, 'isTouched' | 'isOfNote'> & { isTouched: 0 | 1; isOfNote: 0 | 1 }>(
      `SELECT seq, title, quote, touched_at IS NOT NULL AS isTouched, ${isOfNote} AS isOfNote FROM actions
       WHERE item = ? ORDER BY isTouched DESC, seq`,
      item.seq,
    )
    .map((row) => ({ ...row, isTouched: row.isTouched === 1, isOfNote: row.isOfNote === 1 }));
  const { found, gone } = continueTasks<StoredAction, NoteTask>(known, tasks);
  if (found.length === 0 && gone.length === 0) return true;
  for (const { action, continues, isReworded } of found) {
    const { title, quote, due } = action;
    if (continues === null)
      file.run(
        `INSERT INTO actions (id, item, title, quote, due, created_at, link_due)
         VALUES (?, ?, ?, ?, ?, ?, (SELECT goals_version > 0 FROM libraries))`,
        newId('a'),
        item.seq,
        title,
        quote,
        due,
        now,
      );
    else if (isReworded)
      file.run(
        `UPDATE actions SET title = @title, quote = @quote, due = @due, has_words = iif(title = @title, has_words, 0),
           link_due = (SELECT goals_version > 0 FROM libraries) WHERE seq = @seq`,
        { seq: continues.seq, title, quote, due },
      );
    else file.run('UPDATE actions SET quote = ? WHERE seq = ?', quote, continues.seq);
  }
  for (const { seq } of gone) removeAction(file, seq, now);
  const asksAnew = found.flatMap(({ continues, asksAnew }) => (asksAnew && continues !== null ? [continues.seq] : []));
  mergeActions(file, item.seq, now, new Set(asksAnew));
  touchItem(file, item.seq, now);
  return true;
}
