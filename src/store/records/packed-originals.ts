import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdCompressSync, zstdDecompress, type ZstdOptions } from 'node:zlib';
import type { Original, Resource } from '../../domain/records/resource.ts';
import { sha256 } from '../../domain/sha256.ts';

/* How originals are packed before a store keeps them, and unpacked after it has read them. */

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Up to this many bytes, hashing and compressing here is faster than handing them to the thread pool. */
const packedHere = 16_384;
/** zstd's levels for small resources, which higher ones hardly shrink, and for pages: 8 per cent smaller than at 3, for 0.6 ms each. */
const levels = { small: 1, large: 6 };

/** A resource ready to be written. Hashing and compressing take time, so they must not happen inside a transaction. */
export interface PackedResource {
  resource: Omit<Resource, 'bytes'>;
  packing: 'none' | 'zstd';
  bytes: Uint8Array;
  /** SHA-256 of the uncompressed bytes. */
  hash: Uint8Array;
}

/** A packed resource as read from the database. */
export interface PackedOriginal extends Original {
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
    return smaller(resource, bytes, hash, zstdCompressSync(bytes, optionsFor(bytes, levels.small)));
  }
  const hash = await sha256(bytes);
  return smaller(resource, bytes, hash, await compress(bytes, optionsFor(bytes, levels.large)));
}

/** With the size known, zstd allocates tables of that size: a quarter of the time for a page. */
function optionsFor(bytes: Uint8Array, level: number): ZstdOptions {
  return { pledgedSrcSize: bytes.length, params: { [constants.ZSTD_c_compressionLevel]: level } };
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

export async function unpackOriginal({ packing, bytes, ...rest }: PackedOriginal): Promise<Original> {
  if (packing === 'none') return { ...rest, bytes };
  return { ...rest, bytes: await decompress(bytes) };
}

/** Where the bytes came from: `fetched` ones can be fetched again; `given` ones came from the caller with the save. */
export type OriginalSource = 'fetched' | 'given';
