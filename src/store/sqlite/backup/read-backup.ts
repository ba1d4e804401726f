import { createWriteStream, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createZstdDecompress } from 'node:zlib';
import Database from 'better-sqlite3';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { z } from 'zod';
import { AppError, invalidInput, unavailable } from '../../../errors.ts';
import { makeTemporaryFolder } from '../../../workers/temporary-folder.ts';
import { checkFile, isOfOlderVersion } from '../checking/check-file.ts';
import { isAccountId } from '../../../domain/access/account-names.ts';
import { exportFromPreview, refuseOtherVersion, type Schema, schemaVersion } from '../files/migrate.ts';

/*
 * A backup is a ZIP file of `control.db.zst`, `accounts/<id>.db.zst` for each account, `config.json`, and its description
 * `backup.json`. A backup of one account has neither `control.db.zst` nor `config.json`, which have other accounts' data.
 */

/** Previews wrote format 1, a tar file. */
export const backupFormat = 2;
export const infoName = 'backup.json';

/** The content of `backup.json`. `account` is the only account in the backup, or null when it has all of them. */
const infoSchema = z.object({
  format: z.literal(backupFormat),
  program: z.string().max(100),
  createdAt: z.iso.datetime(),
  account: z.string().max(100).nullable(),
  accounts: z
    .array(z.object({ id: z.string().refine(isAccountId), name: z.string().max(1_000), plan: z.enum(['free', 'pro']) }))
    .max(1_000_000),
  /** `control`, `config` and the ids of accounts whose libraries are in the backup. */
  parts: z.array(z.string().refine((part) => part === 'control' || part === 'config' || isAccountId(part))),
  /** The versions of the databases that the program makes. */
  schema: z.object({ control: z.int(), account: z.int() }),
});

export type BackupInfo = z.infer<typeof infoSchema>;
export type BackedUpAccount = BackupInfo['accounts'][number];

/** The path of a part in a data folder. */
export function fileOf(part: string): string {
  if (part === 'config') return 'config.json';
  return part === 'control' ? 'control.db' : `accounts/${part}.db`;
}

/** The name of a part in the ZIP file. Databases are compressed. */
export function entryOf(part: string): string {
  return part === 'config' ? fileOf(part) : `${fileOf(part)}.zst`;
}

/** `backup.json` is short, whatever the backup holds. */
const maxInfoBytes = 200_000_000;

/** An open backup. Close it. */
export class BackupFile {
  readonly info: BackupInfo;
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>, info: BackupInfo) {
    this.#zip = zip;
    this.#entries = entries;
    this.info = info;
  }

  /**
   * @throws {AppError} `invalid_input` when the file is not a backup or its description is damaged, `newer_data` when a
   *   newer program has written it, `unavailable` when a preview has
   */
  static async open(path: string): Promise<BackupFile> {
    const zip = await openZip(path);
    try {
      const entries = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
      const chunks: Uint8Array[] = [];
      const description = entries.get(infoName);
      if (description === undefined || description.uncompressedSize > maxInfoBytes) throw notABackup();
      const isWhole = await readEntry(zip, description, (bytes) => pipeline(bytes, collecting(chunks)));
      return new BackupFile(zip, entries, parseInfo(isWhole ? Buffer.concat(chunks).toString() : ''));
    } catch (error) {
      zip.close();
      throw isDamage(error) ? notABackup(error) : error;
    }
  }

  /**
   * Unpacks a part and compares its checksum. False when it is missing or damaged.
   * @param to where to write it; absent: nowhere
   */
  async unpack(part: string, to?: string): Promise<boolean> {
    const entry = this.#entries.get(entryOf(part));
    if (entry === undefined) return false;
    return readEntry(this.#zip, entry, (bytes) => {
      const target = to === undefined ? collecting() : createWriteStream(to, { mode: 0o600, flags: 'wx', flush: true });
      return part === 'config' ? pipeline(bytes, target) : pipeline(bytes, createZstdDecompress(), target);
    });
  }

  close(): void {
    this.#zip.close();
  }
}

/** Reads the bytes of an entry as they are stored. False when they do not have their checksum. */
async function readEntry(
  zip: ZipFile,
  entry: Entry,
  use: (bytes: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<boolean> {
  let sum = 0;
  async function* summed(): AsyncIterable<Uint8Array> {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      sum = crc32(chunk as Uint8Array, sum);
      yield chunk as Uint8Array;
    }
  }
  try {
    await use(summed());
    return sum === entry.crc32;
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
}

function collecting(chunks?: Uint8Array[]): Writable {
  return new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      chunks?.push(chunk);
      done();
    },
  });
}

/** The errors of yauzl have no code, those of the system and of Node have one. */
function isDamage(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof AppError || error instanceof TypeError) return false;
  return !('code' in error) || /^Z(STD)?_/.test(String(error.code));
}

async function openZip(path: string): Promise<ZipFile> {
  try {
    return await openPromise(path, { lazyEntries: true, autoClose: false });
  } catch (error) {
    if (isDamage(error)) throw (await isTar(path)) ? ofPreview() : notABackup(error);
    throw invalidInput('The backup cannot be opened. Check its name and its permissions.', {
      cause: error,
    });
  }
}

function notABackup(cause?: unknown): AppError {
  return invalidInput(
    'This file is not a backup that `commonplace backup` has written, or it was cut off, or its description is damaged. Copy it again from where it was written, or take another backup.',
    { cause },
  );
}

async function isTar(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(5), 0, 5, 257);
    return buffer.toString('latin1') === 'ustar';
  } finally {
    await file.close();
  }
}

function ofPreview(): AppError {
  return unavailable(
    `A preview of Commonplace wrote this backup, in a form that this version does not read. Restore it with that version. ${exportFromPreview}`,
  );
}

function parseInfo(text: string): BackupInfo {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    throw notABackup(error);
  }
  const format = z.object({ format: z.int() }).safeParse(given).data?.format;
  if (format !== undefined && format > backupFormat)
    throw new AppError('newer_data', 'A newer version of Commonplace has written this backup. Update this one first.');
  const info = infoSchema.safeParse(given).data;
  if (info === undefined) throw notABackup();
  return info;
}

/**
 * True if SQLite finds no damage in a database.
 * @param schema of a database that this program is to use
 * @throws {AppError} `newer_data` when a newer program has written it, `unavailable` when a preview has
 */
export function isSound(path: string, schema?: Schema): boolean {
  try {
    const db = new Database(path, { readonly: true, fileMustExist: true });
    try {
      const version = schemaVersion(db);
      if (schema !== undefined) refuseOtherVersion(version, schema);
      return version > 0 && db.pragma('integrity_check(1)', { simple: true }) === 'ok';
    } finally {
      db.close();
    }
  } catch (error) {
    if (error instanceof Database.SqliteError) return false;
    throw error;
  }
}

export interface VerifiedBackup {
  createdAt: string;
  program: string;
  /** True if everything in it can be restored. */
  isWhole: boolean;
  parts: { part: string; problems: string[] }[];
}

/**
 * Reads a backup to its end, compares every checksum, unpacks each database into the system's temporary folder and looks
 * through it as `doctor --check` does.
 * @throws {AppError} as `BackupFile.open`
 */
export async function verifyBackup(
  file: string,
  onDone: (done: number, total: number) => void,
): Promise<VerifiedBackup> {
  const backup = await BackupFile.open(file);
  const folder = makeTemporaryFolder(join(tmpdir(), 'commonplace-verify-'));
  try {
    const { createdAt, program, parts } = backup.info;
    const checked: VerifiedBackup['parts'] = [];
    for (const part of parts) {
      const path = join(folder, 'library.db');
      const problems: string[] = [];
      if (!(await backup.unpack(part, path))) problems.push('it is missing or damaged');
      else if (part !== 'config') {
        const found = checkFile(path, part === 'control' ? 'control' : 'account');
        problems.push(...found.filter((finding) => !isOfOlderVersion(finding)).map(({ problem }) => problem));
      }
      rmSync(path, { force: true });
      checked.push({ part, problems });
      onDone(checked.length, parts.length);
    }
    return { createdAt, program, isWhole: checked.every(({ problems }) => problems.length === 0), parts: checked };
  } finally {
    backup.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
