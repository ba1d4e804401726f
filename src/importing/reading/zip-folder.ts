import { isUtf8 } from 'node:buffer';
import { closeSync, fstatSync } from 'node:fs';
import { Entry, fromFdPromise, type ZipFile } from 'yauzl';
import { type ForeignFile, type ExportFiles, isIgnored } from './export-files.ts';

/** Limits of an archive. Larger ones can be unpacked by hand and imported as a folder. */
const maxEntries = 200_000;
/** Of the names, extra fields and comments of all entries. */
const maxDirectoryBytes = 100_000_000;
const maxEntryBytes = 4_000_000_000;
/** A large entry with a higher compression ratio is a ZIP bomb: it was made to fill memory or disks. */
const maxRatio = 1_000;
const isUtf8Flag = 0x0800;

export class ZipError extends Error {}

/** Bytes that the entries of all archives of an import may still take, packed and unpacked: entries may overlap. */
export interface ZipBudget {
  bytes: number;
}

/**
 * The files of a ZIP archive, each unpacked only while it is read.
 * @param file an open file, which is closed with the archive, and when it cannot be read
 * @throws {ZipError} when it is damaged, too large, or has a form that is not supported
 */
export async function openZipFolder(file: number, budget: ZipBudget): Promise<ExportFiles & { close(): void }> {
  let zip: ZipFile | undefined;
  try {
    // Names are decoded and sizes checked here: many programs write both incorrectly.
    zip = await fromFdPromise(file, { autoClose: false, decodeStrings: false, validateEntrySizes: false });
    const { entryCount } = zip;
    const files: ForeignFile[] = [];
    let directoryBytes = 0;
    if (entryCount <= maxEntries)
      for await (const entry of zip.eachEntry()) {
        directoryBytes += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
        if (directoryBytes > maxDirectoryBytes) break;
        const path = pathOf(entry);
        if (!path.endsWith('/') && !isIgnored(path)) files.push(fileOf(zip, withoutBuffers(entry), path, budget));
      }
    if (entryCount > maxEntries || directoryBytes > maxDirectoryBytes)
      throw new ZipError('the archive is too large to be read as it is: unpack it, and import the folder');
    const { close } = zip;
    return { bytesTotal: fstatSync(file).size, files, close: close.bind(zip) };
  } catch (error) {
    if (zip === undefined) closeSync(file);
    else zip.close();
    throw asZipError(
      error,
      'the archive is damaged or cut off, or its form is unusual: unpack it with a program of your system, and import the folder',
    );
  }
}

/** Unlike errors of yauzl, zlib and Node, system errors have codes such as `EIO`. */
function asZipError(error: unknown, words: string): unknown {
  const isOfSystem = error instanceof Error && 'code' in error && /^E(?!RR_)/.test(String(error.code));
  return error instanceof ZipError || isOfSystem ? error : new ZipError(words);
}

/** Some programs write backslashes, and names that are not UTF-8. */
function pathOf({ fileNameRaw: bytes, generalPurposeBitFlag: flags }: Entry): string {
  const name = (flags & isUtf8Flag) !== 0 || isUtf8(bytes) ? bytes.toString('utf8') : bytes.toString('latin1');
  return name.replaceAll('\\', '/').replace(/^(?:\.{0,2}\/){1,20}/, '');
}

/** Its name, extra fields and comment would stay in memory as long as the archive is open. */
function withoutBuffers(entry: Entry): Entry {
  const { compressionMethod, compressedSize, uncompressedSize, generalPurposeBitFlag } = entry;
  const { relativeOffsetOfLocalHeader } = entry;
  const numbers = { compressionMethod, compressedSize, uncompressedSize, generalPurposeBitFlag };
  return Object.assign(new Entry(), { ...numbers, relativeOffsetOfLocalHeader });
}

const fileOf = (zip: ZipFile, entry: Entry, path: string, budget: ZipBudget): ForeignFile => ({
  path,
  place: null,
  modifiedAt: null,
  bytes: entry.compressedSize,
  read: () => readEntry(zip, entry, budget),
});

async function* readEntry(zip: ZipFile, entry: Entry, budget: ZipBudget): AsyncGenerator<Uint8Array> {
  const { compressionMethod, compressedSize, uncompressedSize } = entry;
  if (entry.isEncrypted())
    throw new ZipError('it is protected by a password: unpack the archive, and import the folder');
  if (compressionMethod !== 0 && compressionMethod !== 8)
    throw new ZipError('it is packed in a way that is not supported: unpack the archive, and import the folder');
  const isBomb = uncompressedSize > 50_000_000 && uncompressedSize > compressedSize * maxRatio;
  if (uncompressedSize > maxEntryBytes || isBomb) throw new ZipError('it unpacks to far more than an export has');
  const take = (bytes: number): void => {
    budget.bytes -= bytes;
    if (budget.bytes < 0)
      throw new ZipError('the archives unpack to far more than an export has: unpack them, and import the folder');
  };
  let length = 0;
  try {
    take(compressedSize);
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      length += (chunk as Uint8Array).length;
      if (length > uncompressedSize) throw new ZipError('it unpacks to more than the archive says');
      take((chunk as Uint8Array).length);
      yield chunk as Uint8Array;
    }
  } catch (error) {
    throw asZipError(error, 'it cannot be unpacked: the archive is damaged');
  }
}
