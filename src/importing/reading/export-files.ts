import { createReadStream, lstatSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { decodeHead } from './text-chunks.ts';

export interface ForeignFile {
  /** Inside the export, with `/`. */
  path: string;
  /** Its path on this machine; null inside an archive. */
  place: string | null;
  modifiedAt: number | null;
  /** As they are on the disk. */
  bytes: number;
  read(): AsyncIterable<Uint8Array>;
}

export function nameOf({ path }: Pick<ForeignFile, 'path'>): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.[a-z]{1,5}$/i, '');
}

export interface ExportFiles {
  files: ForeignFile[];
  bytesTotal: number;
}

const maxFiles = 1_000_000;
const maxDepth = 64;
/** Folders that belong to the other program or to the system. */
const ignoredNames = new Set([
  '.obsidian',
  '.trash',
  '.git',
  'node_modules',
  '.logseq',
  '.recycle',
  '__MACOSX',
  '.DS_Store',
  'Thumbs.db',
  'desktop.ini',
]);

export function isIgnored(path: string): boolean {
  return path.split('/').some((part) => ignoredNames.has(part));
}

/** A file, or all files of a folder. Links are not followed: they may lead out of the folder, or in circles. */
export function listExportFiles(place: string): ExportFiles {
  const found: ForeignFile[] = [];
  const name = place.slice(place.lastIndexOf(sep) + 1);
  if (lstatSync(place).isDirectory()) listFolder(place, place, 0, found);
  else found.push(fileAt(place, name));
  return { files: found, bytesTotal: found.reduce((sum, { bytes }) => sum + bytes, 0) };
}

function fileAt(place: string, path: string): ForeignFile {
  const { size, mtimeMs } = lstatSync(place);
  return {
    path,
    place,
    modifiedAt: mtimeMs,
    bytes: size,
    read: () => createReadStream(place, { highWaterMark: 1 << 18 }),
  };
}

function listFolder(root: string, folder: string, depth: number, found: ForeignFile[]): void {
  if (depth > maxDepth) return;
  for (const entry of readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (found.length >= maxFiles || ignoredNames.has(entry.name)) continue;
    const place = join(folder, entry.name);
    if (entry.isDirectory()) listFolder(root, place, depth + 1, found);
    else if (entry.isFile()) found.push(fileAt(place, relative(root, place).split(sep).join('/')));
  }
}

/** Where a reader records that a file is truncated. Entries read before that are complete. */
export interface FileEnding {
  /** For a person; null when the file ends as it should. */
  fault: string | null;
  /** The export has the same data in another file, which is read there. */
  isRepeated: boolean;
}

export const cutOff = 'the file is cut off: it ends in the middle of an entry. Export it again';

const headBytes = 65_536;

export async function headOf(file: ForeignFile | undefined, length = headBytes): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of file?.read() ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= length) break;
  }
  return decodeHead(Buffer.concat(chunks).subarray(0, length));
}
