import type { ArchivedCopy, ContentType } from '../../../domain/records/content.ts';
import type { Locator } from '../../../domain/records/locator.ts';
import type { Passage, RankedPassage } from '../../../domain/records/passage.ts';
import type { StoredPassage } from '../../records.ts';
import type { FoundPassage, PassageFilter } from '../../search-records.ts';
import { shownAddress } from '../../../domain/links/note-address.ts';
import { requireDocument, showDocument, visibleDocument } from '../items/documents.ts';
import { hasFormsOfItsOwn, indexedText, languageOfPassage } from '../../../domain/search/index-terms.ts';
import { filterCondition } from './passage-filter.ts';
import { indexedLanguages, noteLanguage } from './words/indexed-languages.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { tagsOf } from '../items/tags.ts';
import { giveVector, readItemVectors } from './vectors.ts';

interface PassageRow extends Omit<StoredPassage, 'headingPath' | 'locator'> {
  headingPath: string;
  locator: string;
}

const passageColumns = `p.id AS passageId, p.ordinal, p.start_at AS start, p.end_at AS "end",
  p.heading_path AS headingPath, p.locator, p.text`;

function toPassage(row: PassageRow): StoredPassage {
  const { passageId, ordinal, start, end, text } = row;
  return {
    passageId,
    ordinal,
    start,
    end,
    headingPath: JSON.parse(row.headingPath) as string[],
    locator: JSON.parse(row.locator) as Locator,
    text,
  };
}

/**
 * Makes the document visible and its passages the item's only ones. Passages of other versions are deleted with their
 * words and vectors, so no search finds two versions of a text. A vector depends only on the text, so a new passage
 * with unchanged text takes over the old vector.
 */
export function replacePassages(
  file: SqliteFile,
  content: number,
  documentId: number,
  passages: readonly Passage[],
): void {
  const document = requireDocument(file, content, documentId);
  const vectors = readItemVectors(file, content, documentId);
  forgetPassages(file, content);
  const shared = sharedWords(file, content, document);
  const words: PassageWords[] = [];
  for (const passage of passages) {
    const { ordinal, start, end, headingPath, locator, fragment } = passage;
    if (!(start >= 0 && start <= end && end <= document.text.length)) {
      throw new Error(`passage ${ordinal} reaches outside its document`);
    }
    const text = document.text.slice(start, end);
    const { rowId } = file.run(
      `INSERT INTO passages (document, content, ordinal, start_at, end_at, heading_path, locator, text, fragment)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      documentId,
      content,
      ordinal,
      start,
      end,
      JSON.stringify(headingPath),
      JSON.stringify(locator),
      text,
      fragment === null ? '' : (fragment ?? null),
    );
    words.push({ id: rowId, headingPath, text });
    const vector = vectors.get(text);
    if (vector !== undefined) giveVector(file, rowId, content, vector);
  }
  addWords(file, content, shared, words);
  if (visibleDocument(file, content) !== documentId) showDocument(file, content, documentId);
  file.run('UPDATE content SET passage_count = ? WHERE seq = ?', passages.length, content);
}

/** Takes the passages of an item away, with their words and vectors. */
export function forgetPassages(file: SqliteFile, content: number): void {
  file.run('DELETE FROM passages WHERE content = ?', content);
}

/** A passage as it is stored, with the id that it has wherever it was copied from. */
interface CopiedPassage {
  id: number;
  ordinal: number;
  start: number;
  end: number;
  /** JSON, as the next one and `marks`. */
  headingPath: string;
  locator: string;
  text: string;
  fragment: string | null;
  marks: string | null;
}

/** For an item without passages, whose document is there. */
export function insertCopiedPassages(
  file: SqliteFile,
  content: number,
  document: { id: number; title: string | null; author: string | null; language: string | null },
  passages: readonly CopiedPassage[],
): void {
  const shared = sharedWords(file, content, document);
  const words = passages.map(({ id, ordinal, start, end, headingPath, locator, text, fragment, marks }) => {
    file.run(
      `INSERT INTO passages (id, document, content, ordinal, start_at, end_at, heading_path, locator, text, fragment, marks)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      document.id,
      content,
      ordinal,
      start,
      end,
      headingPath,
      locator,
      text,
      fragment,
      marks,
    );
    return { id, headingPath: JSON.parse(headingPath) as string[], text, marks: marksOf(marks) };
  });
  addWords(file, content, shared, words);
}

/** Words by which all passages of an item are found. */
interface SharedWords {
  /** The title that a person gave, or else the document's. */
  title: string;
  author: string;
  /** Of the document, as a tag. */
  language: string | null;
}

function sharedWords(
  file: SqliteFile,
  content: number,
  { title, author, language }: { title: string | null; author: string | null; language: string | null },
): SharedWords {
  const row = file.get<{ given: string | null }>('SELECT given_title AS given FROM content WHERE seq = ?', content);
  return { title: row?.given ?? title ?? '', author: author ?? '', language };
}

interface PassageWords {
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
function addWords(file: SqliteFile, content: number, shared: SharedWords, passages: readonly PassageWords[]): void {
  const add = (): void => {
    const there = file.all<{ id: number }>('SELECT id FROM passages WHERE content = ?', content);
    const ids = new Set(there.map(({ id }) => id));
    for (const { id, headingPath, text, marks = [] } of passages) {
      if (ids.has(id)) writeWords(file, shared, { id, headingPath, text, marks });
    }
  };
  // Run once per item: this index would keep two rows for one passage, which would then be found by a title that it no
  // longer has.
  file.later(add, `words of ${content}`);
}

function writeWords(
  file: SqliteFile,
  { title, author, language }: SharedWords,
  { id, headingPath, text, marks = [] }: PassageWords,
): void {
  const above = [title, ...headingPath, author, ...marks].join('\n');
  const stemmed = languageOfPassage(text, language);
  if (stemmed !== null) noteLanguage(file, stemmed);
  file.run(
    'INSERT INTO passage_words (rowid, title, text) VALUES (?, ?, ?)',
    id,
    indexedText(above, stemmed),
    indexedText(text, stemmed),
  );
}

/** Makes the item's passages findable by the words of its new title. */
export function reindexTitle(file: SqliteFile, content: number): void {
  reindexWords(file, content);
}

/** Indexes all passages of an item anew, after its title or what highlights say of them has changed. */
export function reindexWords(file: SqliteFile, content: number): void {
  const passages = file.all<{
    id: number;
    title: string | null;
    author: string | null;
    language: string | null;
    headingPath: string;
    text: string;
    marks: string | null;
  }>(
    `SELECT p.id, d.title, d.author, d.language, p.heading_path AS headingPath, p.text, p.marks
     FROM passages p JOIN documents d ON d.id = p.document WHERE p.content = ?`,
    content,
  );
  const shared = sharedWords(file, content, passages[0] ?? { title: null, author: null, language: null });
  for (const { id } of passages) file.run('DELETE FROM passage_words WHERE rowid = ?', id);
  const words = passages.map((row) => ({
    ...row,
    headingPath: JSON.parse(row.headingPath) as string[],
    marks: marksOf(row.marks),
  }));
  addWords(file, content, shared, words);
  file.run('UPDATE file_state SET titles_given = titles_given + 1');
}

/** Passages looked at in one write, which blocks other writes. */
const reindexedAtOnce = 64;

/** Indexes some of the passages anew that an earlier version indexed. The index of the others would stay the same. */
export function reindexOlder(file: SqliteFile): void {
  const rows = file.all<{
    id: number;
    title: string | null;
    author: string | null;
    language: string | null;
    headingPath: string;
    text: string;
    marks: string | null;
  }>(
    `SELECT p.id, coalesce(c.given_title, d.title) AS title, d.author, d.language, p.heading_path AS headingPath,
       p.text, p.marks
     FROM passages p JOIN documents d ON d.id = p.document JOIN content c ON c.seq = p.content
     WHERE p.id <= (SELECT older_words FROM file_state) ORDER BY p.id DESC LIMIT ?`,
    reindexedAtOnce,
  );
  const changed = rows.filter(({ title, author, language, headingPath, text, marks }) =>
    [title ?? '', author ?? '', headingPath, text, marks ?? ''].some((part) => hasFormsOfItsOwn(part, language)),
  );
  for (const { id } of changed) file.run('DELETE FROM passage_words WHERE rowid = ?', id);
  // A form is one word where its word was one, so the passages have as many words as before.
  file.later(() => {
    for (const { title, author, language, headingPath, marks, ...passage } of changed) {
      const shared = { title: title ?? '', author: author ?? '', language };
      const words = { headingPath: JSON.parse(headingPath) as string[], marks: marksOf(marks) };
      writeWords(file, shared, { ...passage, ...words });
    }
  }, 'older words');
  const last = rows.length < reindexedAtOnce ? 0 : (rows.at(-1)?.id ?? 1) - 1;
  file.run('UPDATE file_state SET older_words = ?', last);
}

/**
 * Includes passages of deleted items: the full-text index counts them among its rows, and idf depends on that number.
 */
export function countPassages(file: SqliteFile): number {
  return file.remember('passages', () => {
    const row = file.get<{ count: number | null }>('SELECT sum(passage_count) AS count FROM content');
    return row?.count ?? 0;
  });
}

/** Walks the items from the newest on, so that few are read when many match. */
export function listNewestPassages(
  file: SqliteFile,
  filter: PassageFilter,
  limit: number,
  signs: readonly string[] = [],
): RankedPassage[] {
  // The unary plus keeps SQLite from looking up all passages that the filter lets through for each item.
  const { sql, parameters } = filterCondition('+p.id', filter, indexedLanguages(file));
  const having = signs.map(() => 'AND instr(p.text, ?) > 0').join(' ');
  return file.all<RankedPassage>(
    `SELECT passageId, contentId, 0.0 AS score FROM (
       SELECT c.id AS contentId, c.created_at, c.seq, (
         SELECT p.id FROM passages p WHERE p.content = c.seq ${sql} ${having} ORDER BY p.ordinal LIMIT 1) AS passageId
       FROM content c WHERE c.deleted_at IS NULL)
     WHERE passageId IS NOT NULL ORDER BY created_at DESC, seq DESC LIMIT ?`,
    ...parameters,
    ...signs,
    limit,
  );
}

interface FoundRow extends Omit<PassageRow, 'fragment'> {
  fragment: string | null;
  marks: string | null;
  contentId: string;
  itemUrl: string;
  itemCanonicalUrl: string;
  itemTitle: string | null;
  itemContentType: ContentType;
  itemTags: string;
  itemLanguage: string | null;
  itemAuthor: string | null;
  itemPublishedAt: string | null;
  itemDuplicateOf: string | null;
  itemCopy: string | null;
}

/** SQL: what the warning about an archived copy says of it, which comes first. The warnings of other texts are not parsed. */
const archivedCopyColumn = `CASE WHEN d.warnings LIKE '[{"code":"archived_copy"%' AND json_valid(d.warnings)
  THEN json_extract(d.warnings, '$[0].copy') END`;

/** In the order of `passageIds`; ids that are gone are left out. */
export function readPassages(file: SqliteFile, passageIds: readonly number[]): FoundPassage[] {
  const rows = file.all<FoundRow>(
    `SELECT ${passageColumns}, p.fragment, p.marks, c.id AS contentId, c.url AS itemUrl, c.canonical_url AS itemCanonicalUrl,
       coalesce(c.given_title, d.title) AS itemTitle, d.content_type AS itemContentType, ${tagsOf('c.seq')} AS itemTags,
       d.language AS itemLanguage, d.author AS itemAuthor, d.published_at AS itemPublishedAt,
       c.duplicate_of AS itemDuplicateOf, ${archivedCopyColumn} AS itemCopy
     FROM json_each(?) wanted JOIN passages p ON p.id = wanted.value
     JOIN content c ON c.seq = p.content JOIN documents d ON d.id = p.document
     WHERE c.deleted_at IS NULL`,
    JSON.stringify(passageIds),
  );
  const byId = new Map(rows.map((row) => [row.passageId, row]));
  return passageIds.flatMap((passageId) => {
    const row = byId.get(passageId);
    if (row === undefined) return [];
    const { contentId, itemUrl, itemCanonicalUrl, itemTitle, itemContentType, itemTags } = row;
    const { itemLanguage, itemAuthor, itemPublishedAt, itemDuplicateOf } = row;
    const addresses = { itemUrl: shownAddress(itemUrl), itemCanonicalUrl: shownAddress(itemCanonicalUrl) };
    const item = { contentId, ...addresses, itemTitle, itemContentType };
    const about = { itemTags: JSON.parse(itemTags) as string[], itemLanguage, itemAuthor, itemPublishedAt };
    return [
      {
        ...toPassage(row),
        ...item,
        ...about,
        itemDuplicateOf,
        ...(row.itemCopy !== null && { itemCopy: JSON.parse(row.itemCopy) as ArchivedCopy }),
        ...storedFragment(row.fragment),
        ...(row.marks !== null && { marks: marksOf(row.marks) }),
      },
    ];
  });
}

function marksOf(stored: string | null): string[] {
  return stored === null ? [] : (JSON.parse(stored) as string[]);
}

/** See `account/015-fragments.ts`: null in the table means not computed, and an empty string that there is none. */
export function storedFragment(stored: string | null): Pick<Passage, 'fragment'> {
  return stored === null ? {} : { fragment: stored === '' ? null : stored };
}

/** The text of each passage, followed by its item's title, its headings, the author and what highlights say of it. */
export function readPassageParts(
  file: SqliteFile,
  passageIds: readonly number[],
): { passageId: number; parts: [text: string, ...above: string[]] }[] {
  const rows = file.all<{
    passageId: number;
    text: string;
    title: string | null;
    author: string | null;
    headingPath: string;
    marks: string | null;
  }>(
    `SELECT p.id AS passageId, p.text, coalesce(c.given_title, d.title) AS title, d.author,
       p.heading_path AS headingPath, p.marks
     FROM json_each(?) wanted JOIN passages p ON p.id = wanted.value
     JOIN content c ON c.seq = p.content JOIN documents d ON d.id = p.document
     WHERE c.deleted_at IS NULL`,
    JSON.stringify(passageIds),
  );
  return rows.map(({ passageId, text, title, author, headingPath, marks }) => ({
    passageId,
    parts: [text, title ?? '', ...(JSON.parse(headingPath) as string[]), author ?? '', ...marksOf(marks)],
  }));
}

export function readSurroundings(
  file: SqliteFile,
  passageIds: readonly number[],
  distance: number,
): { passageId: number; start: number; end: number }[] {
  return file.all(
    `SELECT p.id AS passageId, min(n.start_at) AS start, max(n.end_at) AS "end"
     FROM json_each(?) wanted JOIN passages p ON p.id = wanted.value
     JOIN content c ON c.seq = p.content AND c.deleted_at IS NULL
     JOIN passages n ON n.document = p.document AND n.ordinal BETWEEN p.ordinal - ? AND p.ordinal + ?
     GROUP BY p.id`,
    JSON.stringify(passageIds),
    distance,
    distance,
  );
}
