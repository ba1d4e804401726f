import { access, constants, open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../errors.ts';
import { diskFull, folderNotWritable, isDiskTrouble } from './sqlite-errors.ts';

/** With less space than this the disk counts as full. */
const minFreeBytes = 1024 * 1024;

/** The files whose last write failed because of the disk. */
export class DiskTrouble {
  readonly #files = new Set<string>();

  get isKnown(): boolean {
    return this.#files.size > 0;
  }

  /** @param error null when the write was committed */
  note(file: string, error: unknown): void {
    if (error === null) this.#files.delete(file);
    else if (isDiskTrouble(error)) this.#files.add(file);
  }

  forget(): void {
    this.#files.clear();
  }
}

/**
 * Checks that a save would succeed now. After a failed write it writes a file of `minFreeBytes`, because a quota may be
 * the reason for the failure; otherwise it writes nothing.
 * @throws {AppError} `unavailable` with the reason when a save would fail
 */
export async function checkWritable(folders: readonly string[], trouble: DiskTrouble): Promise<void> {
  try {
    for (const folder of folders) await access(folder, constants.W_OK);
  } catch (error) {
    throw folderNotWritable(error);
  }
  for (const folder of folders) {
    const { bavail, bsize, blocks } = await statfs(folder);
    // Some network file systems report no sizes.
    if (blocks > 0 && bavail * bsize < minFreeBytes) throw diskFull();
    if (trouble.isKnown) await tryWriting(join(folder, `.space-${process.pid}`));
  }
  trouble.forget();
}

async function tryWriting(path: string): Promise<void> {
  try {
    const file = await open(path, 'w', 0o600);
    try {
      await file.writeFile(new Uint8Array(minFreeBytes));
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    throw error instanceof AppError ? error : diskFull(error);
  } finally {
    await rm(path, { force: true });
  }
}
