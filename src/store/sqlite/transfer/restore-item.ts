import type { ClockReading } from '../../../domain/clock.ts';
import type { ExportedGoal, ExportedItem } from '../../../domain/records/transfers/exported.ts';
import type { PackedResource } from '../../records/packed-originals.ts';
import type { ImportedContent } from '../../records.ts';
import type { ReplacedItems } from '../../transfer.ts';
import { noteChangedGoal } from '../../library/goals.ts';
import { leavePlaces } from '../../library/merged-actions.ts';
import { bridge, runSteps } from '../library/sqlite-db.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { noteTransfer } from '../../library/history.ts';
import { findDeleted, importContent } from '../items/bridged.ts';
import { insertItem, keysOf, noKeys } from './insert-item.ts';

/** Goals whose title is there already are that goal. */
export function restoreGoals(file: SqliteFile, goals: readonly ExportedGoal[]): Map<string, string> {
  runSteps(file, noteTransfer(bridge(file)));
  const ids = new Map<string, string>();
  const fold = (title: string): string => title.normalize('NFC').toLowerCase();
  const known = file.all<{ id: string; title: string }>('SELECT id, title FROM goals');
  const byTitle = new Map(known.map(({ id, title }) => [fold(title), id]));
  const byId = new Set(known.map(({ id }) => id));
  for (const { id, title, category, description, createdAt, archivedAt } of goals) {
    const here = byId.has(id) ? id : byTitle.get(fold(title));
    ids.set(id, here ?? id);
    if (here !== undefined) continue;
    file.run(
      'INSERT INTO goals (id, title, category, description, created_at, archived_at) VALUES (?, ?, ?, ?, ?, ?)',
      id,
      title,
      category,
      description,
      createdAt,
      archivedAt,
    );
    byTitle.set(fold(title), id);
    byId.add(id);
    runSteps(file, noteChangedGoal(bridge(file), id, archivedAt !== null));
  }
  return ids;
}

/** See `Transfer.restoreItem`. */
export function restoreItem(
  file: SqliteFile,
  item: ExportedItem,
  originals: readonly PackedResource[],
  replaces: ReplacedItems,
  now: number,
  clock: ClockReading,
): ImportedContent {
  const { id } = item;
  runSteps(file, noteTransfer(bridge(file)));
  const known = file.get<{ seq: number; updatedAt: number; deletedAt: number | null; undone: number }>(
    'SELECT seq, updated_at AS updatedAt, deleted_at AS deletedAt, undone FROM items WHERE id = ?',
    id,
  );
  const isUndone = known?.undone === 1;
  if (known !== undefined && !isUndone && replaces === 'older') {
    if (known.deletedAt !== null) return { id, outcome: 'deleted', leftOut: [] };
    if (known.updatedAt >= item.updatedAt) return { id, outcome: 'unchanged', leftOut: [] };
  }
  const sameAddress = file.get<{ id: string }>(
    'SELECT id FROM items WHERE canonical_url = ? AND deleted_at IS NULL AND id <> ?',
    item.canonicalUrl,
    id,
  );
  const inTrash = known === undefined && replaces === 'older' ? findDeleted(file, item.canonicalUrl, now, clock) : null;
  if (sameAddress !== undefined || inTrash !== null) return mergeItem(file, item, now, clock);
  const keys = known === undefined ? noKeys : keysOf(file, known.seq);
  if (known !== undefined) {
    if (replaces === 'older') runSteps(file, leavePlaces(bridge(file, now), known.seq, 'any'));
    file.run('DELETE FROM items WHERE seq = ?', known.seq);
  }
  // An action that had moved to another item is this one's again.
  if (replaces === 'any') for (const action of item.actions) file.run('DELETE FROM actions WHERE id = ?', action.id);
  insertItem(file, item, originals, keys, now);
  return { id, outcome: known === undefined || isUndone ? 'taken' : 'merged', leftOut: [] };
}

/** What an export of another program would add. */
function mergeItem(file: SqliteFile, item: ExportedItem, now: number, clock: ClockReading): ImportedContent {
  const { url, canonicalUrl, givenTitle, tags, notes, createdAt } = item;
  const highlights = item.highlights
    .filter(({ deletedAt }) => deletedAt === null)
    .map((one) => ({ ...one, source: one.source ?? `id:${one.id}` }));
  const entry = { url, canonicalUrl, title: givenTitle, tags, notes, createdAt, highlights, original: null };
  const [merged] = importContent(file, [entry], now, clock);
  if (merged === undefined) throw new Error('an import of one entry has no outcome');
  return merged;
}

/** Merges actions that were merged in the exported library. */
export function restoreMerges(file: SqliteFile, merges: readonly { id: string; into: string }[]): void {
  for (const { id, into } of merges)
    file.run(
      `UPDATE actions SET merged_into = (SELECT seq FROM actions WHERE id = @into AND merged_into IS NULL)
       WHERE id = @id AND id <> @into AND merged_into IS NULL`,
      { id, into },
    );
}
