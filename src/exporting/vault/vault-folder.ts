import { randomUUID } from 'node:crypto';
import { type FSWatcher, type Stats, watch } from 'node:fs';
import { lstat, mkdir, open, readdir, readFile, realpath, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { AppError } from '../../errors.ts';
import { maxHead } from '../../domain/records/transfers/item-of-file.ts';

/*
 * The folder of a vault. Its own folder `.commonplace` holds an index of the files, which is made again from the files when it
 * is lost, a lock, and files that are being written. Every file is written there first and then renamed, so it is whole at any
 * time. The vault's folder itself is never made: where a disk is not mounted, nothing is written.
 */

/** A path of a file in the vault, with `/`. */
type Path = string;

export interface FileState {
  mtimeMs: number;
  size: number;
}

/** What was written for an item. `path`: null once the person has deleted the file. */
export interface Entry extends FileState {
  path: Path | null;
  version: string;
}

/** The vault is not where it was. */
export class VaultGone extends Error {}

export interface VaultFolder {
  readonly entries: Map<string, Entry>;
  /** Files that may have changed since the last call; null: any. */
  takeChanged(): ReadonlySet<Path> | null;
  hasChanged(): boolean;
  /** Takes any file for changed. */
  lookAtAll(): void;
  /** @throws {VaultGone} */
  check(): Promise<void>;
  /** The state of these files, or of all Markdown files; null for one that is not there. */
  look(paths: ReadonlySet<Path> | null): Promise<Map<Path, FileState | null>>;
  readHead(path: Path): Promise<string>;
  /** Null when there is no such file. @throws {AppError} `payload_too_large` */
  read(path: Path): Promise<{ bytes: Buffer; state: FileState } | null>;
  /**
   * Writes a file whole or not at all.
   * @param before what it was when it was read; null for a new one
   * @returns null when it has changed meanwhile or another has the name: nothing was written
   */
  write(path: Path, bytes: Buffer, before: FileState | null): Promise<FileState | null>;
  /** Moves a file to the folder `.trash`, as Obsidian does. */
  toTrash(path: Path): Promise<void>;
  keepIndex(): Promise<void>;
  close(): Promise<void>;
}

export const maxFile = 64 << 20;
const maxFiles = 500_000;
const own = '.commonplace';
const [indexFile, lockFile] = [`${own}/vault.json`, `${own}/lock`];
/** A lock counts until it is this old. Each pass renews it, and so does each time that the index is written. */
const lockMs = 5 * 60_000;

/**
 * @param opened `known`: file outside the vault that says which vaults this data folder has written
 * @throws {AppError} `invalid_input` when there is no such folder, `conflict` when another process writes it, or when it
 *   was written for another account or library
 * @throws {VaultGone} when it was written before and is empty now
 */
export async function openVaultFolder(opened: {
  place: string;
  known: string;
  account: string;
  now: () => number;
}): Promise<VaultFolder> {
  const { place, known, account, now } = opened;
  const root = await realpath(place).catch((cause: unknown) => {
    throw new AppError(
      'invalid_input',
      'There is no folder with this name. Make it, or mount the disk that it is on: a vault is never made by itself.',
      { cause },
    );
  });
  if (!(await lstat(root)).isDirectory())
    throw new AppError('invalid_input', 'This is a file. Name the folder of the vault.');
  const inside = (path: Path): string => join(root, ...path.split('/'));
  const vaults = await readRecord(known);
  const isBegun = await isThere(inside(own));
  if (!isBegun && vaults[root] !== undefined) throw new VaultGone();
  await makeFolders(root, own);
  const index = await readRecord(inside(indexFile));
  // The vault may have been moved. The account follows the random part.
  const isMine = (id: unknown): id is string =>
    typeof id === 'string' && Object.values(vaults).includes(id) && id.slice(randomUUID().length) === ` ${account}`;
  if (index['vault'] !== undefined && !isMine(index['vault']))
    throw new AppError(
      'conflict',
      'This vault is kept up to date for another account or library. Name another folder; or delete its file .commonplace/vault.json to hand it over: its files stay.',
    );
  await takeLock(inside(lockFile), now);
  // What a killed process was writing.
  for (const name of await readdir(inside(own))) if (name.endsWith('.tmp')) await rm(inside(`${own}/${name}`));
  const id = isMine(index['vault']) ? index['vault'] : `${randomUUID()} ${account}`;
  const entries = entriesIn(index['files']);
  if (vaults[root] !== id) await writeWhole(known, JSON.stringify({ ...vaults, [root]: id }));

  let changed: Set<Path> | null = null;
  let temporary = 0;
  const watchers = new Map<string, FSWatcher>();
  const follow = (folder: Path): void => {
    if (watchers.has(folder)) return;
    try {
      const watcher = watch(inside(folder), { persistent: false }, (_, name) => {
        if (name === null || !/\.md$/i.test(name)) {
          if (name?.startsWith('.') !== true) changed = null;
        } else changed?.add(posix.join(folder, name));
      });
      watcher.on('error', () => {
        watcher.close();
        watchers.delete(folder);
        changed = null;
      });
      watchers.set(folder, watcher);
    } catch {
      // Where nothing can be watched, all files are looked at from time to time.
    }
  };

  const folder: VaultFolder = {
    entries,
    takeChanged() {
      const taken = changed;
      changed = new Set();
      return taken;
    },
    hasChanged: () => changed === null || changed.size > 0,
    lookAtAll: () => void (changed = null),
    async check() {
      const time = new Date(now());
      await utimes(inside(lockFile), time, time).catch((cause: unknown) => {
        changed = null;
        throw new VaultGone('', { cause });
      });
    },
    async look(paths) {
      const found = new Map<Path, FileState | null>();
      if (paths !== null) {
        for (const path of paths) found.set(path, await stateOf(inside(path)));
        return found;
      }
      const folders = [''];
      for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
        follow(next);
        const here = await readdir(inside(next), { withFileTypes: true }).catch(() => []);
        for (const entry of here) {
          const path = posix.join(next, entry.name);
          if (entry.name.startsWith('.') || found.size >= maxFiles) continue;
          if (entry.isDirectory()) folders.push(path);
          else if (entry.isFile() && /\.md$/i.test(entry.name)) found.set(path, await stateOf(inside(path)));
        }
      }
      // An empty mount is not a vault of which everything was deleted.
      await folder.check();
      for (const { path } of entries.values()) if (path !== null && !found.has(path)) found.set(path, null);
      return found;
    },
    async readHead(path) {
      const file = await open(inside(path));
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(maxHead), 0, maxHead, 0);
        return buffer.toString('utf8', 0, bytesRead);
      } finally {
        await file.close();
      }
    },
    async read(path) {
      const state = await stateOf(inside(path));
      if (state === null) return null;
      if (state.size > maxFile)
        throw new AppError('payload_too_large', `has more than ${maxFile >> 20} MB and is left as it is`);
      return { bytes: await readFile(inside(path)), state };
    },
    async write(path, bytes, before) {
      const target = inside(path);
      const work = inside(`${own}/${process.pid}-${(temporary += 1)}.tmp`);
      const mode = before === null ? 0o600 : (await stat(target)).mode & 0o777;
      await writeFile(work, bytes, { mode, flush: before !== null }).catch((error: unknown) => {
        throw isMissing(error) ? new VaultGone('', { cause: error }) : error;
      });
      try {
        await makeFolders(root, dirname(path));
        if (before === null && !(await isFree(target))) return null;
        if (before !== null && !isSame(await stateOf(target), before)) return null;
        await rename(work, target);
        return await stateOf(target);
      } finally {
        await rm(work, { force: true });
      }
    },
    async toTrash(path) {
      await makeFolders(root, '.trash');
      const name = posix.basename(path, '.md');
      for (let number = 0; ; number += 1) {
        const target = inside(`.trash/${name}${number === 0 ? '' : ` ${number}`}.md`);
        if (!(await isThere(target))) return rename(inside(path), target);
      }
    },
    async keepIndex() {
      await folder.check();
      await writeWhole(
        inside(indexFile),
        JSON.stringify({
          about: 'Made by commonplace export --watch. When it is lost, it is made again from the files.',
          vault: id,
          files: Object.fromEntries(
            [...entries].map(([item, { path, version, mtimeMs, size }]) => [item, [path, version, mtimeMs, size]]),
          ),
        }),
      );
    },
    async close() {
      for (const watcher of watchers.values()) watcher.close();
      await rm(inside(lockFile), { force: true });
    },
  };
  return folder;
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';
const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
export const isSame = (one: FileState | null, other: FileState): boolean =>
  one !== null && one.mtimeMs === other.mtimeMs && one.size === other.size;

/** Null for what is no file: links are not followed. */
async function stateOf(path: string): Promise<FileState | null> {
  const found = await lstat(path).catch((): Stats | null => null);
  return found?.isFile() === true ? { mtimeMs: found.mtimeMs, size: found.size } : null;
}

/** Takes a name that no file has. An empty file is what a process leaves that was killed here. */
async function isFree(target: string): Promise<boolean> {
  try {
    await (await open(target, 'wx')).close();
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    return (await stateOf(target))?.size === 0;
  }
}

/** Makes the folders below the vault, never the vault, and follows no link. */
async function makeFolders(root: string, path: string): Promise<void> {
  let folder = root;
  for (const name of path === '.' ? [] : path.split('/')) {
    folder = join(folder, name);
    await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
      if (isMissing(error)) throw new VaultGone('', { cause: error });
    });
    if (!(await lstat(folder)).isDirectory())
      throw new AppError(
        'invalid_input',
        `${path} is not a folder of the vault, or a link leads to it. Put a folder in the place of the link.`,
      );
  }
}

async function writeWhole(path: string, text: string): Promise<void> {
  const work = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(work, text, { mode: 0o600, flush: true });
    await rename(work, path);
  } finally {
    await rm(work, { force: true });
  }
}

/** @throws {AppError} `conflict` while another process writes the vault */
async function takeLock(path: string, now: () => number): Promise<void> {
  const mine = JSON.stringify({ pid: process.pid, host: hostname() });
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      return await writeFile(path, mine, { flag: 'wx', mode: 0o600 });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    const { pid, host } = await readRecord(path);
    const age = now() - ((await stat(path).catch(() => null))?.mtimeMs ?? 0);
    if (age < lockMs && (host !== hostname() || isRunning(Number(pid))))
      throw new AppError(
        'conflict',
        `Process ${Number(pid)} on ${host === hostname() ? 'this machine' : 'another machine'} keeps this vault up to date. End it first.`,
      );
    await rm(path, { force: true });
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Empty when there is no such file, or when it is damaged. */
async function readRecord(path: string): Promise<Record<string, unknown>> {
  try {
    return asRecord(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return {};
  }
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

function entriesIn(files: unknown): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const [id, value] of Object.entries(asRecord(files))) {
    const [path, version, mtimeMs, size] = Array.isArray(value) ? (value as unknown[]) : [];
    const isPath = path === null || (typeof path === 'string' && !/(?:^|\/)\.\.?(?:\/|$)|\\/.test(path));
    if (isPath && typeof version === 'string' && typeof mtimeMs === 'number' && typeof size === 'number')
      entries.set(id, { path, version, mtimeMs, size });
  }
  return entries;
}
