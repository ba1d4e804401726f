import { randomUUID } from 'node:crypto';
import { constants, type FSWatcher, type Stats, watch } from 'node:fs';
import {
  copyFile,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join, posix } from 'node:path';
import type { Clock } from '../../domain/clock.ts';
import { toldWhenFull } from '../../domain/machine-limits.ts';
import { itemIdOf, maxHead } from '../../domain/records/transfers/export-files.ts';
import { AppError, codeOf, invalidInput, conflict, unavailable } from '../../errors.ts';
import { isRunning } from '../../workers/running-process.ts';

/*
 * The folder of a vault. Its own folder `.commonplace` holds an index of the files, which is made again from the files when it
 * is lost, a lock, and files that are being written. Every file is written there first and then renamed, so it is whole at any
 * time. The vault's folder itself is never made: where a disk is not mounted, nothing is written.
 */

/** With `/`. */
type Path = string;

interface FileState {
  mtimeMs: number;
  size: number;
}

export interface Entry {
  /** Null once the person has deleted the file. That of a file in `.trash` is where it was before. */
  path: Path | null;
  version: string;
}

export class VaultGone extends AppError {
  constructor(cause?: unknown) {
    super(
      'unavailable',
      'The vault is not there: its folder is gone, or empty because its disk is not mounted. Nothing is written until it is there again. To begin a new one here, make a folder .commonplace in it.',
      { cause },
    );
  }
}

export type VaultFolder = Awaited<ReturnType<typeof openVaultFolder>>;

export const maxFile = 64 << 20;
const maxFiles = 500_000;
const own = '.commonplace';
const [indexFile, lockFile] = [`${own}/vault.json`, `${own}/lock`];
/** A lock counts until it is this old. Each look renews it, and so does each time that the index is written. */
const lockMs = 5 * 60_000;
const ownLock = JSON.stringify({ pid: process.pid, host: hostname() });
/** Interval for checking all files, because network folders report no changes. */
const lookMs = 60_000;

/**
 * @param opened `known`: file outside the vault that says which vaults this data folder has written
 * @throws {AppError} `invalid_input` when there is no such folder, `conflict` when another process writes it, or when it
 *   was written for another account or library
 * @throws {VaultGone} when it was written before and is empty now
 */
export async function openVaultFolder(opened: { place: string; known: string; account: string; clock: Clock }) {
  const { place, known, account, clock } = opened;
  const root = await realpath(place).catch((cause: unknown) => {
    throw invalidInput(
      'There is no folder with this name. Make it, or mount the disk that it is on: a vault is never made by itself.',
      { cause },
    );
  });
  if (!(await lstat(root)).isDirectory()) throw invalidInput('This is a file. Name the folder of the vault.');
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
    throw conflict(
      'This vault is kept up to date for another account or library. Name another folder; or delete its file .commonplace/vault.json to hand it over: its files stay.',
    );
  await takeLock(inside(lockFile), clock.now());
  // Remains of a killed process's write.
  for (const name of await readdir(inside(own))) if (name.endsWith('.tmp')) await rm(inside(`${own}/${name}`));
  const id = isMine(index['vault']) ? index['vault'] : `${randomUUID()} ${account}`;
  const { entries, seen } = indexIn(index['files']);
  if (vaults[root] !== id) await writeWhole(known, JSON.stringify({ ...vaults, [root]: id }));

  /** Null: any file may have. */
  let changed: Set<Path> | null = null;
  let lookedAt = 0;
  let temporary = 0;
  const watchers = new Map<string, FSWatcher>();
  const follow = (folder: Path): void => {
    if (watchers.has(folder)) return;
    try {
      const watcher = watch(inside(folder), { persistent: false }, (_, name) => {
        // Programs write hidden files before they rename them.
        if (name?.startsWith('.') === true) return;
        if (name === null || !/\.md$/i.test(name)) changed = null;
        else changed?.add(posix.join(folder, name));
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

  const check = async (): Promise<void> => {
    const time = new Date(clock.now());
    try {
      // Two processes that find an old lock may both take it. The last one keeps it.
      if ((await readFile(inside(lockFile), 'utf8')) !== ownLock) throw writtenBy(await readRecord(inside(lockFile)));
      await utimes(inside(lockFile), time, time);
    } catch (error) {
      changed = null;
      throw isLocked(error) || error instanceof AppError ? error : new VaultGone(error);
    }
  };

  /** The state of all Markdown files; null for missing ones. */
  const listAll = async (): Promise<Map<Path, FileState | null>> => {
    const found = new Map<Path, FileState | null>();
    const folders = [''];
    for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
      follow(next);
      for (const entry of await readdir(inside(next), { withFileTypes: true }).catch(() => [])) {
        const path = posix.join(next, entry.name);
        if (entry.name.startsWith('.') || found.size >= maxFiles) continue;
        if (entry.isDirectory()) folders.push(path);
        else if (entry.isFile() && /\.md$/i.test(entry.name)) found.set(path, await stateOf(inside(path)));
      }
    }
    for (const path of seen.keys()) if (!found.has(path)) found.set(path, null);
    return found;
  };

  const readHead = async (path: string): Promise<string> => {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(maxHead), 0, maxHead, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  };

  const isAnyDue = (): boolean => changed === null || clock.elapsed() - lookedAt > lookMs;
  type Changed = Map<Path, ReturnType<typeof itemIdOf> | undefined>;
  const folder = {
    entries,
    hasNews: (): boolean => isAnyDue() || changed?.size !== 0,
    /**
     * The files that changed since they were last read, written or found, each with the item in its front matter; undefined for a
     * missing one.
     * @throws {VaultGone}
     */
    async findChanged(): Promise<Changed> {
      await check();
      const some = isAnyDue() ? null : changed;
      changed = new Set();
      if (some === null) lookedAt = clock.elapsed();
      const states =
        some === null
          ? await listAll()
          : new Map(await Promise.all([...some].map(async (path) => [path, await stateOf(inside(path))] as const)));
      // An empty mount is not a vault of which everything was deleted.
      await check();
      const about: Changed = new Map();
      for (const [path, state] of states) {
        const before = seen.get(path);
        if (state === null) {
          if (seen.delete(path)) about.set(path, undefined);
        } else if (!isSame(before ?? null, state)) {
          seen.set(path, state);
          about.set(path, itemIdOf(await readHead(inside(path)).catch(() => '')));
        }
      }
      return about;
    },
    /** Counts the file as changed at the next look. */
    lookAgain(path: Path): void {
      seen.set(path, { mtimeMs: 0, size: 0 });
      changed?.add(path);
    },
    isThere: async (path: Path): Promise<boolean> => (await stateOf(inside(path))) !== null,
    /** Null when there is no such file. @throws {AppError} `payload_too_large` */
    async read(path: Path): Promise<{ bytes: Buffer; state: FileState } | null> {
      const state = await stateOf(inside(path));
      if (state === null) return null;
      if (state.size > maxFile)
        throw new AppError('payload_too_large', `has more than ${maxFile >> 20} MB and is left as it is`);
      return { bytes: await readFile(inside(path)), state };
    },
    /**
     * Writes whole or not at all. `before`: as it was read; null for a new file. False: it has changed or exists;
     * nothing is written.
     */
    async write(path: Path, bytes: Buffer, before: FileState | null): Promise<boolean> {
      const target = inside(path);
      const work = inside(`${own}/${process.pid}-${(temporary += 1)}.tmp`);
      const mode = before === null ? 0o600 : (await stat(target)).mode & 0o777;
      try {
        await writeFile(work, bytes, { mode, flush: before !== null }).catch((error: unknown) => {
          throw isMissing(error) ? new VaultGone(error) : error;
        });
        await makeFolders(root, dirname(path));
        if (before === null) {
          if (!(await putAt(work, target))) return false;
        } else if (isSame(await stateOf(target), before)) await rename(work, target);
        else return false;
        const state = await stateOf(target);
        if (state !== null) seen.set(path, state);
        return true;
      } finally {
        await rm(work, { force: true });
      }
    },
    /** @returns false when another file has the name: nothing was moved */
    async move(from: Path, to: Path): Promise<boolean> {
      await makeFolders(root, dirname(to));
      if (!(await putAt(inside(from), inside(to)))) return false;
      await rm(inside(from));
      seen.delete(from);
      return true;
    },
    /** Moves a file to the folder `.trash`, as Obsidian does. */
    async toTrash(path: Path): Promise<void> {
      const name = posix.basename(path, '.md');
      for (let number = 0; ; number += 1)
        if (await folder.move(path, `.trash/${name}${number === 0 ? '' : ` ${number}`}.md`)) return;
    },
    /** The files in `.trash` that belong to items, by their ids. */
    async readTrash(): Promise<Map<string, Path>> {
      const found = new Map<string, Path>();
      const isFolder = (await lstat(inside('.trash')).catch(() => null))?.isDirectory();
      for (const name of isFolder === true ? await readdir(inside('.trash')) : []) {
        const path = `.trash/${name}`;
        const about = (await stateOf(inside(path))) === null ? null : itemIdOf(await readHead(inside(path)));
        if (about?.isCopy === false) found.set(about.id, path);
      }
      return found;
    },
    async keepIndex(): Promise<void> {
      await check();
      await writeWhole(
        inside(indexFile),
        JSON.stringify({
          about: 'Made by commonplace export --watch. When it is lost, it is made again from the files.',
          vault: id,
          files: Object.fromEntries(
            [...entries].map(([item, { path, version }]) => {
              const { mtimeMs, size } = seen.get(path ?? '') ?? { mtimeMs: 0, size: 0 };
              return [item, [path, version, mtimeMs, size]];
            }),
          ),
        }),
      );
    },
    async close(): Promise<void> {
      for (const watcher of watchers.values()) watcher.close();
      if ((await readFile(inside(lockFile), 'utf8').catch(() => null)) === ownLock) await rm(inside(lockFile));
    },
  };
  return folder;
}

const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT';
export const isLocked = (error: unknown): boolean => ['EACCES', 'EPERM', 'EBUSY', 'EROFS'].includes(codeOf(error));

export function withAdvice(error: unknown): unknown {
  if (!isLocked(error)) return toldWhenFull(error, 'There is too little room for the vault. Free some space.');
  const advice = 'The vault cannot be written: its folder or its disk is read-only. Allow this user to write there.';
  return unavailable(advice, { cause: error });
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
const isSame = (one: FileState | null, other: FileState): boolean =>
  one !== null && one.mtimeMs === other.mtimeMs && one.size === other.size;

/** Null for anything but a file: links are not followed. */
async function stateOf(path: string): Promise<FileState | null> {
  const found = await lstat(path).catch((): Stats | null => null);
  return found?.isFile() === true ? { mtimeMs: found.mtimeMs, size: found.size } : null;
}

/** Gives a file a further name, unless there is something with it. */
async function putAt(file: string, name: string): Promise<boolean> {
  try {
    // Some file systems have no second names.
    await link(file, name).catch((error: unknown) =>
      ['EEXIST', 'ENOENT', 'ENOSPC'].includes(codeOf(error))
        ? Promise.reject(error as Error)
        : copyFile(file, name, constants.COPYFILE_EXCL),
    );
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Makes the folders below the vault, never the vault, and follows no link. */
async function makeFolders(root: string, path: string): Promise<void> {
  let folder = root;
  for (const name of path === '.' ? [] : path.split('/')) {
    folder = join(folder, name);
    await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw isMissing(error) ? new VaultGone(error) : error;
    });
    if (!(await lstat(folder)).isDirectory())
      throw invalidInput(
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
async function takeLock(path: string, now: number): Promise<void> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      return await writeFile(path, ownLock, { flag: 'wx', mode: 0o600 });
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    const lock = await readRecord(path);
    const { pid, host } = lock;
    const age = now - ((await stat(path).catch(() => null))?.mtimeMs ?? 0);
    if (age < lockMs && (host !== hostname() || (pid !== process.pid && isRunning(Number(pid))))) throw writtenBy(lock);
    await rm(path, { force: true });
  }
}

function writtenBy({ pid, host }: Record<string, unknown>): AppError {
  const place = host === hostname() ? 'this machine' : 'another machine';
  return conflict(`Process ${Number(pid)} on ${place} keeps this vault up to date. End it first.`);
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

function indexIn(files: unknown): { entries: Map<string, Entry>; seen: Map<Path, FileState> } {
  const [entries, seen] = [new Map<string, Entry>(), new Map<Path, FileState>()];
  for (const [id, value] of Object.entries(asRecord(files))) {
    const [path, version, mtimeMs, size] = Array.isArray(value) ? (value as unknown[]) : [];
    const isPath = path === null || (typeof path === 'string' && !/(?:^|\/)\.\.?(?:\/|$)|\\/.test(path));
    if (!isPath || typeof version !== 'string') continue;
    entries.set(id, { path, version });
    if (path !== null && typeof mtimeMs === 'number' && typeof size === 'number') seen.set(path, { mtimeMs, size });
  }
  return { entries, seen };
}
