import type { ClockReading } from '../../../domain/clock.ts';
import { AppError } from '../../../errors.ts';
import { newId } from '../../../domain/records/ids.ts';
import type { ContentChanges, SaveContent, SaveOutcome } from '../../records.ts';
import { findDeleted, restoreContent } from './deletion.ts';
import type { PackedResource } from '../../records/packed-originals.ts';
import { reindexWords } from '../index/index.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import {
  addTags,
  hasOriginal,
  queueJob,
  removeTags,
  replaceOriginal,
  replaceTags,
  requeueJob,
  restartJob,
  touchItem,
} from './bridged.ts';

/**
 * Inserts the item with its job, or merges into the item with the same canonical URL; a deleted one is restored.
 * Bytes that differ from the item's become its next version. Until that has its passages, the previous version is shown
 * and found.
 */
export function saveContent(
  file: SqliteFile,
  input: SaveContent,
  original: PackedResource | null,
  now: number,
  clock: ClockReading,
): { id: string; outcome: SaveOutcome } {
  const deleted =
    findLive(file, input.canonicalUrl) === undefined ? findDeleted(file, input.canonicalUrl, clock) : null;
  if (deleted !== null) restoreContent(file, deleted, now, clock);
  const existing = findLive(file, input.canonicalUrl);
  if (existing === undefined) return { id: insertContent(file, input, original, now), outcome: 'created' };
  const outcome = mergeSave(file, existing, input, original, now);
  return { id: existing.id, outcome: deleted === null ? outcome : 'restored' };
}

interface LiveContent {
  seq: number;
  id: string;
  state: string;
}

export function findLive(file: SqliteFile, canonicalUrl: string): LiveContent | undefined {
  return file.get<LiveContent>(
    'SELECT seq, id, state FROM items WHERE canonical_url = ? AND deleted_at IS NULL',
    canonicalUrl,
  );
}

function mergeSave(
  file: SqliteFile,
  existing: LiveContent,
  input: SaveContent,
  original: PackedResource | null,
  now: number,
): SaveOutcome {
  addTags(file, existing.seq, input.tags);
  if (input.notes !== undefined)
    file.run('UPDATE items SET notes = ? WHERE seq = ?', input.notes || null, existing.seq);
  touchItem(file, existing.seq, now);
  if (original !== null && (existing.state === 'failed' || !hasOriginal(file, existing.seq, original))) {
    // A failed item may have failed because of its old bytes, at whatever stage.
    replaceOriginal(file, existing.seq, original, 'given');
    restartJob(file, existing.seq, 'extract', now);
    return 'requeued';
  }
  if (existing.state !== 'failed') return 'existed';
  requeueJob(file, existing.seq, now);
  return 'requeued';
}

function insertContent(file: SqliteFile, input: SaveContent, original: PackedResource | null, now: number): string {
  const id = newId('c');
  const { rowId } = file.run(
    'INSERT INTO items (id, url, canonical_url, notes, known, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
    id,
    input.url,
    input.canonicalUrl,
    input.notes || null,
    input.known === undefined ? null : JSON.stringify(input.known),
    now,
    now,
  );
  addTags(file, rowId, input.tags);
  if (original !== null) replaceOriginal(file, rowId, original, 'given');
  queueJob(file, rowId, input.canonicalUrl, original === null ? 'fetch' : 'extract', now);
  return id;
}

/** The key of an item, or null when there is no such item. */
export function findItem(file: SqliteFile, id: string): number | null {
  return file.get<{ seq: number }>('SELECT seq FROM items WHERE id = ? AND deleted_at IS NULL', id)?.seq ?? null;
}

/** Gives a note its new text; until that is processed, the text before is shown and found. */
function rewriteNote(file: SqliteFile, item: number, original: PackedResource, now: number): void {
  const { url } = original.resource;
  const same = findLive(file, url);
  if (same !== undefined && same.seq !== item)
    throw new AppError('invalid_input', `There is a note with this title and text already: ${same.id}.`);
  if (hasOriginal(file, item, original)) return;
  file.run('UPDATE items SET url = ?, canonical_url = ? WHERE seq = ?', url, url, item);
  replaceOriginal(file, item, original, 'given');
  restartJob(file, item, 'extract', now);
}

/** The version of an item that is not deleted: `touchItem` makes it grow. Null when there is none. */
export function getVersion(file: SqliteFile, id: string): number | null {
  const row = file.get<{ version: number }>(
    'SELECT updated_at AS version FROM items WHERE id = ? AND deleted_at IS NULL',
    id,
  );
  return row?.version ?? null;
}

/** @throws {AppError} `precondition_failed` when the item has changed since this version */
export function requireUnchanged(file: SqliteFile, id: string, version: number | undefined): void {
  if (version === undefined || getVersion(file, id) === version) return;
  throw new AppError(
    'precondition_failed',
    'The item has changed since it was read. Read it again, then send the change with its new ETag.',
  );
}

/**
 * Changes an item's title, tags and notes, and the text of a note. Returns false when there is no such item.
 * @throws {AppError} `invalid_input` when another note has this text, and for more tags than an item can have
 */
export function updateContent(
  file: SqliteFile,
  id: string,
  changes: Omit<ContentChanges, 'original'>,
  original: PackedResource | null,
  now: number,
): boolean {
  const item = findItem(file, id);
  if (item === null) return false;
  requireUnchanged(file, id, changes.unchangedSince);
  if (original !== null) rewriteNote(file, item, original, now);
  const { title, tags, notes } = changes;
  if (title !== undefined) {
    file.run('UPDATE items SET given_title = ? WHERE seq = ?', title, item);
    reindexWords(file, item);
  }
  if (tags !== undefined) replaceTags(file, item, tags);
  removeTags(file, item, changes.removeTags ?? []);
  if (changes.addTags !== undefined) addTags(file, item, changes.addTags);
  if (notes !== undefined) file.run('UPDATE items SET notes = ? WHERE seq = ?', notes, item);
  touchItem(file, item, now);
  return true;
}
