import { createReadStream, createWriteStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

const packed = /\.(?:gz|zip|png|jpe?g|gif|webp|pdf|epub|docx|mp3|mp4)$/i;

/** Packs the files of a folder into a ZIP archive. They are compressed outside the main thread, one after the other. */
export async function zipFolder(folder: string, target: string, signal: AbortSignal): Promise<void> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.once('error', (error: Error) => output.destroy(error));
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path).split(sep).join('/');
    zip.addReadStreamLazy(name, { compress: !packed.test(name) }, (give) => give(null, createReadStream(path)));
  }
  zip.end();
  await pipeline(output, createWriteStream(target, { mode: 0o600 }), { signal });
}
