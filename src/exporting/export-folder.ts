import { createHash, type Hash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, parse, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { exportFiles } from '../domain/records/transfers/export-files.ts';
import { exportManifest, type ExportManifest } from '../domain/records/transfers/exported.ts';
import { invalidInput } from '../errors.ts';
import { isRunning } from '../workers/running-process.ts';

/*
 * An export is written to a folder with another name beside its place, and renamed when it is complete. So a folder with the
 * export's own name is always complete, wherever the program was killed. The next export removes an incomplete one.
 */

const pack = promisify(gzip);

export type ExportFolder = Awaited<ReturnType<typeof openExportFolder>>;
type GrowingFile = ReturnType<typeof createGrowingFile>;

const unfinished = '.unfinished-export';
const replaced = '.replaced-export';
/** Names the process that writes a folder that is not finished. */
const writerFile = '.writer';
/** Bytes of a growing file that are kept before they are written. */
const flushedAt = 1 << 20;

/**
 * Begins an export.
 * @throws {AppError} `invalid_input` when there is something in the place of the folder that is no earlier export, or
 * whose files were changed since; and when a part would replace a whole export
 */
export async function openExportFolder(place: string, isPartial: boolean) {
  const [work, old] = [`${place}${unfinished}`, `${place}${replaced}`];
  refuseWhileWritten(work);
  // A program that was killed between two renames has left the earlier export under another name.
  if (!existsSync(place) && existsSync(old)) await rename(old, place);
  await takeAlong(old, place);
  await checkPlace(place, isPartial);
  await rm(work, { recursive: true, force: true });
  await mkdir(work, { recursive: true, mode: 0o700 });
  try {
    await writeFile(join(work, writerFile), String(process.pid), { mode: 0o600 });
  } catch (error) {
    await rm(work, { recursive: true, force: true });
    throw error;
  }
  const checksums: string[] = [];
  const folders = new Set<string>();
  const growing: { path: string; file: GrowingFile }[] = [];
  const pathOf = async (path: string): Promise<string> => {
    const whole = join(work, ...path.split('/'));
    const folder = dirname(whole);
    if (!folders.has(folder)) await mkdir(folder, { recursive: true, mode: 0o700 });
    folders.add(folder);
    return whole;
  };
  return {
    /** @param path within the folder, with `/` */
    async writeFile(path: string, content: string | Uint8Array): Promise<void> {
      await writeFile(await pathOf(path), content, { mode: 0o600, flag: 'wx' });
      checksums.push(`${createHash('sha256').update(content).digest('hex')}  ${path}`);
    },
    async growFile(path: string, { isPacked } = { isPacked: false }): Promise<Pick<GrowingFile, 'write'>> {
      const file = createGrowingFile(await open(await pathOf(path), 'wx', 0o600), isPacked);
      growing.push({ path, file });
      return file;
    },
    /** Writes checksums and manifest, and puts the folder in its place. */
    async finish(about: Omit<ExportManifest, 'format' | 'version' | 'checksums'>): Promise<void> {
      for (const { path, file } of growing) checksums.push(`${await file.close()}  ${path}`);
      const list = `${checksums.toSorted().join('\n')}\n`;
      await writeFile(join(work, exportFiles.checksums), list, { mode: 0o600 });
      const manifest: ExportManifest = {
        format: 'commonplace export',
        version: 1,
        ...about,
        checksums: createHash('sha256').update(list).digest('hex'),
      };
      await writeDurably(join(work, exportFiles.manifest), `${JSON.stringify(manifest, null, 2)}\n`);
      await rm(join(work, writerFile));
      if (existsSync(place)) await rename(place, old);
      await rename(work, place);
      await takeAlong(old, place);
    },
    async abandon(): Promise<void> {
      // Discard pending writes: on a full disk they would fail again, and nothing would be removed.
      for (const { file } of growing) await file.discard();
      await rm(work, { recursive: true, force: true });
    },
  };
}

function createGrowingFile(file: FileHandle, isPacked: boolean) {
  const hash: Hash = createHash('sha256');
  let waiting: string[] = [];
  let length = 0;
  let isEmpty = true;
  const flush = async (): Promise<void> => {
    const bytes = Buffer.from(waiting.join(''));
    waiting = [];
    length = 0;
    // A packed file of nothing is not empty.
    if (bytes.length === 0 && !(isPacked && isEmpty)) return;
    isEmpty = false;
    // Several packed parts one after the other are one packed file.
    const written = isPacked ? await pack(bytes, { level: constants.Z_BEST_SPEED }) : bytes;
    hash.update(written);
    // `writeFile` goes on until all is written; `write` may write less than it is given.
    await file.writeFile(written);
  };
  return {
    async write(text: string): Promise<void> {
      waiting.push(text);
      length += text.length;
      if (length >= flushedAt) await flush();
    },
    /** Writes the rest. Returns the SHA-256 of the file. */
    async close(): Promise<string> {
      await flush();
      await file.sync();
      await file.close();
      return hash.digest('hex');
    },
    discard: (): Promise<void> => file.close(),
  };
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  await file.writeFile(text);
  await file.sync();
  await file.close();
}

/** @throws {AppError} `invalid_input` while another process writes this export */
function refuseWhileWritten(work: string): void {
  const path = join(work, writerFile);
  const writer = existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0;
  if (writer !== process.pid && isRunning(writer))
    throw invalidInput(`Process ${writer} is writing an export to this folder. Wait for it, or name another folder.`);
}

/** @throws {AppError} `invalid_input` when the place cannot be taken without a loss */
async function checkPlace(place: string, isPartial: boolean): Promise<void> {
  if (!existsSync(place)) return;
  if (!lstatSync(place).isDirectory()) throw invalidInput('There is a file with this name. Name a new folder.');
  if (readdirSync(place).length === 0) return;
  const manifest = readManifest(place);
  if (manifest === null)
    throw invalidInput('This folder has files and is no earlier export. Name a new folder, or an earlier export.');
  if (isPartial && manifest.since === null)
    throw invalidInput('This folder holds a whole export. Name another folder for what was changed since.');
  const sums = readChecksums(place);
  const changed: string[] = [];
  for (const path of filesIn(place)) {
    const sum = sums.get(path);
    if (sum !== undefined && sum !== (await hashOfFile(join(place, path)))) changed.push(path);
  }
  if (changed.length > 0)
    throw invalidInput(
      `Files of this earlier export were changed since, and would be lost: ${changed.slice(0, 3).join(', ')}${changed.length > 3 ? ` and ${changed.length - 3} more` : ''}. Name a new folder, or move them away.`,
    );
}

/** The SHA-256 of each file of an export; empty when it has no list of them. */
function readChecksums(place: string): Map<string, string> {
  const path = join(place, exportFiles.checksums);
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  return new Map(lines.filter((line) => line !== '').map((line) => [line.slice(66), line.slice(0, 64)]));
}

/** The manifest of an export; null for any other folder. */
function readManifest(place: string): ExportManifest | null {
  try {
    return exportManifest.parse(JSON.parse(readFileSync(join(place, exportFiles.manifest), 'utf8')));
  } catch {
    return null;
  }
}

function* filesIn(place: string): Generator<string> {
  for (const entry of readdirSync(place, { withFileTypes: true, recursive: true }))
    if (!entry.isDirectory()) yield relative(place, join(entry.parentPath, entry.name)).split(sep).join('/');
}

async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  const file = await open(path);
  for await (const chunk of file.createReadStream()) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/**
 * Moves files that no export wrote, such as the settings of Obsidian, from the replaced export into the new one; under another
 * name when that has one with their name. Then the replaced export is removed.
 */
async function takeAlong(old: string, place: string): Promise<void> {
  if (!existsSync(old)) return;
  const sums = readChecksums(old);
  for (const path of filesIn(old)) {
    const isOurs = sums.has(path) || path === exportFiles.manifest || path === exportFiles.checksums;
    if (isOurs) continue;
    const target = freeName(join(place, ...path.split('/')));
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await rename(join(old, ...path.split('/')), target);
  }
  await rm(old, { recursive: true, force: true });
}

/** The path itself, or one like it at which there is nothing: `plans.md`, `plans (kept 1).md`. */
function freeName(path: string): string {
  const { dir, name, ext } = parse(path);
  let free = path;
  for (let number = 1; existsSync(free); number += 1) free = join(dir, `${name} (kept ${number})${ext}`);
  return free;
}

/**
 * Written under another name until it is whole.
 * @throws {AppError} `invalid_input` when there is something with this name
 */
export async function openExportFile(place: string) {
  if (existsSync(place)) throw invalidInput('This file exists already. Name a new one, or move it away.');
  await mkdir(dirname(place), { recursive: true });
  const work = `${place}${unfinished}`;
  const file = createGrowingFile(await open(work, 'w', 0o600), false);
  return {
    write: file.write,
    async finish(): Promise<void> {
      await file.close();
      await rename(work, place);
    },
    async abandon(): Promise<void> {
      await file.discard();
      await rm(work, { force: true });
    },
  };
}
