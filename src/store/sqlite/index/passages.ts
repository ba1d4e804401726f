import type { Passage } from '../../../domain/records/texts/passage.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { narrowingOf } from './narrowing.ts';
import { indexLater } from './passage-words.ts';
import { giveVector, readItemVectors } from './vectors.ts';

/* Writes an item's passages, with their words and vectors. `read-passages.ts` reads them. */

/**
 * Makes the passages of a document the item's only ones. Those of other versions are deleted with their words and
 * vectors, so no search finds two versions of a text. A vector depends only on the text, so a new passage with unchanged text takes over the old vector.
 * @param whole the document's text
 */
export function replacePassages(
  file: SqliteFile,
  item: number,
  documentId: number,
  whole: string,
  passages: readonly Passage[],
): void {
  const vectors = readItemVectors(file, item, documentId);
  file.run('DELETE FROM passages WHERE item = ?', item);
  for (const { ordinal, start, end, headingPath, locator, fragment } of passages) {
    if (!(start >= 0 && start <= end && end <= whole.length)) {
      throw new Error(`passage ${ordinal} reaches outside its document`);
    }
    const text = whole.slice(start, end);
    const { rowId } = file.run(
      `INSERT INTO passages (document, item, ordinal, start_at, end_at, heading_path, locator, text, fragment)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      documentId,
      item,
      ordinal,
      start,
      end,
      JSON.stringify(headingPath),
      JSON.stringify(locator),
      text,
      fragment === null ? '' : (fragment ?? null),
    );
    const vector = vectors.get(text);
    if (vector !== undefined) giveVector(file, rowId, item, vector);
  }
  indexLater(file, item);
  file.run('UPDATE items SET passage_count = ? WHERE seq = ?', passages.length, item);
}

/**
 * Includes cards and passages of deleted items: the full-text index counts them among its rows, and idf depends on that
 * number.
 */
export function countPassages(file: SqliteFile): number {
  const narrowing = narrowingOf(file);
  if (narrowing !== undefined) return narrowing.passages.size;
  return file.remember('passages', () => {
    const row = file.get<{ count: number | null }>('SELECT sum(max(passage_count, 1)) AS count FROM items');
    return row?.count ?? 0;
  });
}
