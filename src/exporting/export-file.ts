import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '../errors.ts';
import { createGrowingFile } from './export-folder.ts';

/** A single file, written under another name until it is whole. */
export interface ExportFile {
  write(text: string): Promise<void>;
  finish(): Promise<void>;
  abandon(): Promise<void>;
}

const unfinished = '.unfinished-export';

/** @throws {AppError} `invalid_input` when there is something with this name */
export async function openExportFile(place: string): Promise<ExportFile> {
  if (existsSync(place))
    throw new AppError('invalid_input', 'This file exists already. Name a new one, or move it away.');
  await mkdir(dirname(place), { recursive: true });
  const work = `${place}${unfinished}`;
  const file = createGrowingFile(await open(work, 'w', 0o600), false);
  return {
    write: file.write,
    async finish() {
      await file.close();
      await rename(work, place);
    },
    async abandon() {
      await file.discard();
      await rm(work, { force: true });
    },
  };
}
