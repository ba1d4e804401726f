import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs';
import { createInflateRaw } from 'node:zlib';
import type { ExportFile, ExportFiles } from './export-files.ts';

/** Limits of an archive. Larger ones can be unpacked by hand and imported as a folder. */
const maxEntries = 200_000;
const maxDirectoryBytes = 100_000_000;
const maxEntryBytes = 4_000_000_000;
/** Above this ratio a large entry is made to fill memory and disks. */
const maxRatio = 1_000;

const endMark = 0x06054b50;
const entryMark = 0x02014b50;
const localMark = 0x04034b50;

interface ZipEntry {
  path: string;
  method: number;
  packedBytes: number;
  bytes: number;
  offset: number;
}

/** Why an archive cannot be read, for a person. */
export class ZipError extends Error {}

/**
 * The files of a ZIP archive, each unpacked only while it is read.
 * @throws {ZipError} when it is damaged, too large, or has a form that is not supported
 */
export function openZipFolder(path: string): ExportFiles & { close(): void } {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const entries = readDirectory(file, size);
    return {
      bytesTotal: size,
      files: entries
        .filter((entry) => !entry.path.endsWith('/'))
        .map((entry): ExportFile => ({
          path: entry.path,
          place: null,
          modifiedAt: null,
          bytes: entry.packedBytes,
          read: () => readEntry(path, file, entry),
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

function readDirectory(file: number, size: number): ZipEntry[] {
  // The end record is followed by a comment of at most 65,535 bytes.
  const tailLength = Math.min(size, 65_557);
  const tail = bytesAt(file, size - tailLength, tailLength);
  let at = tail.length - 22;
  while (at >= 0 && tail.readUInt32LE(at) !== endMark) at -= 1;
  if (at < 0) throw new ZipError('the archive is damaged or cut off');
  const count = tail.readUInt16LE(at + 10);
  const length = tail.readUInt32LE(at + 12);
  const offset = tail.readUInt32LE(at + 16);
  if (count === 0xffff || offset === 0xffffffff || length > maxDirectoryBytes || count > maxEntries)
    throw new ZipError('the archive is too large to be read as it is: unpack it, and import the folder');
  return parseEntries(bytesAt(file, offset, length), count);
}

function parseEntries(directory: Buffer, count: number): ZipEntry[] {
  const entries: ZipEntry[] = [];
  for (let at = 0; entries.length < count && at + 46 <= directory.length;) {
    if (directory.readUInt32LE(at) !== entryMark) break;
    const nameLength = directory.readUInt16LE(at + 28);
    entries.push({
      path: directory.toString('utf8', at + 46, at + 46 + nameLength),
      method: directory.readUInt16LE(at + 10),
      packedBytes: directory.readUInt32LE(at + 20),
      bytes: directory.readUInt32LE(at + 24),
      offset: directory.readUInt32LE(at + 42),
    });
    at += 46 + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  if (entries.length !== count) throw new ZipError('the archive is damaged or cut off');
  return entries;
}

async function* readEntry(path: string, file: number, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  const { method, packedBytes, bytes, offset } = entry;
  if ((method !== 0 && method !== 8) || packedBytes === 0xffffffff)
    throw new ZipError('it is packed in a way that is not supported: unpack the archive, and import the folder');
  if (bytes > maxEntryBytes || (bytes > 50_000_000 && bytes > packedBytes * maxRatio))
    throw new ZipError('it unpacks to far more than an export has');
  const header = bytesAt(file, offset, 30);
  if (header.length < 30 || header.readUInt32LE(0) !== localMark)
    throw new ZipError('the archive is damaged or cut off');
  const start = offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  if (packedBytes === 0) return;
  const packed = createReadStream(path, { start, end: start + packedBytes - 1 });
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
