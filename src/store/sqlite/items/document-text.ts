import type { PlacedBlock, Transcript } from '../../../domain/records/document.ts';
import type { Passage } from '../../../domain/records/passage.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { damagedText, packText, type TextColumns, unpackText } from './packed-text.ts';

/*
 * Where the text of a document stands: in its passages, while it has any, and the row keeps what is between them. Before a text is
 * split, and once passages of a newer version have taken the place of its own, all of it stands in the row
 * (docs/decisions/0065-texts-are-packed-in-their-row.md).
 */

/** What is stored of a document's text in its row. */
interface StoredText extends TextColumns {
  /** 1: `text`, unpacked, is what is between the passages. */
  isInPassages: number;
}

/** A row to read a text from. */
export interface TextRow extends StoredText {
  /** The id of the document. */
  textOf: number;
}

/** For a query in which `documents` is called `d`. */
export const textColumns = 'd.text, d.blocks, d.packed, d.text_in_passages AS isInPassages, d.id AS textOf';

/** Splits what is between passages. Only white space is, and this is none. */
const separator = '\u001f';

/**
 * What to store in the row of a document.
 * @param blocks JSON
 * @param passages those that are stored with it, in their order; none: the row gets all of the text
 */
export function columnsOf(
  { text, blocks }: { text: string; blocks: string },
  passages: readonly Pick<Passage, 'start' | 'end'>[] = [],
): StoredText {
  const between = passages.length === 0 ? null : textBetween(text, passages);
  return between === null
    ? { ...packText({ text, blocks }), isInPassages: 0 }
    : { ...packText({ text: between.join(separator), blocks }), isInPassages: 1 };
}

/** What is before, between and behind the passages; null when they overlap or leave out more than white space. */
function textBetween(text: string, passages: readonly Pick<Passage, 'start' | 'end'>[]): string[] | null {
  const between: string[] = [];
  let at = 0;
  for (const { start, end } of [...passages, { start: text.length, end: text.length }]) {
    const gap = text.slice(at, start);
    // SQLite stores no half of a character, so none may be cut in two.
    if (start < at || gap.trim() !== '' || isInsideCharacter(text, start)) return null;
    between.push(gap);
    at = end;
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
  const passages = passagesOf(row.textOf);
  const between = text.split(separator);
  if (between.length !== passages.length + 1) throw damagedText();
  let whole = '';
  for (const [at, gap] of between.entries()) whole += gap + (passages[at] ?? '');
  return { text: whole, blocks };
}

/** The texts of the passages of a document, for `textOf`. */
export const passagesOfDocument = 'SELECT text FROM passages WHERE document = ? ORDER BY ordinal';

/** @throws {AppError} like `textOf` */
export function readRow(file: SqliteFile, row: TextRow): { text: string; blocks: string } {
  return textOf(row, (document) => file.all<{ text: string }>(passagesOfDocument, document).map(({ text }) => text));
}

/** The text and the parsed blocks of a row. @throws {AppError} like `textOf` */
export function transcriptOf(file: SqliteFile, row: TextRow): Transcript {
  const { text, blocks } = readRow(file, row);
  return { text, blocks: JSON.parse(blocks) as PlacedBlock[] };
}

/** Writes the text of a document anew, for passages that take the place of those that it has. */
export function rewriteText(
  file: SqliteFile,
  documentId: number,
  whole: { text: string; blocks: string },
  passages: readonly Pick<Passage, 'start' | 'end'>[] = [],
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

/** Writes the texts of an item's other documents into their rows. Call before their passages are removed. */
export function keepOtherTexts(file: SqliteFile, content: number, documentId: number): void {
  const rows = file.all<TextRow>(
    `SELECT ${textColumns} FROM documents d WHERE d.content = ? AND d.text_in_passages = 1 AND d.id <> ?`,
    content,
    documentId,
  );
  for (const row of rows) rewriteText(file, row.textOf, readRow(file, row));
}
