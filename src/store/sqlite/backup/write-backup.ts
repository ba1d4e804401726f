import Database from 'better-sqlite3';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { ZipFile } from 'yazl';
import { isOutOfRoom } from '../../../domain/machine-limits.ts';
import { AppError, codeOf, invalidInput, unavailable, notFound } from '../../../errors.ts';
import { isAccountId } from '../../../domain/access/account-names.ts';
import { explained, lockTimeoutMs } from '../files/sqlite-errors.ts';
import { presentVersion, refusePreview, schemaVersion } from '../files/migrate.ts';
import { createPrivately, openForReading } from '../files/open-database.ts';
import { accountSchema, controlSchema } from '../schema.ts';
import {
  type BackedUpAccount,
  BackupFile,
  backupFormat,
  type BackupInfo,
  entryOf,
  fileOf,
  infoName,
  isSound,
} from './read-backup.ts';
import { syncFolder } from './restore-backup.ts';

export interface WriteRequest {
  folder: string;
  target: string;
  /** Absent: all accounts. */
  account?: string | undefined;
  program: string;
  /** When the backup was asked for, in milliseconds since the epoch. */
  now: number;
}

export interface WrittenBackup {
  file: string;
  bytes: number;
  accounts: string[];
  /** Parts that could not be copied. The backup holds everything else. */
  left: { part: string; reason: string }[];
}

/** The folder with the files of a backup that is being written: the backup itself, and the copy of one database. */
export function unfinishedFolder(target: string): string {
  return join(dirname(target), `.${basename(target)}.part`);
}

/**
 * Writes a backup of a data folder that may be in use, and checks what was written. Each database is copied by `VACUUM
 * INTO`, one after the other: each copy is one moment of its database, and writers do not wait.
 * @throws {AppError} `invalid_input` when the target exists, `not_found` for an unknown account, `unavailable` when the
 * data folder or the target cannot be used, or a preview wrote the data folder
 */
export async function writeBackup(
  request: WriteRequest,
  onDone: (done: number, total: number) => void,
): Promise<WrittenBackup> {
  const { target } = request;
  if (existsSync(target)) throw invalidInput('There is a file of this name already. Give the backup another name.');
  const accounts = readAccounts(request);
  const unfinished = unfinishedFolder(target);
  const path = join(unfinished, 'backup.zip');
  try {
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished, { mode: 0o700 });
    const written = await writeParts(request, accounts, { path, copy: join(unfinished, 'copy.db') }, onDone);
    await requireWhole(path);
    if (existsSync(target)) throw invalidInput('A file of this name appeared while the backup was written. Try again.');
    renameSync(path, target);
    syncFolder(dirname(target));
    return { ...written, file: target, bytes: statSync(target).size };
  } catch (error) {
    throw readable(error);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

async function writeParts(
  { folder, account, program, now }: WriteRequest,
  accounts: readonly (BackedUpAccount & { hasFile: boolean })[],
  { path, copy }: { path: string; copy: string },
  onDone: (done: number, total: number) => void,
): Promise<Pick<WrittenBackup, 'accounts' | 'left'>> {
  const libraries = accounts.filter(({ hasFile }) => hasFile).map(({ id }) => id);
  const databases = account === undefined ? ['control', ...libraries] : libraries;
  const left: WrittenBackup['left'] = [];
  const parts: string[] = [];
  const stored = { mtime: new Date(now), mode: 0o100600, compress: false };
  const zip = new ZipFile();
  // The stream that fails says so itself.
  zip.on('error', () => undefined);
  const stopped = new AbortController();
  const { signal } = stopped;
  const writing = pipeline(zip.outputStream as Readable, createWriteStream(path, { mode: 0o600, flush: true }), {
    signal,
  });
  writing.catch((error: unknown) => stopped.abort(error));
  try {
    for (const [index, part] of databases.entries()) {
      const reason = copyDatabase(join(folder, fileOf(part)), copy, part);
      if (reason === null) {
        const packed = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
        zip.addReadStream(packed, entryOf(part), stored);
        await pipeline(createReadStream(copy, { highWaterMark: 1 << 20 }), packed, { signal });
        parts.push(part);
      } else left.push({ part, reason });
      onDone(index + 1, databases.length);
    }
    const config = join(folder, fileOf('config'));
    if (account === undefined && existsSync(config)) {
      zip.addBuffer(readFileSync(config), entryOf('config'), stored);
      parts.push('config');
    }
    const info: BackupInfo = {
      format: backupFormat,
      program,
      createdAt: new Date(now).toISOString(),
      account: account ?? null,
      accounts: accounts.map(({ id, name, plan }) => ({ id, name, plan })),
      parts,
      schema: { control: presentVersion(controlSchema), account: presentVersion(accountSchema) },
    };
    zip.addBuffer(Buffer.from(`${JSON.stringify(info, null, 2)}\n`), infoName, stored);
    zip.end();
    await writing;
    return { accounts: parts.filter(isAccountId), left };
  } catch (error) {
    stopped.abort(error);
    // An aborted stream says that it was aborted, and not why.
    throw signal.reason;
  }
}

const damaged = 'it is damaged or missing: run `commonplace doctor --check`';
/** Why a library is left out, by the code of its error. Other errors may come from the target. */
const reasonsToLeave: readonly (readonly [codes: RegExp, reason: string])[] = [
  [/^SQLITE_(CORRUPT|NOTADB|CANTOPEN|IOERR_SHORT_READ)/, damaged],
  [/^SQLITE_IOERR_(READ|CORRUPTFS)/, 'the disk cannot read it: check the disk, then run `commonplace doctor --check`'],
  [/^SQLITE_(BUSY|LOCKED)/, 'another process held it for too long: back up again'],
];

/**
 * Copies a database and checks the copy.
 * @returns why a library could not be copied, which must not stop the backup of the others; null when it was copied
 */
function copyDatabase(from: string, to: string, part: string): string | null {
  rmSync(to, { force: true });
  try {
    createPrivately(to);
    const source = openForReading(from, 50 * lockTimeoutMs);
    try {
      source.prepare('VACUUM INTO ?').run(to);
    } finally {
      source.close();
    }
    if (isSound(to)) return null;
  } catch (error) {
    const code = error instanceof Database.SqliteError && part !== 'control' ? error.code : '';
    const [, reason] = reasonsToLeave.find(([codes]) => codes.test(code)) ?? [];
    if (reason === undefined) throw error;
    return reason;
  }
  if (part !== 'control') return damaged;
  throw unavailable('control.db is damaged. `commonplace doctor --check` says what can be done.');
}

async function requireWhole(path: string): Promise<void> {
  const backup = await BackupFile.open(path);
  try {
    for (const part of backup.info.parts)
      if (!(await backup.unpack(part)))
        throw unavailable(
          'The backup could not be read back as it was written. Check the disk that it was written to, and try again.',
        );
  } finally {
    backup.close();
  }
}

/** All accounts, or the one that was asked for. */
function readAccounts({ folder, account }: WriteRequest): (BackedUpAccount & { hasFile: boolean })[] {
  const path = join(folder, fileOf('control'));
  if (!existsSync(path))
    throw unavailable('Nothing has been saved in this data folder yet, so there is nothing to back up.');
  try {
    const db = openForReading(path, 50 * lockTimeoutMs);
    try {
      refusePreview(schemaVersion(db));
      const rows = db
        .prepare<[], BackedUpAccount & { fileMade: 0 | 1 }>(
          'SELECT id, name, plan, file_made AS fileMade FROM accounts WHERE removed_at IS NULL ORDER BY created_at, rowid',
        )
        .all();
      const wanted = account === undefined ? rows : rows.filter(({ id }) => id === account);
      if (account !== undefined && (wanted.length === 0 || !isAccountId(account)))
        throw notFound('There is no such account. `commonplace account list` shows them.');
      return wanted.map(({ fileMade, ...one }) => ({
        ...one,
        // A library that was made and is gone is reported, an account that has saved nothing yet has none.
        hasFile: fileMade === 1 || existsSync(join(folder, fileOf(one.id))),
      }));
    } finally {
      db.close();
    }
  } catch (error) {
    throw explained(error);
  }
}

function readable(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const code = codeOf(error);
  const refused = (kind: 'unavailable' | 'invalid_input', message: string) =>
    new AppError(kind, message, { cause: error });
  if (isOutOfRoom(error) || code === 'SQLITE_FULL')
    return refused('unavailable', 'There is too little room where the backup is written. Free some space.');
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return refused('invalid_input', 'There is no folder of this name to write the backup into.');
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return refused('invalid_input', 'You may not write there. Choose another place for the backup.');
  return explained(error);
}
