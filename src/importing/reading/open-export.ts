import { randomUUID } from 'node:crypto';
import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ForeignFile, type ExportFiles, listExportFiles } from './export-files.ts';
import { openZipFolder, type ZipBudget, ZipError } from './zip-folder.ts';

/** All files of an export, with those of the archives in it. */
export interface OpenExport extends ExportFiles {
  close(): void;
}

const maxDepth = 2;
/** Of all archives inside others together, which are unpacked into temporary files. */
const maxNestedBytes = 2_000_000_000;
const maxArchives = 1_000;
/** Per byte of the export, and for every export besides. Text seldom shrinks to less than a twentieth. */
const maxUnpacked = { perByte: 50, bytes: 1_000_000_000 };
const zipStart = Buffer.from('PK\u0003\u0004');

/**
 * The files of a file, a folder or a ZIP archive. Archives in it are opened, too, as programs split large exports.
 * @throws {ZipError} when the archive that was named cannot be read
 */
export async function openExport(place: string): Promise<OpenExport> {
  const closing: (() => void)[] = [];
  const close = (): void => {
    for (const one of closing.splice(0).toReversed()) one();
  };
  let archives = 0;
  let nestedBytes = 0;
  const budget: ZipBudget = { bytes: 0 };

  /** Opens an archive. One in another archive is unpacked into a file without a name, which goes however the process ends. */
  const openArchive = async (file: ForeignFile): Promise<number> => {
    if (file.place !== null) return openSync(file.place, 'r');
    const path = join(tmpdir(), `commonplace-import-${randomUUID()}.zip`);
    const handle = openSync(path, 'wx+', 0o600);
    try {
      unlinkSync(path);
      for await (const chunk of file.read()) {
        nestedBytes += chunk.length;
        if (nestedBytes > maxNestedBytes)
          throw new ZipError('the archives inside this one are too large: unpack it, and import the folder');
        writeSync(handle, chunk);
      }
    } catch (error) {
      closeSync(handle);
      throw error;
    }
    return handle;
  };

  const withArchives = async (files: readonly ForeignFile[], depth: number): Promise<ForeignFile[]> => {
    const all: ForeignFile[] = [];
    for (const file of files) {
      if (!(await isZip(file)) || depth >= maxDepth || archives >= maxArchives) {
        all.push(file);
        continue;
      }
      archives += 1;
      try {
        const zip = await openZipFolder(await openArchive(file), budget);
        closing.push(zip.close);
        const inside = zip.files.map((one) => ({ ...one, path: `${file.path}/${one.path}` }));
        all.push(...(await withArchives(inside, depth + 1)));
      } catch (error) {
        if (!(error instanceof ZipError)) throw error;
        all.push(unreadable(file, error));
      }
    }
    return all;
  };

  try {
    const listed = listExportFiles(place);
    budget.bytes = maxUnpacked.bytes + maxUnpacked.perByte * listed.bytesTotal;
    const [only] = listed.files;
    if (only?.place === place && (await beginsWithZip(only))) {
      const zip = await openZipFolder(openSync(place, 'r'), budget);
      closing.push(zip.close);
      return { ...listed, files: await withArchives(zip.files, 1), close };
    }
    return { ...listed, files: await withArchives(listed.files, 0), close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Books and documents of office programs are archives as well, so the name counts. */
async function isZip(file: ForeignFile): Promise<boolean> {
  return /\.zip$/i.test(file.path) && (await beginsWithZip(file));
}

async function beginsWithZip(file: ForeignFile): Promise<boolean> {
  try {
    for await (const chunk of file.read()) return Buffer.from(chunk.subarray(0, 4)).equals(zipStart);
  } catch (error) {
    // The reader of the file says why.
    if (!(error instanceof ZipError)) throw error;
  }
  return false;
}

/** A file that says why it is not read when it is. */
function unreadable(file: ForeignFile, error: ZipError): ForeignFile {
  return {
    ...file,
    // oxlint-disable-next-line require-yield -- it ends before the first bytes
    async *read() {
      throw error;
    },
  };
}
