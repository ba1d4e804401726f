import { newId } from '../../domain/ids.ts';
import { AppError } from '../../errors.ts';
import type { SaveContent, SaveOutcome } from '../store.ts';
import { queueJob, requeueJob, restartJob } from './jobs.ts';
import { hasOriginal, type PackedResource, replaceOriginal } from './originals.ts';
import type { SqliteFile } from './sqlite-file.ts';
import { touchContent } from './touch-content.ts';
import { addTags } from './tags.ts';

export interface SavedContent {
  id: string;
  outcome: SaveOutcome;
}

/**
 * Inserts the item with its job, or merges into the one that has the same canonical URL. Bytes that differ from those
 * of the item become its next version; until that has its passages, the one before is shown and found.
 */
export function saveContent(
  file: SqliteFile,
  input: SaveContent,
  original: PackedResource | null,
  now: number,
): SavedContent {
  const existing = file.get<{ seq: number; id: string; state: string }>(
    'SELECT seq, id, state FROM content WHERE canonical_url = ? AND deleted_at IS NULL',
    input.canonicalUrl,
  );
  if (existing === undefined) return { id: insertContent(file, input, original, now), outcome: 'created' };

  addTags(file, existing.seq, input.tags);
  if (input.notes !== undefined) file.run('UPDATE content SET notes = ? WHERE seq = ?', input.notes, existing.seq);
  touchContent(file, existing.seq, now);
  if (original !== null && (existing.state === 'failed' || !hasOriginal(file, existing.seq, original))) {
    // What failed may have failed because of the old bytes, whichever stage it had come to.
    replaceOriginal(file, existing.seq, original, 'given');
    restartJob(file, existing.seq, 'extract', now);
    return { id: existing.id, outcome: 'requeued' };
  }
  if (existing.state !== 'failed') return { id: existing.id, outcome: 'existed' };
  requeueJob(file, existing.seq, now);
  return { id: existing.id, outcome: 'requeued' };
}

function insertContent(file: SqliteFile, input: SaveContent, original: PackedResource | null, now: number): string {
  const id = newId('c');
  const { rowId } = file.run(
    'INSERT INTO content (id, url, canonical_url, notes, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)',
    id,
    input.url,
    input.canonicalUrl,
    input.notes ?? null,
    now,
    now,
  );
  addTags(file, rowId, input.tags);
  if (original !== null) replaceOriginal(file, rowId, original, 'given');
  queueJob(file, rowId, original === null ? 'fetch' : 'extract', now);
  return id;
}

/** The key of an item, or null when there is no such item. */
export function findContent(file: SqliteFile, id: string): number | null {
  return file.get<{ seq: number }>('SELECT seq FROM content WHERE id = ? AND deleted_at IS NULL', id)?.seq ?? null;
}

/** @throws {AppError} `not_found` */
export function requireContent(file: SqliteFile, id: string): number {
  const content = findContent(file, id);
  if (content === null) throw new AppError('not_found', 'There is no saved item with this id.');
  return content;
}
