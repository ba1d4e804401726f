import { isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, readSync } from 'node:fs';
import { Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { type ForeignFile, type ExportFiles, isIgnored } from './export-files.ts';

/** Limits of an archive. Larger ones can be unpacked by hand and imported as a folder. */
const maxEntries = 200_000;
const maxDirectoryBytes = 100_000_000;
const maxEntryBytes = 4_000_000_000;
/** A large entry with a higher compression ratio is a ZIP bomb: it was made to fill memory or disks. */
const maxRatio = 1_000;
/** Read at once. */
const chunkBytes = 1 << 16;

const endMark = 0x06054b50;
const entryMark = 0x02014b50;
const localMark = 0x04034b50;
/** ZIP64: most programs write it for large archives only, some for every archive. */
const end64Mark = 0x06064b50;
const locator64Mark = 0x07064b50;
const fields64 = 0x0001;
const none16 = 0xffff;
const none32 = 0xffffffff;
const isEncryptedFlag = 0x0001;
const isUtf8Flag = 0x0800;

interface ZipEntry {
  path: string;
  method: number;
  packedBytes: number;
  bytes: number;
  offset: number;
  isEncrypted: boolean;
}

/** Why an archive cannot be read, for a person. */
export class ZipError extends Error {}

/**
 * The files of a ZIP archive, each unpacked only while it is read.
 * @param file an open file, which is closed with the archive, and when it cannot be read
 * @throws {ZipError} when it is damaged, too large, or has a form that is not supported
 */
export function openZipFolder(file: number): ExportFiles & { close(): void } {
  try {
    const { size } = fstatSync(file);
    const entries = readDirectory(file, size);
    return {
      bytesTotal: size,
      files: entries
        .filter(({ path: inside }) => !inside.endsWith('/') && !isIgnored(inside))
        .map((entry): ForeignFile => ({
          path: entry.path,
          place: null,
          modifiedAt: null,
          bytes: entry.packedBytes,
          read: () => readEntry(file, entry),
        })),
      close: () => closeSync(file),
    };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function bytesAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  const read = readSync(file, bytes, 0, length, position);
  return bytes.subarray(0, read);
}

function* bytesFrom(file: number, start: number, length: number): Generator<Buffer> {
  const end = start + length;
  for (let at = start; at < end;) {
    const chunk = bytesAt(file, at, Math.min(chunkBytes, end - at));
    if (chunk.length === 0) return;
    yield chunk;
    at += chunk.length;
  }
}

function readDirectory(file: number, size: number): ZipEntry[] {
  // The end record is followed by a comment of at most 65,535 bytes.
  const tailLength = Math.min(size, 65_557);
  const tail = bytesAt(file, size - tailLength, tailLength);
  let at = tail.length - 22;
  while (at >= 0 && tail.readUInt32LE(at) !== endMark) at -= 1;
  if (at < 0) throw new ZipError('the archive is damaged or cut off');
  const end = readEnd(file, size, size - tailLength + at, tail.subarray(at));
  if (end.length > maxDirectoryBytes || end.count > maxEntries)
    throw new ZipError('the archive is too large to be read as it is: unpack it, and import the folder');
  return parseEntries(bytesAt(file, end.offset, end.length), end.count);
}

interface DirectoryPlace {
  count: number;
  length: number;
  offset: number;
}

function readEnd(file: number, size: number, at: number, end: Buffer): DirectoryPlace {
  const place = { count: end.readUInt16LE(10), length: end.readUInt32LE(12), offset: end.readUInt32LE(16) };
  if (place.count !== none16 && place.length !== none32 && place.offset !== none32) return place;
  const locator = at < 20 ? Buffer.alloc(0) : bytesAt(file, at - 20, 20);
  if (locator.length < 20 || locator.readUInt32LE(0) !== locator64Mark) return place;
  const end64 = bytesAt(file, numberAt(locator, 8, size), 56);
  if (end64.length < 56 || end64.readUInt32LE(0) !== end64Mark) throw new ZipError('the archive is damaged or cut off');
  return { count: numberAt(end64, 32, size), length: numberAt(end64, 40, size), offset: numberAt(end64, 48, size) };
}

/** A number of 64 bits. @throws {ZipError} when it is more than the archive can hold */
function numberAt(bytes: Buffer, at: number, most: number): number {
  const value = bytes.readBigUInt64LE(at);
  if (value > BigInt(most)) throw new ZipError('the archive is damaged or cut off');
  return Number(value);
}

function parseEntries(directory: Buffer, count: number): ZipEntry[] {
  const entries: ZipEntry[] = [];
  for (let at = 0; entries.length < count && at + 46 <= directory.length;) {
    if (directory.readUInt32LE(at) !== entryMark) break;
    const nameLength = directory.readUInt16LE(at + 28);
    const extraLength = directory.readUInt16LE(at + 30);
    const flags = directory.readUInt16LE(at + 8);
    const extra = directory.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength);
    const [bytes, packedBytes, offset] = withFields64(
      [directory.readUInt32LE(at + 24), directory.readUInt32LE(at + 20), directory.readUInt32LE(at + 42)],
      extra,
    );
    entries.push({
      path: pathOf(directory.subarray(at + 46, at + 46 + nameLength), (flags & isUtf8Flag) !== 0),
      method: directory.readUInt16LE(at + 10),
      packedBytes,
      bytes,
      offset,
      isEncrypted: (flags & isEncryptedFlag) !== 0,
    });
    at += 46 + nameLength + extraLength + directory.readUInt16LE(at + 32);
  }
  if (entries.length !== count) throw new ZipError('the archive is damaged or cut off');
  return entries;
}

/** Numbers that do not fit into 32 bits are in an extra field, in this order. Numbers that fit are not repeated there. */
function withFields64(numbers: readonly [number, number, number], extra: Buffer): [number, number, number] {
  const whole: [number, number, number] = [...numbers];
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== fields64) continue;
    let from = at + 4;
    for (const [index, value] of numbers.entries()) {
      if (value !== none32 || from + 8 > extra.length) continue;
      whole[index] = numberAt(extra, from, Number.MAX_SAFE_INTEGER);
      from += 8;
    }
    break;
  }
  return whole;
}

/** Some programs write backslashes, and names that are not UTF-8. */
function pathOf(bytes: Buffer, isUtf8Name: boolean): string {
  const name = isUtf8Name || isUtf8(bytes) ? bytes.toString('utf8') : bytes.toString('latin1');
  return name.replaceAll('\\', '/').replace(/^(?:\.{0,2}\/){1,20}/, '');
}

async function* readEntry(file: number, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  const { method, packedBytes, bytes, offset, isEncrypted } = entry;
  if (isEncrypted) throw new ZipError('it is protected by a password: unpack the archive, and import the folder');
  if (method !== 0 && method !== 8)
    throw new ZipError('it is packed in a way that is not supported: unpack the archive, and import the folder');
  if (bytes > maxEntryBytes || (bytes > 50_000_000 && bytes > packedBytes * maxRatio))
    throw new ZipError('it unpacks to far more than an export has');
  const header = bytesAt(file, offset, 30);
  if (header.length < 30 || header.readUInt32LE(0) !== localMark)
    throw new ZipError('the archive is damaged or cut off');
  const start = offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  if (packedBytes === 0) return;
  const packed = Readable.from(bytesFrom(file, start, packedBytes), { objectMode: false });
  const unpacked = method === 0 ? packed : packed.pipe(createInflateRaw());
  packed.on('error', (error) => unpacked.destroy(error));
  let length = 0;
  try {
    for await (const chunk of unpacked as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      if (length > bytes) throw new ZipError('it unpacks to more than the archive says');
      yield chunk;
    }
  } catch (error) {
    throw error instanceof ZipError ? error : new ZipError('it cannot be unpacked: the archive is damaged');
  } finally {
    packed.destroy();
  }
}
