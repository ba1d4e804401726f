import type { PlacedBlock, Transcript } from '../../../domain/records/document.ts';
import type { Passage } from '../../../domain/records/passage.ts';
import { AppError } from '../../../errors.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { damagedText, packText, type TextColumns, unpackText } from './packed-text.ts';

/*
 * Where the text of a document stands: in its passages, while it has any, and the row keeps what is between them. Before a text is
 * split, and once passages of a newer version have taken the place of its own, all of it stands in the row
 * (docs/decisions/writes-and-disk.md).
 */

/** What is stored of a document's text in its row. */
interface StoredText extends TextColumns {
  /** 1: `text`, unpacked, is what is between the passages. */
  isInPassages: number;
}

/** A row to read a text from. */
export interface TextRow extends StoredText {
  documentId: number;
}

/** For a query in which `documents` is called `d`. */
export const textColumns = 'd.text, d.blocks, d.packed, d.text_in_passages AS isInPassages, d.id AS documentId';

type PassagePlace = Pick<Passage, 'ordinal' | 'start' | 'end'>;

/** Separates the stored gaps between passages. A gap is only white space, so it never holds this character. */
const separator = '\u001f';

/**
 * What to store in the row of a document.
 * @param blocks JSON
 * @param passages those that are stored with it; none: the row gets all of the text
 */
export function columnsOf(
  { text, blocks }: { text: string; blocks: string },
  passages: readonly PassagePlace[] = [],
): StoredText {
  const between = passages.length === 0 ? null : textBetween(text, passages);
  return between === null
    ? { ...packText({ text, blocks }), isInPassages: 0 }
    : { ...packText({ text: between.join(separator), blocks }), isInPassages: 1 };
}

/**
 * What is before, between and behind the passages. Null when they are not in the order of their ordinals, by which they are read,
 * when they overlap, or when they leave out more than white space.
 */
function textBetween(text: string, passages: readonly PassagePlace[]): string[] | null {
  const between: string[] = [];
  const end: PassagePlace = { ordinal: Number.POSITIVE_INFINITY, start: text.length, end: text.length };
  let last = Number.NEGATIVE_INFINITY;
  let at = 0;
  for (const passage of [...passages, end]) {
    const gap = text.slice(at, passage.start);
    // SQLite stores no half of a character, so none may be cut in two.
    const isNext = passage.ordinal > last && passage.start >= at && !isInsideCharacter(text, passage.start);
    if (!isNext || gap.trim() !== '') return null;
    between.push(gap);
    ({ ordinal: last, end: at } = passage);
  }
  return between;
}

function isInsideCharacter(text: string, at: number): boolean {
  return (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}

/**
 * The text and the blocks (JSON) of a row.
 * @param passagesOf the texts of a document's passages, in their order
 * @throws {AppError} `unavailable`, when it is damaged
 */
export function textOf(
  row: TextRow,
  passagesOf: (document: number) => readonly string[],
): { text: string; blocks: string } {
  const { text, blocks } = unpackText(row);
  if (row.isInPassages === 0) return { text, blocks };
  const passages = passagesOf(row.documentId);
  const between = text.split(separator);
  if (between.length !== passages.length + 1) throw damagedText();
  let whole = '';
  for (const [at, gap] of between.entries()) whole += gap + (passages[at] ?? '');
  return { text: whole, blocks };
}

/** The texts of the passages of a document, for `textOf`. */
export const passagesOfDocument = 'SELECT text FROM passages WHERE document = ? ORDER BY ordinal';

/** What is left of a text of which passages, or what was between them, are lost. */
export function textLeft(passages: readonly string[]): { text: string; blocks: string } {
  return { text: passages.join('\n\n'), blocks: '[]' };
}

function passagesIn(file: SqliteFile, document: number): string[] {
  return file.all<{ text: string }>(passagesOfDocument, document).map(({ text }) => text);
}

/** Call in the transaction in which the row was read. @throws {AppError} like `textOf` */
export function readRow(file: SqliteFile, row: TextRow): { text: string; blocks: string } {
  return textOf(row, (document) => passagesIn(file, document));
}

/** The text and the parsed blocks of a row. Call in the transaction in which it was read. @throws {AppError} like `textOf` */
export function transcriptOf(file: SqliteFile, row: TextRow): Transcript {
  const { text, blocks } = readRow(file, row);
  return { text, blocks: JSON.parse(blocks) as PlacedBlock[] };
}

/** Writes the text of a document anew, for passages that take the place of those that it has. */
export function rewriteText(
  file: SqliteFile,
  documentId: number,
  whole: { text: string; blocks: string },
  passages: readonly PassagePlace[] = [],
): void {
  const { text, blocks, packed, isInPassages } = columnsOf(whole, passages);
  file.run(
    'UPDATE documents SET text = ?, blocks = ?, packed = ?, text_in_passages = ? WHERE id = ?',
    text,
    blocks,
    packed,
    isInPassages,
    documentId,
  );
}

/**
 * Writes the texts of an item's other documents into their rows. Of a damaged text, it writes what is left; that document is
 * being replaced. Call before their passages are removed.
 */
export function keepOtherTexts(file: SqliteFile, item: number, documentId: number): void {
  const rows = file.all<TextRow>(
    `SELECT ${textColumns} FROM documents d WHERE d.item = ? AND d.text_in_passages = 1 AND d.id <> ?`,
    item,
    documentId,
  );
  for (const row of rows) {
    const passages = passagesIn(file, row.documentId);
    rewriteText(file, row.documentId, wholeOrLeft(row, passages));
  }
}

function wholeOrLeft(row: TextRow, passages: readonly string[]): { text: string; blocks: string } {
  try {
    return textOf(row, () => passages);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return textLeft(passages);
  }
}
