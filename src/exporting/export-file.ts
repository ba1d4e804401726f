import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '../errors.ts';

/** A single file, written under another name until it is whole. */
export interface ExportFile {
  write(text: string): Promise<void>;
  finish(): Promise<void>;
  abandon(): Promise<void>;
}

const unfinished = '.unfinished-export';
const flushedAt = 1 << 20;

/** @throws {AppError} `invalid_input` when there is something with this name */
export async function openExportFile(place: string): Promise<ExportFile> {
  if (existsSync(place))
    throw new AppError('invalid_input', 'This file exists already. Name a new one, or move it away.');
  await mkdir(dirname(place), { recursive: true });
  const work = `${place}${unfinished}`;
  const file = await open(work, 'w', 0o600);
  let waiting: string[] = [];
  let length = 0;
  const flush = async (): Promise<void> => {
    // `writeFile` goes on until all is written; `write` may write less than it is given.
    await file.writeFile(waiting.join(''));
    waiting = [];
    length = 0;
  };
  return {
    async write(text) {
      waiting.push(text);
      length += text.length;
      if (length >= flushedAt) await flush();
    },
    async finish() {
      await flush();
      await file.sync();
      await file.close();
      await rename(work, place);
    },
    async abandon() {
      await file.close();
      await rm(work, { force: true });
    },
  };
}
