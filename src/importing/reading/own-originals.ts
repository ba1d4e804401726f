import { lstat, readFile, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';

const maxBytes = 500_000_000;

/** The bytes of an original in an export of this program; null when there is no such file inside the folder. */
export async function readOwnOriginal(folder: string, file: string): Promise<Uint8Array | null> {
  try {
    const path = join(folder, ...file.split('/'));
    const about = await lstat(path);
    // No link may lead out of the folder.
    const isInside = (await realpath(path)).startsWith(`${await realpath(folder)}${sep}`);
    return about.isFile() && about.size <= maxBytes && isInside ? await readFile(path) : null;
  } catch {
    return null;
  }
}
