import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isoTime, type Clock } from '../domain/clock.ts';
import type { Resource } from '../domain/records/resource.ts';
import { codeOf, ProcessingError } from '../errors.ts';
import { tooLarge } from './fetch-failures.ts';

/** File extensions of Markdown, which cannot be told reliably from the bytes of a text. */
const markdownNames = new Set(['.md', '.markdown', '.mdown', '.mkd']);

/**
 * Reads a file on this machine; used only by the command line. The content is not parsed here.
 * @param options `address` is where the file came from, if the user names it; the item then has that address.
 * @throws {ProcessingError} `file_unreadable` or `too_large`.
 */
export async function readLocalFile(
  path: string,
  options: { clock: Clock; maxBytes: number; address?: string | undefined },
): Promise<Resource> {
  const { clock, maxBytes, address } = options;
  const bytes = await readCapped(path, maxBytes);
  const url = address ?? pathToFileURL(resolve(path)).href;
  // The file name tells Markdown from plain text, even when the item has another address.
  const declaredType = markdownNames.has(extname(path).toLowerCase()) ? 'text/markdown' : null;
  return { url, finalUrl: url, bytes, declaredType, fetchedAt: isoTime(clock.now()) };
}

/**
 * Checks the file type before opening: opening a pipe without a writer blocks for ever, and opening a device may have
 * side effects. `O_NONBLOCK` and the second check cover a file that is replaced in between.
 */
async function readCapped(path: string, maxBytes: number): Promise<Uint8Array> {
  let file: FileHandle | undefined;
  try {
    checkFile(await stat(path), maxBytes);
    // Windows has no such flag, and no pipes in its file system.
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const found = await file.stat();
    checkFile(found, maxBytes);
    return await readUpTo(file, found.size, maxBytes);
  } catch (error) {
    if (error instanceof ProcessingError) throw error;
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') throw unreadable('There is no file of this name.', error);
    if (code === 'EACCES' || code === 'EPERM') throw unreadable('You may not read it.', error);
    throw unreadable('The system refused to read it.', error);
  } finally {
    await file?.close();
  }
}

function checkFile(found: Stats, maxBytes: number): void {
  if (found.isDirectory()) throw unreadable('It is a folder; `commonplace import` takes the files in one.');
  if (!found.isFile()) throw unreadable('It is a device, a pipe or a socket, not a file.');
  if (found.size > maxBytes) throw tooLarge(maxBytes);
}

const chunkBytes = 1024 * 1024;

/** The reported size may be wrong: system files report 0, and a log grows while it is read. */
async function readUpTo(file: FileHandle, claimedBytes: number, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const chunk = new Uint8Array(claimedBytes > length ? Math.min(chunkBytes, claimedBytes - length + 1) : 65_536);
    const { bytesRead } = await file.read(chunk, 0, chunk.length);
    if (bytesRead === 0) return Buffer.concat(chunks, length);
    length += bytesRead;
    if (length > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk.subarray(0, bytesRead));
  }
}

function unreadable(reason: string, cause?: unknown): ProcessingError {
  const message = `The file cannot be read. ${reason} Check the path and save it again.`;
  return new ProcessingError('file_unreadable', message, { cause });
}
