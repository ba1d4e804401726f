import { createHash } from 'node:crypto';
import type { ContentType, KeptWarning } from '../../../domain/records/content.ts';
import { countWords, type Document, type PlacedBlock, type Transcript } from '../../../domain/records/document.ts';
import type { StoredDocument } from '../../records.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

interface TextRow {
  text: string;
  /** JSON. */
  blocks: string;
}

interface DocumentRow extends Omit<StoredDocument, 'warnings' | 'transcript'>, TextRow {
  warnings: string;
}

export function transcriptOf({ text, blocks }: TextRow): Transcript {
  return { text, blocks: JSON.parse(blocks) as PlacedBlock[] };
}

const documentColumns = `c.id AS contentId, d.version, d.content_type AS contentType, d.title, d.author,
  d.site_name AS siteName, d.published_at AS publishedAt, d.language, d.canonical_url AS canonicalUrl,
  d.duration_seconds AS durationSeconds, d.page_count AS pageCount, d.warnings, d.id AS documentId, d.text, d.blocks`;

/**
 * Adds a version of the item's document and returns its id. The first version becomes visible at once.
 * @param wordCount of the text, where it is known already
 */
export function addDocument(
  file: SqliteFile,
  item: number,
  document: Omit<Document, 'blocks'>,
  transcript: Transcript,
  now: number,
  wordCount = countWords(transcript.text),
): number {
  const { rowId } = file.run(
    `INSERT INTO documents
       (item, version, content_type, title, author, site_name, published_at, language, canonical_url,
        duration_seconds, page_count, word_count, warnings, text_hash, created_at, text, blocks)
     VALUES (?, (SELECT coalesce(max(version), 0) + 1 FROM documents WHERE item = ?),
       ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
    wordCount,
    JSON.stringify(document.warnings),
    createHash('sha256').update(transcript.text).digest(),
    now,
    transcript.text,
    JSON.stringify(transcript.blocks),
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
  const row = file.get<DocumentRow>(
    `SELECT ${documentColumns} FROM items c JOIN documents d ON d.item = c.seq
     WHERE c.id = ? ORDER BY d.version DESC LIMIT 1`,
    contentId,
  );
  if (row === undefined) return null;
  const { text, blocks, warnings, ...rest } = row;
  return { ...rest, warnings: JSON.parse(warnings) as KeptWarning[], transcript: transcriptOf({ text, blocks }) };
}

export function readTranscriptText(file: SqliteFile, documentId: number): string | null {
  return file.get<{ text: string }>('SELECT text FROM documents WHERE id = ?', documentId)?.text ?? null;
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
  return visibleText(file, contentId)?.text ?? null;
}

export function readText(file: SqliteFile, contentId: string): Transcript | null {
  const row = visibleText(file, contentId);
  return row === undefined ? null : transcriptOf(row);
}

function visibleText(file: SqliteFile, contentId: string): TextRow | undefined {
  return file.get<TextRow>(
    `SELECT d.text, d.blocks FROM items c JOIN documents d ON d.id = c.visible_document
     WHERE c.id = ? AND c.deleted_at IS NULL`,
    contentId,
  );
}
