import { createHash } from 'node:crypto';
import type { ContentType, KeptWarning } from '../../../domain/records/content.ts';
import { countWords, type Document, type Transcript } from '../../../domain/records/document.ts';
import type { Passage } from '../../../domain/records/passage.ts';
import type { StoredDocument } from '../../records.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { columnsOf, readRow, textColumns, type TextRow, transcriptOf } from './document-text.ts';

interface DocumentRow extends Omit<StoredDocument, 'warnings' | 'transcript'>, TextRow {
  warnings: string;
}

const documentColumns = `c.id AS contentId, d.version, d.content_type AS contentType, d.title, d.author,
  d.site_name AS siteName, d.published_at AS publishedAt, d.language, d.canonical_url AS canonicalUrl,
  d.duration_seconds AS durationSeconds, d.page_count AS pageCount, d.warnings, ${textColumns}`;

/**
 * Adds a version of the item's document and returns its id. The first version becomes visible at once.
 * @param split what is known when the text is split already; the caller writes the passages next
 */
export function addDocument(
  file: SqliteFile,
  item: number,
  document: Omit<Document, 'blocks'>,
  transcript: Transcript,
  now: number,
  split: { passages: readonly Passage[]; wordCount: number } | null = null,
): number {
  const whole = { text: transcript.text, blocks: JSON.stringify(transcript.blocks) };
  const { text, blocks, packed, isInPassages } = columnsOf(whole, split?.passages);
  const { rowId } = file.run(
    `INSERT INTO documents
       (item, version, content_type, title, author, site_name, published_at, language, canonical_url,
        duration_seconds, page_count, word_count, warnings, text_hash, created_at, text, blocks, packed,
        text_in_passages)
     VALUES (?, (SELECT coalesce(max(version), 0) + 1 FROM documents WHERE item = ?),
       ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    item,
    item,
    document.contentType,
    document.title,
    document.author,
    document.siteName,
    document.publishedAt,
    document.language,
    document.canonicalUrl,
    document.durationSeconds,
    document.pageCount,
    split?.wordCount ?? countWords(transcript.text),
    JSON.stringify(document.warnings),
    createHash('sha256').update(transcript.text).digest(),
    now,
    text,
    blocks,
    packed,
    isInPassages,
  );
  if (visibleDocument(file, item) === null) showDocument(file, item, rowId);
  return rowId;
}

/** The version that people and searches see; null before there is one. */
export function visibleDocument(file: SqliteFile, item: number): number | null {
  const row = file.get<{ visible: number | null }>('SELECT visible_document AS visible FROM items WHERE seq = ?', item);
  return row?.visible ?? null;
}

/** Makes a version the one that people and searches see. The type is copied to the item, where lists filter by it. */
export function showDocument(file: SqliteFile, item: number, documentId: number): void {
  file.run(
    `UPDATE items SET visible_document = @documentId,
       content_type = (SELECT content_type FROM documents WHERE id = @documentId)
     WHERE seq = @item`,
    { item, documentId },
  );
}

/** The newest version. */
export function readDocument(file: SqliteFile, contentId: string): StoredDocument | null {
  return file.read(() => {
    const row = file.get<DocumentRow>(
      `SELECT ${documentColumns} FROM items c JOIN documents d ON d.item = c.seq
       WHERE c.id = ? ORDER BY d.version DESC LIMIT 1`,
      contentId,
    );
    if (row === undefined) return null;
    const { text: _text, blocks: _blocks, packed: _packed, isInPassages: _isInPassages, warnings, ...rest } = row;
    return { ...rest, warnings: JSON.parse(warnings) as KeptWarning[], transcript: transcriptOf(file, row) };
  });
}

export function readTranscriptText(file: SqliteFile, documentId: number): string | null {
  return readStoredText(file, documentId)?.text ?? null;
}

/** The text of a version, and its blocks as JSON. */
export function readStoredText(file: SqliteFile, documentId: number): { text: string; blocks: string } | null {
  return file.read(() => {
    const row = file.get<TextRow>(`SELECT ${textColumns} FROM documents d WHERE d.id = ?`, documentId);
    return row === undefined ? null : readRow(file, row);
  });
}

/** @throws {Error} when the document does not belong to the item: a bug of the caller, not damaged data. */
export function requireVersion(file: SqliteFile, item: number, documentId: number): void {
  if (file.get('SELECT 1 FROM documents WHERE id = ? AND item = ?', documentId, item) === undefined) {
    throw new Error(`document ${documentId} does not belong to the item that was claimed`);
  }
}

/**
 * The metadata of a version of the item's document.
 * @throws {Error} like `requireVersion`
 */
export function requireDocument(
  file: SqliteFile,
  item: number,
  documentId: number,
): {
  title: string | null;
  author: string | null;
  language: string | null;
  contentType: ContentType;
} {
  const row = file.get<ReturnType<typeof requireDocument>>(
    'SELECT title, author, language, content_type AS contentType FROM documents WHERE id = ? AND item = ?',
    documentId,
    item,
  );
  if (row === undefined) throw new Error(`document ${documentId} does not belong to the item that was claimed`);
  return row;
}

export function readTranscript(file: SqliteFile, contentId: string): string | null {
  return file.read(() => {
    const row = visibleText(file, contentId);
    return row === undefined ? null : readRow(file, row).text;
  });
}

export function readText(file: SqliteFile, contentId: string): Transcript | null {
  return file.read(() => {
    const row = visibleText(file, contentId);
    return row === undefined ? null : transcriptOf(file, row);
  });
}

function visibleText(file: SqliteFile, contentId: string): TextRow | undefined {
  return file.get<TextRow>(
    `SELECT ${textColumns} FROM items c JOIN documents d ON d.id = c.visible_document
     WHERE c.id = ? AND c.deleted_at IS NULL`,
    contentId,
  );
}
