import { createHash } from 'node:crypto';
import { countWords, type Document, type PlacedBlock, type Transcript } from '../../../domain/records/document.ts';
import type { StoredDocument } from '../../records.ts';
import type { AccountTx } from '../account-access.ts';
import { json, later } from '../database.ts';

/** Adds a version of the item's document and returns its id. The first version becomes visible at once. */
export async function addDocument(
  db: AccountTx,
  item: number,
  document: Omit<Document, 'blocks'>,
  transcript: Transcript,
  wordCount = countWords(transcript.text),
): Promise<number> {
  const { sql, account, now } = db;
  const hash = createHash('sha256').update(transcript.text).digest();
  const [row] = await sql<{ id: number }[]>`
    INSERT INTO documents (account_id, item, version, content_type, title, author, site_name, published_at, language,
      canonical_url, duration_seconds, page_count, word_count, warnings, text_hash, created_at, text, blocks)
    VALUES (${account}, ${item},
      (SELECT coalesce(max(version), 0) + 1 FROM documents WHERE account_id = ${account} AND item = ${item}),
      ${document.contentType}, ${document.title}, ${document.author}, ${document.siteName}, ${document.publishedAt},
      ${document.language}, ${document.canonicalUrl}, ${document.durationSeconds}, ${document.pageCount},
      ${wordCount}, ${json(document.warnings)}, ${hash}, ${now}, ${transcript.text},
      ${json(transcript.blocks)})
    RETURNING id`;
  if (row === undefined) throw new Error('a document that was just written has no id');
  if ((await visibleDocument(db, item)) === null) showDocument(db, item, row.id);
  return row.id;
}

/** The version that people and searches see; null before there is one. */
export async function visibleDocument({ sql, account }: AccountTx, item: number): Promise<number | null> {
  const [row] = await sql<{ visible: number | null }[]>`
    SELECT visible_document AS visible FROM items WHERE account_id = ${account} AND seq = ${item}`;
  return row?.visible ?? null;
}

/** Makes a version the one that people and searches see. The type is copied to the item, where lists filter by it. */
export function showDocument({ sql, account }: AccountTx, item: number, documentId: number): void {
  later(sql`
    UPDATE items SET visible_document = ${documentId},
      content_type = (SELECT content_type FROM documents WHERE account_id = ${account} AND id = ${documentId})
    WHERE account_id = ${account} AND seq = ${item}`);
}

/** The newest version. */
export async function readDocument({ sql, account }: AccountTx, contentId: string): Promise<StoredDocument | null> {
  const [row] = await sql<(Omit<StoredDocument, 'transcript'> & { text: string; blocks: PlacedBlock[] })[]>`
    SELECT d.id AS document_id, i.id AS content_id, d.version, d.content_type, d.title, d.author, d.site_name,
      d.published_at, d.language, d.canonical_url, d.duration_seconds, d.page_count, d.warnings, d.text, d.blocks
    FROM items i JOIN documents d ON d.account_id = i.account_id AND d.item = i.seq
    WHERE i.account_id = ${account} AND i.id = ${contentId} ORDER BY d.version DESC LIMIT 1`;
  if (row === undefined) return null;
  const { text, blocks, ...rest } = row;
  return { ...rest, transcript: { text, blocks } };
}

/** Throws when the document does not belong to the item: a bug of the caller, not damaged data. */
export async function requireDocument(
  { sql, account }: AccountTx,
  item: number,
  documentId: number,
): Promise<{ text: string }> {
  const [row] = await sql<{ text: string }[]>`
    SELECT text FROM documents WHERE account_id = ${account} AND id = ${documentId} AND item = ${item}`;
  if (row === undefined) throw new Error(`document ${documentId} does not belong to the item that was claimed`);
  return row;
}

/** The visible text of an item that is not deleted. */
export async function readText({ sql, account }: AccountTx, contentId: string): Promise<Transcript | null> {
  const [row] = await sql<Transcript[]>`
    SELECT d.text, d.blocks FROM items i JOIN documents d ON d.account_id = i.account_id AND d.id = i.visible_document
    WHERE i.account_id = ${account} AND i.id = ${contentId} AND i.deleted_at IS NULL`;
  return row ?? null;
}

/** Removes versions that are older than the visible one and that no action or insight refers to. */
export function removeOldDocuments({ sql, account }: AccountTx, item: number): void {
  later(sql`
    DELETE FROM documents d WHERE d.account_id = ${account} AND d.item = ${item}
      AND d.id < (SELECT visible_document FROM items WHERE account_id = ${account} AND seq = ${item})
      AND NOT EXISTS (SELECT 1 FROM actions a WHERE a.account_id = ${account} AND a.document = d.id)
      AND NOT EXISTS (SELECT 1 FROM insights n WHERE n.account_id = ${account} AND n.document = d.id)`);
}
