import type Database from 'better-sqlite3';
import {
  indexedCompounds,
  indexedText,
  languageOfPassage,
  mayHaveCompounds,
} from '../../../domain/search/index-terms.ts';

/* What the full-text index holds of a passage. */

/** What is indexed of a passage, as its row and those of its item and document have it. */
export interface IndexedRow {
  id: number;
  title: string | null;
  author: string | null;
  language: string | null;
  /** JSON, as `marks`. */
  headingPath: string;
  text: string;
  marks: string | null;
}

/** Passages with what is indexed of them. */
export const indexedRows = `SELECT p.id, coalesce(c.given_title, d.title) AS title, d.author, d.language,
    p.heading_path AS headingPath, p.text, p.marks
  FROM passages p JOIN documents d ON d.id = p.document JOIN items c ON c.seq = p.item`;

/** What highlights say of a passage, as its row has it: JSON, or null for nothing. */
export function marksOf(stored: string | null): string[] {
  return stored === null ? [] : (JSON.parse(stored) as string[]);
}

export const indexColumns = '(rowid, title, text, compounds) VALUES (?, ?, ?, ?)';

/** The words above a passage, its own, and the long ones of both by their ends. */
export function indexedWords(
  above: readonly string[],
  text: string,
  language: string | null,
): [title: string, text: string, compounds: string] {
  const title = above.join('\n');
  const stemmed = languageOfPassage(text, language);
  const compounds = mayHaveCompounds(text, language) ? indexedCompounds(`${title}\n${text}`) : '';
  return [indexedText(title, stemmed), indexedText(text, stemmed), compounds];
}

/** Adds all passages to an empty index. @param table of the index, with its schema */
export function indexAll(db: Database.Database, table = 'passage_words'): void {
  const add = db.prepare(`INSERT INTO ${table} ${indexColumns}`);
  const passages = db.prepare<[number], IndexedRow>(`${indexedRows} WHERE p.id > ? ORDER BY p.id LIMIT 500`);
  // Read in batches, because nothing can be written while rows are being read.
  for (let rows = passages.all(-1); rows.length > 0; rows = passages.all(rows.at(-1)?.id ?? 0))
    for (const { id, title, author, language, headingPath, text, marks } of rows) {
      const above = [title ?? '', ...(JSON.parse(headingPath) as string[]), author ?? '', ...marksOf(marks)];
      add.run(id, ...indexedWords(above, text, language));
    }
}
