import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdCompressSync, zstdDecompress } from 'node:zlib';
import type { Resource } from '../../domain/resource.ts';
import type { StoredOriginal } from '../records.ts';
import type { SqliteFile } from './sqlite-file.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Fewer bytes are packed in less time than a thread takes to be told. */
const packedHere = 16_384;

/** A resource ready to be written: compressing takes time and must not happen inside a transaction. */
export interface PackedResource {
  resource: Resource;
  packing: 'none' | 'zstd';
  bytes: Uint8Array;
  /** SHA-256 of the bytes before they were packed. */
  hash: Uint8Array;
}

/** A packed resource as it comes from the file. */
export interface PackedOriginal extends Omit<StoredOriginal, 'bytes'> {
  packing: 'none' | 'zstd';
  bytes: Uint8Array;
}

/** Compresses what gets smaller by it; PDFs, pictures and sound mostly do not. */
export async function packResource(resource: Resource): Promise<PackedResource> {
  const hash = createHash('sha256').update(resource.bytes).digest();
  const isText = resource.charset !== null || /^text\/|[/+](?:json|xml|html)\b/.test(resource.mediaType);
  if (!isText || resource.bytes.length === 0) return { resource, packing: 'none', bytes: resource.bytes, hash };
  // Told the size, it takes tables of that size: a quarter of the time for a page.
  const settings = { pledgedSrcSize: resource.bytes.length };
  const bytes =
    resource.bytes.length <= packedHere
      ? zstdCompressSync(resource.bytes, { ...settings, params: { [constants.ZSTD_c_compressionLevel]: 1 } })
      : await compress(resource.bytes, settings);
  if (bytes.length >= resource.bytes.length) return { resource, packing: 'none', bytes: resource.bytes, hash };
  return { resource, packing: 'zstd', bytes, hash };
}

export async function unpackOriginal(packed: PackedOriginal): Promise<StoredOriginal> {
  const { packing, bytes, ...rest } = packed;
  return { ...rest, bytes: packing === 'zstd' ? await decompress(bytes) : bytes };
}

/** Who had the bytes first: they were fetched, so they can be fetched again, or the caller gave them with the save. */
export type OriginalSource = 'fetched' | 'given';

function writeOriginal(
  file: SqliteFile,
  content: number,
  name: string,
  packed: PackedResource,
  from: OriginalSource,
): void {
  const { url, finalUrl, mediaType, declaredType, charset, fetchedAt } = packed.resource;
  file.run(
    `INSERT OR REPLACE INTO originals
       (content, name, url, final_url, media_type, declared_type, charset, fetched_at, given, hash, packing, bytes)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    content,
    name,
    url,
    finalUrl,
    mediaType,
    declaredType,
    charset,
    fetchedAt,
    from === 'given' ? 1 : 0,
    packed.hash,
    packed.packing,
    packed.bytes,
  );
}

/** Companions belong to the original that was read with them: a new original begins without any. */
export function replaceOriginal(file: SqliteFile, content: number, packed: PackedResource, from: OriginalSource): void {
  file.run('DELETE FROM originals WHERE content = ?', content);
  writeOriginal(file, content, '', packed, from);
}

/** Whether the item's original has the same bytes. */
export function hasOriginal(file: SqliteFile, content: number, { hash }: PackedResource): boolean {
  const sql = `SELECT 1 FROM originals WHERE content = ? AND name = '' AND hash = ?`;
  return file.get(sql, content, hash) !== undefined;
}

/** Writes what was fetched beside the item's original, in the place of the one of that name. */
export function writeCompanion(file: SqliteFile, content: number, name: string, packed: PackedResource): void {
  writeOriginal(file, content, name, packed, 'fetched');
}

export function removeCompanions(file: SqliteFile, content: number): void {
  file.run(`DELETE FROM originals WHERE content = ? AND name <> ''`, content);
}

export function readOriginal(file: SqliteFile, contentId: string, name: string): PackedOriginal | null {
  const row = file.get<PackedOriginal>(
    `SELECT o.url, o.final_url AS finalUrl, o.media_type AS mediaType, o.declared_type AS declaredType, o.charset,
       o.fetched_at AS fetchedAt, o.packing, o.bytes
     FROM content c JOIN originals o ON o.content = c.seq WHERE c.id = ? AND o.name = ?`,
    contentId,
    name,
  );
  return row ?? null;
}
