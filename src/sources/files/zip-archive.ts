import { crc32 } from 'node:zlib';
import { unzipSync, type Unzipped } from 'fflate';
import { ProcessingError } from '../../errors.ts';

/** Limits on the unpacked size of an archive. A long book with its markup takes a tenth of that. */
const maxEntries = 20_000;
const maxEntryBytes = 50_000_000;
const maxBytes = 200_000_000;
/** In an archive with more damaged entries, nothing is worth keeping. */
const maxDamaged = 200;

export type ZipArchive = ReturnType<typeof openZip>;

/**
 * Unpacks the entries that `wanted` selects. Declared sizes are checked before anything is unpacked, and no entry
 * unpacks to more than its declared size. Damaged entries are left out.
 * @throws {ProcessingError} `too_large` for archives that unpack to more than any document has, `extraction_failed` for
 * broken ones
 */
export function openZip(bytes: Uint8Array, wanted: (name: string) => boolean) {
  const names: string[] = [];
  const chosen: string[] = [];
  let total = 0;
  unzip(bytes, ({ name, originalSize }) => {
    names.push(name);
    if (names.length > maxEntries) throw tooLarge();
    if (!wanted(name)) return false;
    total += originalSize;
    if (originalSize > maxEntryBytes || total > maxBytes) throw tooLarge();
    chosen.push(name);
    return false;
  });
  const checksums = readChecksums(bytes);
  const entries = new Map(
    Object.entries(unpack(bytes, chosen, { damaged: 0 })).filter(
      ([name, entry]) => (checksums.get(name) ?? crc32(entry)) === crc32(entry),
    ),
  );
  /** Names as careless programs write them in links: in other case, and without saying that they are UTF-8. */
  const alike = new Map([...entries.keys()].map((name) => [loosely(Buffer.from(name, 'latin1').toString()), name]));
  for (const name of entries.keys()) alike.set(loosely(name), name);
  const looseNames = new Set(names.map(loosely));
  return {
    names,
    /** Names of the entries in `wanted` that cannot be unpacked. */
    damaged: chosen.filter((name) => !entries.has(name)),
    /** An entry may be damaged. */
    has: (name: string): boolean => looseNames.has(loosely(name)),
    /** Null when no entry has this name, when it is damaged, or when it was not in `wanted`. */
    text(name: string): string | null {
      const entry = entries.get(name) ?? entries.get(alike.get(loosely(name)) ?? '');
      return entry === undefined ? null : decode(entry);
    },
  };
}

function loosely(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

type Filter = (entry: { name: string; originalSize: number }) => boolean;

function unzip(bytes: Uint8Array, filter: Filter): Unzipped {
  try {
    return unzipSync(bytes, { filter });
  } catch (cause) {
    if (cause instanceof ProcessingError) throw cause;
    throw new ProcessingError(
      'extraction_failed',
      'This file is damaged: its parts cannot be unpacked. Download or save it again.',
      { cause },
    );
  }
}

/** Unpacks entries; where one is damaged, the others by halves. */
function unpack(bytes: Uint8Array, names: readonly string[], found: { damaged: number }): Unzipped {
  const chosen = new Set(names);
  try {
    return unzip(bytes, ({ name }) => chosen.has(name));
  } catch (error) {
    if (names.length <= 1) found.damaged += 1;
    if (found.damaged > maxDamaged) throw error;
    if (names.length <= 1) return {};
    const middle = names.length >> 1;
    return { ...unpack(bytes, names.slice(0, middle), found), ...unpack(bytes, names.slice(middle), found) };
  }
}

/** The checksums in an archive's list of entries, which fflate does not compare. */
function readChecksums(bytes: Uint8Array): Map<string, number> {
  const checksums = new Map<string, number>();
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = archive.lastIndexOf('PK\u0005\u0006', undefined, 'latin1');
  let at = end === -1 || end + 22 > archive.length ? archive.length : archive.readUInt32LE(end + 16);
  while (at + 46 <= archive.length && archive.readUInt32LE(at) === 0x02014b50) {
    const nameEnd = at + 46 + archive.readUInt16LE(at + 28);
    const isUtf8 = (archive.readUInt16LE(at + 8) & 0x800) !== 0;
    checksums.set(archive.toString(isUtf8 ? 'utf8' : 'latin1', at + 46, nameEnd), archive.readUInt32LE(at + 16));
    at = nameEnd + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return checksums;
}

function tooLarge(): ProcessingError {
  return new ProcessingError(
    'too_large',
    'This file unpacks to far more than a document has. Save it in smaller parts.',
  );
}

function decode(bytes: Uint8Array): string {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const declared = /^\s*<\?xml[^>]*encoding=["']([\w-]{1,40})["']/i.exec(head)?.[1];
  const name = isUtf16 ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : (declared ?? 'utf-8');
  try {
    return new TextDecoder(name).decode(bytes);
  } catch (error) {
    // The declared encoding does not exist.
    if (error instanceof RangeError) return new TextDecoder().decode(bytes);
    throw error;
  }
}
