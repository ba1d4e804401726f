import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdCompressSync, zstdDecompress } from 'node:zlib';
import type { Original, Resource } from '../../domain/records/resource.ts';
import { sha256 } from '../../domain/sha256.ts';

/* How originals are packed before a store keeps them, and unpacked after it has read them. */

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
    // With the size known, zstd allocates tables of that size: a quarter of the time for a page.
    const packed = zstdCompressSync(bytes, {
      pledgedSrcSize: bytes.length,
      params: { [constants.ZSTD_c_compressionLevel]: 1 },
    });
    return smaller(resource, bytes, hash, packed);
  }
  const hash = await sha256(bytes);
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

export async function unpackOriginal({ packing, bytes, ...rest }: PackedOriginal): Promise<Original> {
  return { ...rest, bytes: packing === 'zstd' ? await decompress(bytes) : bytes };
}

/** Where the bytes came from: `fetched` ones can be fetched again; `given` ones came from the caller with the save. */
export type OriginalSource = 'fetched' | 'given';
