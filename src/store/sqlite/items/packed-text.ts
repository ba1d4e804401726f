import { constants as limits } from 'node:buffer';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { AppError } from '../../../errors.ts';

/*
 * How a text stands in the row of its document, with the list of its blocks. Texts shrink to 40 per cent, blocks to a fifth
 * (docs/decisions/writes-and-disk.md).
 */

/** The columns of `documents` that hold its text. When `packed` is set, the other two are empty. */
export interface TextColumns {
  text: string;
  /** JSON. */
  blocks: string;
  /** zstd of: the length of the text in UTF-8 (4 bytes, little-endian), the text, the blocks. */
  packed: Uint8Array | null;
}

const lengthBytes = 4;

/** Short texts do not shrink and stay as they are. */
export function packText({ text, blocks }: { text: string; blocks: string }): TextColumns {
  const textBytes = Buffer.byteLength(text);
  const bytes = Buffer.allocUnsafe(lengthBytes + textBytes + Buffer.byteLength(blocks));
  bytes.writeUInt32LE(textBytes);
  bytes.write(text, lengthBytes);
  bytes.write(blocks, lengthBytes + textBytes);
  const packed = zstdCompressSync(bytes, {
    pledgedSrcSize: bytes.length,
    // A level higher makes it 4 per cent smaller, and takes tables that the system has to hand out anew for each text.
    params: { [constants.ZSTD_c_compressionLevel]: 1 },
  });
  if (packed.length >= bytes.length - lengthBytes) return { text, blocks, packed: null };
  return { text: '', blocks: '', packed };
}

/** @throws {AppError} `unavailable`, when the bytes are damaged or unpack to too many */
export function unpackText({ text, blocks, packed }: TextColumns): { text: string; blocks: string } {
  if (packed === null) return { text, blocks };
  const bytes = unpackBytes(packed);
  const textEnd = lengthBytes + bytes.readUInt32LE();
  return { text: bytes.toString('utf8', lengthBytes, textEnd), blocks: bytes.toString('utf8', textEnd) };
}

function unpackBytes(packed: Uint8Array): Buffer {
  try {
    // A file from elsewhere may hold a few bytes that unpack to more than the memory; more than this is no string.
    return zstdDecompressSync(packed, { maxOutputLength: limits.MAX_STRING_LENGTH });
  } catch (error) {
    throw damagedText(error);
  }
}

export function damagedText(cause?: unknown): AppError {
  return new AppError(
    'unavailable',
    'The stored text of an item is damaged. `commonplace doctor --check` says of which; read it again with `commonplace reprocess <id>`, or restore a backup.',
    { cause },
  );
}
