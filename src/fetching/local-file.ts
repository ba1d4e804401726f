import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isoTime, type Clock } from '../domain/clock.ts';
import type { Resource } from '../domain/resource.ts';
import { ProcessingError } from '../errors.ts';
import { tooLarge } from './failures.ts';
import { sniffResource } from '../sources/decoding/sniff.ts';

/**
 * Reads a file of this machine, for the command line alone.
 * @param options `address` is where the file came from, when the person says so; the item then stands for that address.
 * @throws {ProcessingError} `file_unreadable` or `too_large`.
 */
export async function readLocalFile(
  path: string,
  options: { clock: Clock; maxBytes: number; address?: string | undefined },
): Promise<Resource> {
  const { clock, maxBytes, address } = options;
  const bytes = await readCapped(path, maxBytes);
  const fileUrl = pathToFileURL(resolve(path)).href;
  const url = address ?? fileUrl;
  // The file's own name tells Markdown from text, also when the item stands for another address.
  const sniffed = await sniffResource(bytes, null, fileUrl);
  const declaredType = sniffed.mediaType === 'text/markdown' ? 'text/markdown' : null;
  return { url, finalUrl: url, bytes, declaredType, fetchedAt: isoTime(clock.now()), ...sniffed };
}

async function readCapped(path: string, maxBytes: number): Promise<Uint8Array> {
  let file;
  try {
    file = await open(path, 'r');
    const found = await file.stat();
    // Devices and pipes never end.
    if (!found.isFile()) throw unreadable('It is not a file.');
    if (found.size > maxBytes) throw tooLarge(maxBytes);
    return await file.readFile();
  } catch (error) {
    if (error instanceof ProcessingError) throw error;
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') throw unreadable('There is no file of this name.', error);
    if (code === 'EACCES' || code === 'EPERM') throw unreadable('You may not read it.', error);
    throw unreadable('The system refused to read it.', error);
  } finally {
    await file?.close();
  }
}

function unreadable(reason: string, cause?: unknown): ProcessingError {
  return new ProcessingError(
    'file_unreadable',
    `The file cannot be read. ${reason} Check the path and save it again.`,
    {
      cause,
    },
  );
}
