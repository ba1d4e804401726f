import { hasFormsOfItsOwn, languageOfPassage } from '../../../domain/search/index-terms.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { indexColumns, type IndexedRow, indexedRows, indexedWords, marksOf } from '../writing/indexed-words.ts';
import { noteLanguage } from './words/indexed-languages.ts';

/* The words by which passages are found: those of their text, and those of what stands above it. */

/** Words by which all passages of an item are found. */
export interface SharedWords {
  /** The title that a person gave, or else the document's. */
  title: string;
  author: string;
  /** Of the document, as a tag. */
  language: string | null;
}

export function sharedWords(
  file: SqliteFile,
  item: number,
  { title, author, language }: { title: string | null; author: string | null; language: string | null },
): SharedWords {
  const row = file.get<{ given: string | null }>('SELECT given_title AS given FROM items WHERE seq = ?', item);
  return { title: row?.given ?? title ?? '', author: author ?? '', language };
}

export interface PassageWords {
  id: number;
  headingPath: readonly string[];
  text: string;
  /** What highlights of it say beyond its text. */
  marks?: readonly string[];
}

/**
 * Adds the words at the end of the transaction. Otherwise the index would write a segment of its own whenever a
 * statement begins that may have to be rolled back alone. One segment for all items is cheaper to write and to search
 * than one for each.
 * @param passages all passages of the item
 */
export function addWords(file: SqliteFile, item: number, shared: SharedWords, passages: readonly PassageWords[]): void {
  const add = (): void => {
    const there = file.all<{ id: number }>('SELECT id FROM passages WHERE item = ?', item);
    const ids = new Set(there.map(({ id }) => id));
    for (const { id, headingPath, text, marks = [] } of passages) {
      if (ids.has(id)) writeWords(file, shared, { id, headingPath, text, marks });
    }
  };
  // Run once per item: this index would keep two rows for one passage, which would then be found by a title that it no
  // longer has.
  file.later(add, `words of ${item}`);
}

function writeWords(
  file: SqliteFile,
  { title, author, language }: SharedWords,
  { id, headingPath, text, marks = [] }: PassageWords,
): void {
  const stemmed = languageOfPassage(text, language);
  if (stemmed !== null) noteLanguage(file, stemmed);
  const above = [title, ...headingPath, author, ...marks];
  file.run(`INSERT INTO passage_words ${indexColumns}`, id, ...indexedWords(above, text, language));
}

/** Indexes all passages of an item anew, after its title or what highlights say of them has changed. */
export function reindexWords(file: SqliteFile, item: number): void {
  const passages = file.all<IndexedRow>(
    `SELECT p.id, d.title, d.author, d.language, p.heading_path AS headingPath, p.text, p.marks
     FROM passages p JOIN documents d ON d.id = p.document WHERE p.item = ?`,
    item,
  );
  const shared = sharedWords(file, item, passages[0] ?? { title: null, author: null, language: null });
  for (const { id } of passages) file.run('DELETE FROM passage_words WHERE rowid = ?', id);
  const words = passages.map((row) => ({
    ...row,
    headingPath: JSON.parse(row.headingPath) as string[],
    marks: marksOf(row.marks),
  }));
  addWords(file, item, shared, words);
  file.run('UPDATE libraries SET titles_given = titles_given + 1');
}

/** Passages looked at in one write, which blocks other writes. */
const reindexedAtOnce = 64;

/** Indexes some of the passages anew that an earlier version indexed. The index of the others would stay the same. */
export function reindexOlder(file: SqliteFile): void {
  const rows = file.all<IndexedRow>(
    `${indexedRows} WHERE p.id <= (SELECT older_words FROM libraries) ORDER BY p.id DESC LIMIT ?`,
    reindexedAtOnce,
  );
  const changed = rows.filter(({ title, author, language, headingPath, text, marks }) =>
    [title ?? '', author ?? '', headingPath, text, marks ?? ''].some((part) => hasFormsOfItsOwn(part, language)),
  );
  for (const { id } of changed) file.run('DELETE FROM passage_words WHERE rowid = ?', id);
  file.later(() => {
    for (const { title, author, language, headingPath, marks, ...passage } of changed) {
      const shared = { title: title ?? '', author: author ?? '', language };
      const words = { headingPath: JSON.parse(headingPath) as string[], marks: marksOf(marks) };
      writeWords(file, shared, { ...passage, ...words });
    }
  }, 'older words');
  const last = rows.length < reindexedAtOnce ? 0 : (rows.at(-1)?.id ?? 1) - 1;
  file.run('UPDATE libraries SET older_words = ?', last);
  // Cached lengths of these passages are wrong now.
  if (changed.length > 0) file.run('UPDATE libraries SET titles_given = titles_given + 1');
}
