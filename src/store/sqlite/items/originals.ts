import { createHash, subtle } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdCompressSync, zstdDecompress } from 'node:zlib';
import type { Original, Resource } from '../../../domain/records/resource.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Up to this many bytes, hashing and compressing here is faster than handing them to the thread pool. */
const packedHere = 16_384;
/**
 * For larger resources, this many bytes from the middle show whether the rest compresses: most PDFs, images and audio
 * do not.
 */
const sampleBytes = 65_536;
/** The sample must shrink by at least this share, or the resource is stored uncompressed. */
const minGain = 0.1;

/** A resource ready to be written. Hashing and compressing take time, so they must not happen inside a transaction. */
export interface PackedResource {
  resource: Omit<Resource, 'bytes'>;
  packing: 'none' | 'zstd';
  bytes: Uint8Array;
  /** SHA-256 of the uncompressed bytes. */
  hash: Uint8Array;
}

/** A packed resource as read from the database. */
export interface PackedOriginal extends Omit<Original, 'given'> {
  given: number;
  packing: 'none' | 'zstd';
  bytes: Uint8Array;
}

/**
 * Compresses the bytes if that makes them smaller, whatever their media type. Above `packedHere`, hashing and
 * compressing run in Node's thread pool.
 */
export async function packResource({ bytes, ...resource }: Resource): Promise<PackedResource> {
  if (bytes.length <= packedHere) {
    const hash = createHash('sha256').update(bytes).digest();
    // With the size known, zstd allocates tables of that size: a quarter of the time for a page.
    const packed = zstdCompressSync(bytes, {
      pledgedSrcSize: bytes.length,
      params: { [constants.ZSTD_c_compressionLevel]: 1 },
    });
    return smaller(resource, bytes, hash, packed);
  }
  const hash = new Uint8Array(await subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
  const middle = Math.max(0, (bytes.length - sampleBytes) >> 1);
  const sample = bytes.subarray(middle, middle + sampleBytes);
  const packedSample = await compress(sample, { pledgedSrcSize: sample.length });
  if (packedSample.length > sample.length * (1 - minGain)) return { resource, packing: 'none', bytes, hash };
  return smaller(resource, bytes, hash, await compress(bytes, { pledgedSrcSize: bytes.length }));
}

function smaller(
  resource: PackedResource['resource'],
  bytes: Uint8Array,
  hash: Uint8Array,
  packed: Uint8Array,
): PackedResource {
  if (packed.length >= bytes.length) return { resource, packing: 'none', bytes, hash };
  return { resource, packing: 'zstd', bytes: packed, hash };
}

export async function unpackOriginal(packed: PackedOriginal): Promise<Original> {
  const { packing, bytes, given, ...rest } = packed;
  return { ...rest, given: given === 1, bytes: packing === 'zstd' ? await decompress(bytes) : bytes };
}

/** Where the bytes came from: `fetched` ones can be fetched again; `given` ones came from the caller with the save. */
export type OriginalSource = 'fetched' | 'given';

/** The media type is detected on each read. So `media_type` and `charset` stay empty, which older programs accept. */
export function writeOriginal(
  file: SqliteFile,
  content: number,
  name: string,
  packed: PackedResource,
  from: OriginalSource,
): void {
  const { url, finalUrl, declaredType, fetchedAt } = packed.resource;
  file.run(
    `INSERT OR REPLACE INTO originals
       (content, name, url, final_url, media_type, declared_type, fetched_at, given, hash, packing, bytes)
     VALUES (?, ?, ?, ?, '', ?, ?, ?, ?, ?, ?)`,
    content,
    name,
    url,
    finalUrl,
    declaredType,
    fetchedAt,
    from === 'given' ? 1 : 0,
    packed.hash,
    packed.packing,
    packed.bytes,
  );
}

/** Also removes the companions: they belong to the old original. */
export function replaceOriginal(file: SqliteFile, content: number, packed: PackedResource, from: OriginalSource): void {
  file.run('DELETE FROM originals WHERE content = ?', content);
  writeOriginal(file, content, '', packed, from);
}

/** Whether the item's original has the same bytes. */
export function hasOriginal(file: SqliteFile, content: number, { hash }: PackedResource): boolean {
  const sql = `SELECT 1 FROM originals WHERE content = ? AND name = '' AND hash = ?`;
  return file.get(sql, content, hash) !== undefined;
}

/** Stores a resource that was fetched along with the item's original. Replaces the companion of the same name. */
export function writeCompanion(file: SqliteFile, content: number, name: string, packed: PackedResource): void {
  writeOriginal(file, content, name, packed, 'fetched');
}

export function removeCompanions(file: SqliteFile, content: number): void {
  file.run(`DELETE FROM originals WHERE content = ? AND name <> ''`, content);
}

export function readOriginal(file: SqliteFile, contentId: string, name: string): PackedOriginal | null {
  const row = file.get<PackedOriginal>(
    `SELECT o.url, o.final_url AS finalUrl, o.declared_type AS declaredType, o.fetched_at AS fetchedAt, o.given,
       o.packing, o.bytes
     FROM content c JOIN originals o ON o.content = c.seq WHERE c.id = ? AND o.name = ?`,
    contentId,
    name,
  );
  return row ?? null;
}
