import { createHash } from 'node:crypto';
import { maxEntryKey } from '../limits.ts';
import type { ImportedFile } from '../transfers/import.ts';

/* A followed folder: the request of its check to the thread that reads it, and the answer. */

/** Whether more disappears at once than by a person's hand: more than 50, or than a fifth if that is at least five. */
export const isUnusualLoss = (gone: number, of: number): boolean => gone > 50 || (gone > 4 && gone > of * 0.2);

/** The known state of a file from the last reading; an entry of the source. */
export interface KnownFile {
  key: string;
  /** Its `file:` address; null when its item was purged. */
  address: string | null;
  fingerprint: string | null;
}

export interface ReadFolder {
  /** An absolute path without symbolic links. */
  folder: string;
  known: readonly KnownFile[];
  /** Larger files are left out. */
  maxBytes: number;
  now: number;
}

/** A file that is new, was changed or was moved. */
export interface FolderFile {
  key: string;
  /** Inside the folder, with `/`. */
  path: string;
  address: string;
  fingerprint: string;
  /** The key by which it is known, which is another one when the file was moved; null for a new file. */
  from: string | null;
  /** The content and type of the file; null when it should not become an item, or is unchanged. */
  entry: (ImportedFile & { bytes: Uint8Array }) | null;
  /** Tags that it gave its item before. */
  tagsBefore: readonly string[];
  /** Why it is not read. */
  left: string | null;
}

export type FolderBatch =
  /** `folders`: the folder and those inside it that are not ignored. Null at the end of the first look: more follow. */
  | { kind: 'looked'; folders: string[] | null }
  | { kind: 'files'; files: FolderFile[]; done: number; total: number }
  /** Comes last. `gone`: keys of known files that no longer exist. `present`: how many files there are. */
  | { kind: 'end'; gone: string[]; present: number }
  /** There is no such folder now, or it may not be read. */
  | { kind: 'absent' };

/** Progress of a folder check, for observers. */
export type FolderEvent =
  | { kind: 'progress'; done: number; total: number }
  | { kind: 'added' | 'changed' | 'moved' | 'removed' | 'left'; path: string; why?: string | undefined };

/** The key of a file of a folder: its path, or a hash of a long one. */
export function keyOfFile(path: string): string {
  return path.length <= maxEntryKey ? path : createHash('sha256').update(path).digest('hex');
}

/** The entry of a file that is gone begins with this; a path inside a folder never does. The id of its item follows. */
export const goneMark = '/gone/';

/*
 * The fingerprint of a file has these lines: size, time and identity, by which a file is known to be the same without being read;
 * the hash of its bytes; the tags that it gave its item; and the keys of the files that it links to.
 */

export interface Fingerprint {
  state: string;
  hash: string;
  tags: readonly string[];
  links: readonly string[];
}

export function writeFingerprint({ state, hash, tags, links }: Fingerprint): string {
  return [state, hash, JSON.stringify(tags), ...links, ''].join('\n');
}

export function parseFingerprint(text: string): Fingerprint {
  const [state = '', hash = '', tags = '[]', ...links] = text.split('\n');
  return { state, hash, tags: tagsIn(tags), links: links.slice(0, -1) };
}

/** None in a fingerprint of an import that is damaged. */
function tagsIn(text: string): string[] {
  try {
    const tags: unknown = JSON.parse(text);
    return Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [];
  } catch {
    return [];
  }
}
