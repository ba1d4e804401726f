import type { ContentType } from '../../../domain/records/content.ts';
import { indexLater, reindexWords } from '../index/index.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { insertCards } from '../items/indexed-words.ts';

/* The content of a replica of an account's index. The process with the records writes these pages. JSON is text here. */

/**
 * How far a copy has come. Everything up to the change `complete` is in it. It is brought further in two steps: items are
 * copied in the order of their last changes until none is left; then the vectors that were there by that time.
 */
export interface CopyState {
  /** Names the library that the numbers of changes belong to. */
  source: string;
  complete: number;
  items: ChangePosition;
  vectors: ChangePosition;
  /** The last change of vectors that are being copied; null while items are. */
  toward: number | null;
}

export interface ChangePosition {
  change: number;
  /** The item or passage within the change. */
  key: number;
}

/** The state of a copy that has everything up to a change. */
export function completeCopy(source: string, change: number): CopyState {
  const end = { change, key: Number.MAX_SAFE_INTEGER };
  return { source, complete: change, items: end, vectors: end, toward: null };
}

export interface CopiedPassage {
  id: number;
  ordinal: number;
  start: number;
  end: number;
  headingPath: string;
  locator: string;
  text: string;
  /** As in the file: null means not computed, and an empty string means none. */
  fragment: string | null;
  marks: string | null;
}

export interface CopiedDocument {
  id: number;
  contentType: ContentType;
  title: string | null;
  author: string | null;
  siteName: string | null;
  publishedAt: string | null;
  language: string | null;
  warnings: string;
  text: string;
  blocks: string;
}

export interface CopiedItem {
  seq: number;
  /** The number of its card, among those of passages. */
  card: number;
  id: string;
  url: string;
  canonicalUrl: string;
  state: string;
  contentType: string | null;
  passageCount: number;
  duplicateOf: string | null;
  givenTitle: string | null;
  notes: string | null;
  known: string | null;
  createdAt: number;
  deletedAt: number | null;
  /** In the order in which they were given. */
  tags: readonly { folded: string; tag: string }[];
  /** Absent: the text and its passages are as they were. Null: there is no text. */
  text?: { document: CopiedDocument; passages: readonly CopiedPassage[] } | null;
  /** Absent with `text`: the marks of all passages that have any. */
  marks?: readonly { id: number; marks: string }[];
}

export interface CopiedVector {
  passage: number;
  embedder: string;
  scale: number;
  components: Uint8Array;
}

export interface IndexPage {
  /** The state that the replica must have to apply the page. */
  before: CopyState;
  after: CopyState;
  /** Keys of items that are gone. */
  gone: readonly number[];
  items: readonly CopiedItem[];
  vectors: readonly CopiedVector[];
}

/** Null when the file is no copy yet. */
export function readCopyState(file: SqliteFile): CopyState | null {
  const table = file.get(`SELECT 1 FROM sqlite_schema WHERE name = 'index_copy'`);
  if (table === undefined) return null;
  const row = file.get<{ state: string }>('SELECT state FROM index_copy');
  return row === undefined ? null : (JSON.parse(row.state) as CopyState);
}

/** Makes a new file a copy in which nothing is yet. */
export function beginCopy(file: SqliteFile, source: string): CopyState {
  file.run(
    'CREATE TABLE IF NOT EXISTS index_copy (one INTEGER PRIMARY KEY CHECK (one = 1), state TEXT NOT NULL) STRICT',
  );
  // Items arrive in the state that they have now: two may have had an address one after the other.
  file.run('DROP INDEX IF EXISTS items_by_url');
  const known = readCopyState(file);
  if (known !== null) return known;
  const state = completeCopy(source, 0);
  file.run('INSERT INTO index_copy (one, state) VALUES (1, ?)', JSON.stringify(state));
  return state;
}

/**
 * Applies a page, unless another process has changed the copy meanwhile.
 * @returns the state of the copy afterwards
 */
export function applyPage(file: SqliteFile, { before, after, gone, items, vectors }: IndexPage): CopyState {
  const found = readCopyState(file);
  if (JSON.stringify(found) !== JSON.stringify(before)) {
    if (found === null) throw new Error('the copy of the index has no state');
    return found;
  }
  for (const seq of gone) file.run('DELETE FROM items WHERE seq = ?', seq);
  for (const item of items) copyItem(file, item);
  copyVectors(file, vectors);
  file.run('UPDATE index_copy SET state = ?', JSON.stringify(after));
  return after;
}

function copyItem(file: SqliteFile, item: CopiedItem): void {
  const { seq } = item;
  const known = file.get<{ givenTitle: string | null }>(
    'SELECT given_title AS givenTitle FROM items WHERE seq = ?',
    seq,
  );
  file.run(
    `INSERT INTO items (seq, id, url, canonical_url, state, content_type, passage_count, duplicate_of, given_title,
       notes, known, created_at, updated_at, deleted_at)
     VALUES (@seq, @id, @url, @canonicalUrl, @state, @contentType, @passageCount, @duplicateOf, @givenTitle, @notes,
       @known, @createdAt, @createdAt, @deletedAt)
     ON CONFLICT (seq) DO UPDATE SET id = excluded.id, url = excluded.url, canonical_url = excluded.canonical_url,
       state = excluded.state, content_type = excluded.content_type, passage_count = excluded.passage_count,
       duplicate_of = excluded.duplicate_of, given_title = excluded.given_title, notes = excluded.notes,
       known = excluded.known, created_at = excluded.created_at,
       deleted_at = excluded.deleted_at`,
    item,
  );
  copyTags(file, item);
  if (item.text !== undefined) copyText(file, seq, item.text);
  else if (copyMarks(file, item) || known?.givenTitle !== item.givenTitle) reindexWords(file, seq);
  // Before the end of the transaction, which would give it another number.
  file.run(insertCards('SELECT ? AS id, ? AS item'), item.card, seq);
}

function copyTags(file: SqliteFile, { seq, tags }: CopiedItem): void {
  const known = file.all('SELECT folded, tag FROM item_tags WHERE item = ? ORDER BY ordinal', seq);
  if (JSON.stringify(known) === JSON.stringify(tags)) return;
  file.run('DELETE FROM item_tags WHERE item = ?', seq);
  for (const [ordinal, { folded, tag }] of tags.entries())
    file.run('INSERT INTO item_tags (item, folded, tag, ordinal) VALUES (?, ?, ?, ?)', seq, folded, tag, ordinal);
}

function copyText(file: SqliteFile, seq: number, text: NonNullable<CopiedItem['text']> | null): void {
  file.run('DELETE FROM passages WHERE item = ?', seq);
  file.run('DELETE FROM documents WHERE item = ?', seq);
  if (text === null) return;
  const { document, passages } = text;
  file.run(
    `INSERT INTO documents (id, item, version, content_type, title, author, site_name, published_at, language,
       word_count, warnings, text_hash, created_at, text, blocks)
     VALUES (@id, @seq, 1, @contentType, @title, @author, @siteName, @publishedAt, @language, 0, @warnings, x'', 0,
       @text, @blocks)`,
    { ...document, seq },
  );
  insertCopiedPassages(file, seq, document.id, passages);
  file.run('UPDATE items SET visible_document = ? WHERE seq = ?', document.id, seq);
}

/** For an item without passages whose document exists. */
function insertCopiedPassages(
  file: SqliteFile,
  item: number,
  document: number,
  passages: readonly CopiedPassage[],
): void {
  for (const passage of passages)
    file.run(
      `INSERT INTO passages (id, document, item, ordinal, start_at, end_at, heading_path, locator, text, fragment, marks)
       VALUES (@id, @document, @item, @ordinal, @start, @end, @headingPath, @locator, @text, @fragment, @marks)`,
      { ...passage, document, item },
    );
  indexLater(file, item);
}

/** @returns whether highlights say something else of a passage than before */
function copyMarks(file: SqliteFile, { seq, marks = [] }: CopiedItem): boolean {
  const wanted = new Map(marks.map(({ id, marks: of }) => [id, of]));
  const known = file.all<{ id: number; marks: string }>(
    'SELECT id, marks FROM passages WHERE item = ? AND marks IS NOT NULL',
    seq,
  );
  for (const { id, marks: of } of known) {
    if (wanted.get(id) === of) wanted.delete(id);
    else if (!wanted.has(id)) wanted.set(id, '');
  }
  for (const [id, of] of wanted) file.run('UPDATE passages SET marks = ? WHERE id = ?', of === '' ? null : of, id);
  return wanted.size > 0;
}

/** Vectors of passages that the copy does not have are of a later state, and come again with it. */
function copyVectors(file: SqliteFile, vectors: readonly CopiedVector[]): void {
  const embedders = new Map<string, number>();
  for (const { passage, embedder, scale, components } of vectors) {
    const key = embedders.get(embedder) ?? embedderKey(file, embedder, components.length);
    embedders.set(embedder, key);
    file.run(
      // Not REPLACE: it deletes rows without firing the trigger that keeps the log of changes.
      `INSERT INTO vectors (passage, embedder, scale, components, item)
       SELECT id, ?, ?, ?, item FROM passages WHERE id = ?
       ON CONFLICT (passage) DO UPDATE SET
         embedder = excluded.embedder, scale = excluded.scale, components = excluded.components`,
      key,
      scale,
      components,
      passage,
    );
  }
}

/** Vectors of one embedder have the same dimensions. Others are left only of ones that are being replaced. */
function embedderKey(file: SqliteFile, name: string, dimensions: number): number {
  file.run(
    `INSERT INTO embedders (name, dimensions) VALUES (?, ?)
     ON CONFLICT (name) DO UPDATE SET dimensions = excluded.dimensions`,
    name,
    dimensions,
  );
  const row = file.get<{ id: number }>('SELECT id FROM embedders WHERE name = ?', name);
  if (row === undefined) throw new Error('an embedder that was just written is not there');
  return row.id;
}
