import type Database from 'better-sqlite3';
import { addressWords } from '../../../domain/links/shown-address.ts';
import {
  indexedCompounds,
  indexedText,
  languageOfPassage,
  mayHaveCompounds,
} from '../../../domain/search/index-terms.ts';
import { tagsOf } from './items.ts';

/*
 * The full-text index's data of a passage. An item without text has a card in place of passages, which is found by its title and
 * address.
 */

/** The indexed columns of a passage, from the rows of itself, its item and its document. */
export interface IndexedRow {
  id: number;
  title: string | null;
  author: string | null;
  language: string | null;
  /** JSON, as `marks` and `tags`. */
  headingPath: string;
  text: string;
  marks: string | null;
  /** Null unless the passage is the first one of its item, as `tags`. */
  notes: string | null;
  tags: string | null;
  /** Of the item; null unless the passage is its card. */
  address: string | null;
}

/** SQL: the title and the author of a passage's item; those of a card may be known from elsewhere. */
export const titleOfItem = `coalesce(c.given_title, d.title, iif(p.document IS NULL, c.known ->> 'title', NULL))`;
export const authorOfItem = `coalesce(d.author, iif(p.document IS NULL, c.known ->> 'author', NULL))`;

/** Passages with their indexed columns. */
export const indexedRows = `SELECT p.id, ${titleOfItem} AS title, ${authorOfItem} AS author, d.language,
    p.heading_path AS headingPath, p.text, p.marks,
    iif(p.ordinal = 0, c.notes, NULL) AS notes, iif(p.ordinal = 0, ${tagsOf('c.seq')}, NULL) AS tags,
    iif(p.document IS NULL, c.url, NULL) AS address
  FROM passages p JOIN items c ON c.seq = p.item LEFT JOIN documents d ON d.id = p.document`;

/**
 * SQL: gives a card to each item that has no passages.
 * @param items a query of their keys as `item`, and of the cards' as `id`; null: a new one
 */
export const insertCards = (items: string): string => `
  INSERT INTO passages (id, item, ordinal, start_at, end_at, heading_path, locator, text)
  SELECT due.id, due.item, 0, 0, 0, '[]', '{"kind":"text","start":0,"end":0}', '' FROM (${items}) due
  WHERE NOT EXISTS (SELECT 1 FROM passages p WHERE p.item = due.item)`;

/** The highlights' notes of a passage, as its row has them, or the tags of an item: JSON, or null for nothing. */
export function marksOf(stored: string | null): string[] {
  return stored === null ? [] : (JSON.parse(stored) as string[]);
}

/** The headings above a passage, and its text; for a card, its address. */
export function partsOf(row: Omit<IndexedRow, 'id' | 'language'>): { above: string[]; text: string } {
  const { title, headingPath, author, marks, notes, tags, address } = row;
  return {
    above: [
      title ?? '',
      ...(JSON.parse(headingPath) as string[]),
      author ?? '',
      ...marksOf(marks),
      ...(notes === null ? [] : [notes]),
      ...marksOf(tags),
    ],
    text: address === null ? row.text : addressWords(address),
  };
}

export const indexColumns = '(rowid, title, text, compounds) VALUES (?, ?, ?, ?)';

/** The words above a passage, its own, and the long ones of both by their ends. */
export function indexedWords(row: IndexedRow): [title: string, text: string, compounds: string] {
  const { above, text } = partsOf(row);
  const title = above.join('\n');
  // A card has no text that tells the language.
  const telling = row.address === null ? text : title;
  const stemmed = languageOfPassage(telling, row.language);
  const compounds = mayHaveCompounds(telling, row.language) ? indexedCompounds(`${title}\n${text}`) : '';
  if (row.address === null) return [indexedText(title, stemmed), indexedText(text, stemmed), compounds];
  // In the column that lengths do not count: an index keeps counting the words of deleted rows.
  return ['', '', `${indexedText(`${title}\n${text}`, stemmed)}\n${compounds}`];
}

/** Adds all passages to an empty index. @param table of the index, with its schema */
export function indexAll(db: Database.Database, table = 'passage_words'): void {
  const add = db.prepare(`INSERT INTO ${table} ${indexColumns}`);
  const passages = db.prepare<[number], IndexedRow>(`${indexedRows} WHERE p.id > ? ORDER BY p.id LIMIT 500`);
  // Read in batches, because nothing can be written while rows are being read.
  for (let rows = passages.all(-1); rows.length > 0; rows = passages.all(rows.at(-1)?.id ?? 0))
    for (const row of rows) add.run(row.id, ...indexedWords(row));
}
