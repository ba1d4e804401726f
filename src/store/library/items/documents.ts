import { createHash } from 'node:crypto';
import {
  countWords,
  type Document,
  type PlacedBlock,
  type Transcript,
} from '../../../domain/records/texts/document.ts';
import type { ExportedDocument } from '../../../domain/records/transfers/exported.ts';
import type { StoredDocument } from '../../records.ts';
import { all, type Db, first, fromJson, isKey, type ItemKey, keyed, later, sql, type Steps } from '../db.ts';
import { columnsOf, documentFields, recordOf, resourceFields, valuesOf } from '../fields.ts';
import type { OriginalSource, PackedOriginal, PackedResource } from '../../records/packed-originals.ts';

type VersionRecord = Omit<ExportedDocument, 'blocks'> & { blocks: PlacedBlock[] };

/**
 * Adds a version of the item's document and returns its id. The first version becomes visible at once.
 * @param wordCount of the text, where it is known already
 */
export function* addDocument(
  db: Db,
  item: number,
  document: Omit<Document, 'blocks'>,
  transcript: Transcript,
  wordCount = countWords(transcript.text),
): Steps<number> {
  const version = sql`(
    SELECT coalesce(max(v.version), 0) + 1 FROM documents v WHERE ${db.of('v')} AND v.item = ${item})`;
  const record = { ...document, ...transcript, wordCount, createdAt: db.now, version };
  const id = yield* insertDocument(db, item, record);
  yield* showDocument(db, item, id, sql`visible_document IS NULL`);
  return id;
}

/** @param id that it had before; absent: a new one */
export function* insertDocument(
  db: Db,
  item: number,
  document: Record<keyof typeof documentFields, unknown> & { text: string },
  id?: number,
): Steps<number> {
  const inserted = yield* first<{ id: number }>`${db.row('documents', {
    item,
    ...(id !== undefined && { id }),
    ...valuesOf(documentFields, document),
    text_hash: textHash(document.text),
  })} RETURNING id`;
  if (inserted === undefined) throw new Error('a document that was just written has no id');
  return inserted.id;
}

export function textHash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The version that people and searches see; null before there is one. */
export function* visibleDocument(db: Db, item: number): Steps<number | null> {
  const row = yield* first<{ visible: number | null }>`
    SELECT visible_document AS visible FROM items i WHERE ${db.of('i')} AND seq = ${item}`;
  return row?.visible ?? null;
}

/**
 * Makes a version the one that people and searches see. The type is copied to the item, where lists filter by it. Of
 * where reading stopped in another version, only the share is still true.
 * @param condition on the item
 */
export function* showDocument(
  db: Db,
  item: number,
  documentId: number,
  condition = sql`visible_document IS DISTINCT FROM ${documentId}`,
): Steps<void> {
  yield* later`
    UPDATE items SET visible_document = ${documentId},
      reading_start = CASE WHEN visible_document IS NULL THEN reading_start END,
      content_type = (SELECT d.content_type FROM documents d WHERE ${db.of('d')} AND d.id = ${documentId})
    WHERE ${db.of('items')} AND seq = ${item} AND ${condition}`;
}

/**
 * The newest version of the document; null before `extract` has run. Of a deleted item, too: a worker may still hold it,
 * and learns of the deletion when it writes next.
 */
export function* readDocument(db: Db, contentId: string): Steps<StoredDocument | null> {
  const row = yield* first`
    SELECT d.id AS document_id, i.id AS content_id, ${columnsOf(documentFields, 'd')}
    FROM items i JOIN documents d ON ${db.of('d')} AND d.item = i.seq
    WHERE ${db.of('i')} AND i.id = ${contentId} ORDER BY d.version DESC LIMIT 1`;
  if (row === undefined) return null;
  const record = recordOf<VersionRecord & { documentId: number; contentId: string }>(documentFields, row);
  const { text, blocks, wordCount: _wordCount, createdAt: _createdAt, ...rest } = record;
  return { ...rest, transcript: { text, blocks } };
}

export function* readVersions(db: Db, item: number): Steps<ExportedDocument[]> {
  const rows = yield* all`
    SELECT ${columnsOf(documentFields, 'd')} FROM documents d WHERE ${db.of('d')} AND d.item = ${item} ORDER BY d.version`;
  return rows.map((row) => recordOf<ExportedDocument>(documentFields, row));
}

/** @throws {Error} when this is not a version of the item's document: a bug of the caller, not damaged data */
export function* requireDocument(db: Db, item: number, documentId: number): Steps<void> {
  const row =
    yield* first`SELECT 1 AS found FROM documents d WHERE ${db.of('d')} AND id = ${documentId} AND item = ${item}`;
  if (row === undefined) throw new Error(`document ${documentId} does not belong to the item that was claimed`);
}

/** The text of the visible version, to which passages and locators refer; null before there is one. */
export function* readTranscript(db: Db, contentId: string): Steps<string | null> {
  return (yield* readText(db, contentId))?.text ?? null;
}

/** The same text with the positions of its blocks. */
export function* readText(db: Db, contentId: string): Steps<Transcript | null> {
  const row = yield* first<{ text: string; blocks: unknown }>`
    SELECT d.text, d.blocks FROM items i JOIN documents d ON ${db.of('d')} AND d.id = i.visible_document
    WHERE ${db.of('i')} AND i.id = ${contentId} AND i.deleted_at IS NULL`;
  return row === undefined ? null : { text: row.text, blocks: fromJson<PlacedBlock[]>(row.blocks) };
}

/** The text of a version; null when it is gone. */
export function* readTextOf(db: Db, documentId: number): Steps<string | null> {
  const row = yield* first<{ text: string }>`SELECT text FROM documents d WHERE ${db.of('d')} AND id = ${documentId}`;
  return row?.text ?? null;
}

/** A packed resource whose bytes can be named by a row. */
export interface KeptOriginal extends Omit<PackedResource, 'bytes'> {
  /** Null: they are in an object of the object store. */
  bytes: Uint8Array | null;
  object?: StoredObject;
}

interface StoredObject {
  name: string;
  size: number;
  /** SHA-256 of the stored bytes. */
  hash: Uint8Array;
}

type PlacedOriginal = Omit<PackedOriginal, 'bytes'> & Pick<KeptOriginal, 'bytes' | 'object'>;

/** `name` is '' for the item's own original, or a companion's URL. There is none of the same name. */
export function* writeOriginal(
  db: Db,
  item: ItemKey,
  name: string,
  kept: KeptOriginal,
  from: OriginalSource,
): Steps<void> {
  yield* later`${db.row('originals', {
    item,
    ...keyed(db, 'name', name),
    ...valuesOf(resourceFields, kept.resource),
    given: from === 'given',
    hash: kept.hash,
    packing: kept.packing,
    bytes: kept.bytes,
    ...(kept.object !== undefined && { blob: kept.object.name, blob_size: kept.object.size }),
  })}`;
}

/** Also removes the companions: they belong to the old original. */
export function* replaceOriginal(db: Db, item: number, kept: KeptOriginal, from: OriginalSource): Steps<void> {
  yield* later`DELETE FROM originals WHERE ${db.of('originals')} AND item = ${item}`;
  yield* writeOriginal(db, item, '', kept, from);
}

/** Keeps a resource that was fetched along with the item's original, in place of the one of the same name. */
export function* replaceCompanion(db: Db, item: number, name: string, kept: KeptOriginal): Steps<void> {
  yield* later`
    DELETE FROM originals AS o WHERE ${db.of('o')} AND o.item = ${item} AND ${isKey(db, 'o', 'name', name)}`;
  yield* writeOriginal(db, item, name, kept, 'fetched');
}

export function* removeCompanions(db: Db, item: number): Steps<void> {
  yield* later`DELETE FROM originals WHERE ${db.of('originals')} AND item = ${item} AND name <> ''`;
}

export function* hasOriginal(db: Db, item: number, { hash }: Pick<KeptOriginal, 'hash'>): Steps<boolean> {
  const found = yield* first`
    SELECT 1 AS found FROM originals o
    WHERE ${db.of('o')} AND o.item = ${item} AND ${isKey(db, 'o', 'name', '')} AND o.hash = ${hash}`;
  return found !== undefined;
}

/** The media type given with an item's original; null without one. */
export function* readDeclaredType(db: Db, contentId: string): Steps<string | null> {
  const row = yield* first<{ declaredType: string | null }>`
    SELECT o.declared_type FROM items i JOIN originals o ON ${db.of('o')} AND o.item = i.seq
    WHERE ${db.of('i')} AND i.id = ${contentId} AND ${isKey(db, 'o', 'name', '')}`;
  return row?.declaredType ?? null;
}

/** Of a deleted item, too, like `readDocument`. */
export function* readOriginal(db: Db, contentId: string, name: string): Steps<PlacedOriginal | null> {
  const row = yield* first<
    Omit<PlacedOriginal, 'given'> & { isGiven: boolean; blob?: string | null; blobSize: number; blobHash: Uint8Array }
  >`
    SELECT ${columnsOf(resourceFields, 'o')}, o.given AS is_given, o.packing, o.bytes ${db.objectOf('o')}
    FROM items i JOIN originals o ON ${db.of('o')} AND o.item = i.seq
    WHERE ${db.of('i')} AND i.id = ${contentId} AND ${isKey(db, 'o', 'name', name)}`;
  if (row === undefined) return null;
  const { isGiven: given, blob, blobSize: size, blobHash: hash, ...original } = row;
  return { ...original, given, ...(typeof blob === 'string' && { object: { name: blob, size, hash } }) };
}
