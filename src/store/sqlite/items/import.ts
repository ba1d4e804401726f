import type { ClockReading } from '../../../domain/clock.ts';
import { newId } from '../../../domain/records/ids.ts';
import { isWebAddress } from '../../../domain/links/shown-address.ts';
import { maxHighlights, maxTags } from '../../../domain/records/limits.ts';
import type { ImportContent, ImportedContent } from '../../records.ts';
import { importHighlights } from '../../library/highlights.ts';
import { bridge, runSteps } from '../library/sqlite-db.ts';
import { reindexWords } from '../index/index.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { findDeleted, restoreContent } from './deletion.ts';
import type { PackedResource } from '../../records/packed-originals.ts';
import {
  addTags,
  countTags,
  hasOriginal,
  missingTags,
  queueJob,
  replaceOriginal,
  restartJob,
  touchItem,
} from './bridged.ts';

const maxNotes = 10_000;

/** An entry of an import, with its original already packed. */
export interface PackedImport extends Omit<ImportContent, 'original'> {
  original: PackedResource | null;
}

/** Inserts entries, or adds what they know to the items that are there. See `Items.importContent`. */
export function importContent(
  file: SqliteFile,
  entries: readonly PackedImport[],
  now: number,
  clock: ClockReading,
): ImportedContent[] {
  return entries.map((entry) => importOne(file, entry, now, clock));
}

/** A deleted item stays deleted, unless it was only that its import or save was undone: then it is imported anew. */
function importDeleted(
  file: SqliteFile,
  id: string,
  entry: PackedImport,
  now: number,
  clock: ClockReading,
): ImportedContent {
  const undone = file.get<Existing>(`${existingColumns} WHERE id = ? AND undone = 1`, id);
  if (undone === undefined) return { id, outcome: 'deleted', leftOut: [] };
  restoreContent(file, id, now, clock);
  // Its title was taken away with the rest of what was saved.
  return { ...merge(file, { ...undone, hasTitle: 0 }, entry, now), outcome: 'taken' };
}

const existingColumns = `SELECT seq, id, notes, created_at AS createdAt,
  given_title IS NOT NULL OR visible_document IS NOT NULL AS hasTitle,
  visible_document IS NOT NULL AS hasText FROM items`;

interface Existing {
  seq: number;
  id: string;
  notes: string | null;
  createdAt: number;
  hasTitle: 0 | 1;
  hasText: 0 | 1;
}

function importOne(file: SqliteFile, entry: PackedImport, now: number, clock: ClockReading): ImportedContent {
  const existing = file.get<Existing>(
    `${existingColumns} WHERE canonical_url = ? AND deleted_at IS NULL`,
    entry.canonicalUrl,
  );
  if (existing !== undefined) return merge(file, existing, entry, now);
  const deleted = findDeleted(file, entry.canonicalUrl, clock);
  if (deleted !== null) return importDeleted(file, deleted, entry, now, clock);
  return { ...insert(file, entry, now), outcome: 'taken' };
}

function insert(file: SqliteFile, entry: PackedImport, now: number): Pick<ImportedContent, 'id' | 'leftOut'> {
  const id = newId('c');
  const { rowId } = file.run(
    `INSERT INTO items (id, url, canonical_url, given_title, notes, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    id,
    entry.url,
    entry.canonicalUrl,
    entry.title,
    entry.notes,
    entry.createdAt ?? now,
    now,
  );
  addTags(file, rowId, entry.tags.slice(0, maxTags));
  if (entry.original !== null) replaceOriginal(file, rowId, entry.original, 'given');
  const stage = entry.original === null ? 'fetch' : 'extract';
  queueJob(file, rowId, entry.canonicalUrl, stage, now, { isBackground: true });
  const { leftOut } = runSteps(file, importHighlights(bridge(file, now), rowId, entry.highlights ?? []));
  return { id, leftOut: aboutLeftOut(leftOut) };
}

function aboutLeftOut(highlights: number): string[] {
  return highlights === 0 ? [] : [`${highlights} highlights: an item has ${maxHighlights} at most`];
}

/**
 * Adds tags, notes, highlights, a missing title and an earlier date. A page gets a text only when it has none. Writes
 * nothing when the item has all of that.
 */
function merge(file: SqliteFile, existing: Existing, entry: PackedImport, now: number): ImportedContent {
  const { seq, id } = existing;
  const leftOut: string[] = [];
  let isChanged = false;
  const tags = missingTags(file, seq, entry.tags);
  const room = maxTags - (tags.length === 0 ? 0 : countTags(file, seq));
  if (tags.length > room) leftOut.push(`${tags.length - Math.max(0, room)} tags: the item has ${maxTags}`);
  if (tags.length > 0 && room > 0) {
    addTags(file, seq, tags.slice(0, room));
    isChanged = true;
  }
  if (entry.notes !== null && existing.notes?.includes(entry.notes) !== true) {
    const notes = existing.notes === null ? entry.notes : `${existing.notes}\n\n${entry.notes}`;
    if (notes.length > maxNotes) leftOut.push('the notes: the item has too many');
    else {
      file.run('UPDATE items SET notes = ? WHERE seq = ?', notes, seq);
      isChanged = true;
    }
  }
  if (entry.title !== null && existing.hasTitle === 0) {
    file.run('UPDATE items SET given_title = ? WHERE seq = ?', entry.title, seq);
    reindexWords(file, seq);
    isChanged = true;
  }
  if (entry.createdAt !== null && entry.createdAt < existing.createdAt) {
    file.run('UPDATE items SET created_at = ? WHERE seq = ?', entry.createdAt, seq);
    isChanged = true;
  }
  const mayReplace = existing.hasText === 0 || !isWebAddress(entry.url);
  if (entry.original !== null && mayReplace && !hasOriginal(file, seq, entry.original)) {
    replaceOriginal(file, seq, entry.original, 'given');
    restartJob(file, seq, 'extract', now);
    isChanged = true;
  }
  const highlights = runSteps(file, importHighlights(bridge(file, now), seq, entry.highlights ?? []));
  leftOut.push(...aboutLeftOut(highlights.leftOut));
  if (highlights.written > 0) isChanged = true;
  if (isChanged) touchItem(file, seq, now);
  return { id, outcome: isChanged ? 'merged' : 'unchanged', leftOut };
}
