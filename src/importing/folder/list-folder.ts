import { lstatSync, readdirSync, readFileSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { readableFile } from '../../domain/records/sources/source.ts';
import { codeOf } from '../../errors.ts';

export interface ListedFile {
  /** Inside the folder, with `/`. */
  path: string;
  size: number;
  /** Size, time and identity: the same for a file that was not touched. */
  state: string;
  /** Stays with a file that is renamed and edited. */
  identity: string;
}

export interface Listing {
  files: ListedFile[];
  /** Absolute paths of the folder and those in it that are not ignored. */
  folders: string[];
  /** Folders that could not be read, inside the folder: nothing is known of their files. */
  unread: string[];
}

const maxFiles = 200_000;
const maxFolders = 50_000;
const maxDepth = 64;
const maxRules = 100_000;
/** Folders of programs. Hidden ones are left out in any case. */
const ofPrograms = new Set(['node_modules', '__MACOSX', '$RECYCLE.BIN', 'System Volume Information']);
const ruleFiles = ['.gitignore', '.commonplaceignore'];
/** A file that was written so shortly before it was looked at may be written again without a later time. */
const coarseMs = 2_000;

interface Rules {
  /** The folder that they are in, with `/` at its end; empty for the outermost. */
  base: string;
  rules: Ignore;
}

/**
 * Lists the files of a folder that should be read. Symbolic links are not followed: they may lead out of it or in circles.
 * Ignores hidden files and folders, matches of `.gitignore`, as git does, and of `.commonplaceignore`.
 * Yields from time to time.
 * @throws {Error} of the file system, when the folder itself cannot be read
 */
export function* listFolder(folder: string, now: number): Generator<void, Listing> {
  const listing: Listing = { files: [], folders: [], unread: [] };
  const waiting: { path: string; depth: number; rules: readonly Rules[] }[] = [{ path: '', depth: 0, rules: [] }];
  let looked = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path, depth } = next;
    const place = join(folder, path);
    try {
      const entries = readdirSync(place, { withFileTypes: true });
      const rules = [...next.rules, ...rulesIn(place, path)];
      listing.folders.push(place);
      for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
        const { name } = entry;
        const inside = path + name;
        if (name.startsWith('.') || ofPrograms.has(name)) continue;
        if (entry.isDirectory()) {
          const isOld = /(?:^|\/)logseq\/(?:bak|version-files)$/.test(inside);
          if (isOld || depth >= maxDepth || isIgnored(rules, `${inside}/`)) continue;
          if (waiting.length + listing.folders.length < maxFolders)
            waiting.push({ path: `${inside}/`, depth: depth + 1, rules });
          else listing.unread.push(`${inside}/`);
        } else if (entry.isFile() && readableFile.test(name) && !isIgnored(rules, inside)) {
          if (listing.files.length >= maxFiles) listing.unread.push(path);
          else listing.files.push(...listed(join(folder, inside), inside, now));
        }
        if ((looked += 1) % 500 === 0) yield;
      }
    } catch (error) {
      if (path === '') throw error;
      if (!isGone(error)) listing.unread.push(path);
    }
    if ((looked += 1) % 500 === 0) yield;
  }
  return listing;
}

const isGone = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(codeOf(error));

function listed(place: string, path: string, now: number): ListedFile[] {
  const stats = lstatSync(place, { throwIfNoEntry: false });
  return stats?.isFile() === true ? [{ path, size: stats.size, ...stateOf(stats, now) }] : [];
}

export function stateOf(stats: Stats, now: number): Pick<ListedFile, 'state' | 'identity'> {
  const { size, mtimeMs, ino, birthtimeMs } = stats;
  const identity = `${ino}:${birthtimeMs}`;
  const isFresh = mtimeMs > now - coarseMs && mtimeMs <= now;
  return { identity, state: `${size} ${mtimeMs} ${identity}${isFresh ? ' fresh' : ''}` };
}

function rulesIn(place: string, base: string): Rules[] {
  const text = ruleFiles
    .map((name) => {
      try {
        const path = join(place, name);
        const stats = lstatSync(path);
        return stats.isFile() && stats.size <= maxRules ? readFileSync(path, 'utf8') : '';
      } catch {
        return '';
      }
    })
    .join('\n');
  return text.trim() === '' ? [] : [{ base, rules: ignore({ ignorecase: false }).add(text) }];
}

/** The innermost file with a rule for it decides, as in git. */
function isIgnored(rules: readonly Rules[], path: string): boolean {
  for (const { base, rules: own } of rules.toReversed()) {
    const { ignored, unignored } = own.test(path.slice(base.length));
    if (ignored || unignored) return ignored;
  }
  return false;
}
