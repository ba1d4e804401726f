import { languageOfPassage } from '../../../domain/search/index-terms.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { indexColumns, type IndexedRow, indexedRows, indexedWords, insertCards } from '../items/indexed-words.ts';
import { noteLanguage } from './words/indexed-languages.ts';

/*
 * Adds the words by which passages are found, at the end of the transaction. Otherwise the index would write a segment of
 * its own whenever a statement begins that may have to be rolled back alone. One segment for all items is cheaper to
 * write and to search than one for each.
 */

/** Has the passages of an item indexed at the end of the transaction, as far as they have no words then. */
export function indexLater(file: SqliteFile, item: number): void {
  file.run('INSERT INTO items_due (item) VALUES (?) ON CONFLICT DO NOTHING', item);
}

/** Indexes all passages of an item again, after its title or its highlights' notes have changed. */
export function reindexWords(file: SqliteFile, item: number): void {
  forgetWords(file, 'SELECT id FROM passages WHERE item = ?', item);
  indexLater(file, item);
}

/** Deletes the words of passages. Cached lengths of these passages are wrong then. */
function forgetWords(file: SqliteFile, passages: string, ...parameters: unknown[]): void {
  for (const { id } of file.all<{ id: number }>(passages, ...parameters))
    file.run('DELETE FROM passage_words WHERE rowid = ?', id);
  file.run('UPDATE libraries SET titles_given = titles_given + 1');
}

/**
 * Gives items without text their cards, and indexes the passages that have no words. Call at the end of a transaction.
 * @param changed items whose tags, notes or card data have changed
 */
export function indexDueItems(file: SqliteFile, due: readonly number[], changed: readonly number[]): void {
  file.run(
    insertCards(`SELECT NULL AS id, c.seq AS item FROM json_each(?) asked JOIN items c ON c.seq = asked.value
      WHERE c.passage_count = 0`),
    JSON.stringify(due),
  );
  const outdated = `SELECT p.id FROM json_each(?) changed JOIN passages p ON p.item = changed.value
    JOIN passage_words_docsize words ON words.id = p.id WHERE p.ordinal = 0`;
  if (file.get(outdated, JSON.stringify(changed)) !== undefined) forgetWords(file, outdated, JSON.stringify(changed));
  for (const item of due) {
    const rows = file.all<IndexedRow>(
      `${indexedRows} WHERE p.item = ? AND NOT EXISTS (SELECT 1 FROM passage_words_docsize words WHERE words.id = p.id)`,
      item,
    );
    for (const row of rows) writeWords(file, row);
  }
}

function writeWords(file: SqliteFile, row: IndexedRow): void {
  const stemmed = languageOfPassage(row.text, row.language);
  if (stemmed !== null) noteLanguage(file, stemmed);
  file.run(`INSERT INTO passage_words ${indexColumns}`, row.id, ...indexedWords(row));
}
