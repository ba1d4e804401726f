import { createHash, type Hash } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import Database from 'better-sqlite3';
import { isOutOfRoom } from '../../../domain/machine-limits.ts';
import { AppError } from '../../../errors.ts';
import { isAccountId } from '../files/account-files.ts';
import { lockTimeoutMs } from '../files/busy.ts';
import { presentVersion, refusePreview, schemaVersion } from '../files/migrate.ts';
import { createPrivately, openForReading } from '../files/open-database.ts';
import { explained } from '../files/sqlite-errors.ts';
import { accountSchema, controlSchema } from '../schema.ts';
import {
  accountPart,
  type BackedUpAccount,
  backupFormat,
  type BackupInfo,
  type BackupPart,
  configPart,
  controlPart,
  entryOf,
  infoName,
  sumsName,
} from './backup-format.ts';
import { checkBackup } from './read-backup.ts';
import { syncFolder } from './sync-folder.ts';
import { TarWriter } from './tar.ts';
import { unfinishedFiles } from './unfinished-files.ts';

export interface WriteRequest {
  /** The data folder. */
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
  /** The accounts in it. */
  accounts: string[];
  /** What could not be copied. The backup holds everything else. */
  left: { part: string; reason: string }[];
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
  if (existsSync(target))
    throw new AppError('invalid_input', 'There is a file of this name already. Give the backup another name.');
  const accounts = readAccounts(request);
  const unfinished = unfinishedFiles(target);
  const [part, copy] = unfinished;
  try {
    rmSync(part, { force: true });
    const written = await writeParts(request, accounts, { part, copy }, onDone);
    await requireWhole(part);
    if (existsSync(target))
      throw new AppError('invalid_input', 'A file of this name appeared while the backup was written. Try again.');
    renameSync(part, target);
    syncFolder(dirname(target));
    return { ...written, file: target, bytes: statSync(target).size };
  } catch (error) {
    throw readable(error);
  } finally {
    for (const path of unfinished) rmSync(path, { force: true });
  }
}

async function writeParts(
  { folder, account, program, now }: WriteRequest,
  accounts: readonly (BackedUpAccount & { hasFile: boolean })[],
  paths: { part: string; copy: string },
  onDone: (done: number, total: number) => void,
): Promise<Pick<WrittenBackup, 'accounts' | 'left'>> {
  const info: BackupInfo = {
    format: backupFormat,
    program,
    createdAt: new Date(now).toISOString(),
    account: account ?? null,
    accounts: accounts.map(({ id, name, plan }) => ({ id, name, plan })),
    schema: { control: presentVersion(controlSchema), account: presentVersion(accountSchema) },
  };
  const libraries = accounts.filter(({ hasFile }) => hasFile).map(({ id }) => accountPart(id));
  const parts = account === undefined ? [controlPart, ...libraries] : libraries;
  const left: WrittenBackup['left'] = [];
  const file = openSync(paths.part, 'wx', 0o600);
  try {
    const tar = new TarWriter(file, now);
    const sums = new Map<string, Hash>();
    await tar.add(infoName, hashed([Buffer.from(`${JSON.stringify(info, null, 2)}\n`)], sums, infoName));
    onDone(0, parts.length);
    for (const [index, part] of parts.entries()) {
      const reason = await addDatabase(tar, sums, join(folder, part.file), part, paths.copy);
      if (reason !== null) left.push({ part: part.part, reason });
      onDone(index + 1, parts.length);
    }
    if (account === undefined) await addConfig(tar, sums, folder);
    const lines = [...sums].map(([name, hash]) => `${hash.digest('hex')}  ${name}\n`);
    await tar.add(sumsName, [Buffer.from(lines.join(''))]);
    tar.finish();
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  const missing = new Set(left.map(({ part }) => part));
  return { accounts: libraries.map(({ part }) => part).filter((id) => !missing.has(id)), left };
}

/** Copies, checks and compresses one database. Returns why it was left out, or null. */
async function addDatabase(
  tar: TarWriter,
  sums: Map<string, Hash>,
  source: string,
  part: BackupPart,
  copy: string,
): Promise<string | null> {
  try {
    copyDatabase(source, copy);
  } catch (error) {
    // Of one account's damage the others must not suffer. Without control.db, and on a full disk, there is no backup.
    if (part === controlPart || !isDamage(error)) throw error;
    return 'it is damaged or missing: run `commonplace doctor --check`';
  }
  await pipeline(
    createReadStream(copy, { highWaterMark: 1 << 20 }),
    (bytes: AsyncIterable<Uint8Array>) => hashed(bytes, sums, part.file),
    createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
    (bytes: AsyncIterable<Uint8Array>) => tar.add(entryOf(part), hashed(bytes, sums, entryOf(part))),
  );
  rmSync(copy);
  return null;
}

async function* hashed(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  sums: Map<string, Hash>,
  name: string,
): AsyncIterable<Uint8Array> {
  const hash = createHash('sha256');
  sums.set(name, hash);
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
}

function copyDatabase(from: string, to: string): void {
  rmSync(to, { force: true });
  createPrivately(to);
  const source = openForReading(from, 50 * lockTimeoutMs);
  try {
    source.prepare('VACUUM INTO ?').run(to);
  } finally {
    source.close();
  }
  const copy = new Database(to, { readonly: true, fileMustExist: true });
  try {
    if (copy.pragma('integrity_check(1)', { simple: true }) !== 'ok') throw new DamagedDatabaseError();
  } finally {
    copy.close();
  }
}

class DamagedDatabaseError extends Error {}

function isDamage(error: unknown): boolean {
  if (error instanceof DamagedDatabaseError) return true;
  return error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB|CANTOPEN|IOERR_SHORT_READ)/.test(error.code);
}

async function addConfig(tar: TarWriter, sums: Map<string, Hash>, folder: string): Promise<void> {
  const path = join(folder, configPart.file);
  if (!existsSync(path)) return;
  await tar.add(entryOf(configPart), hashed([readFileSync(path)], sums, entryOf(configPart)));
}

async function requireWhole(path: string): Promise<void> {
  const { isComplete } = await checkBackup(path);
  if (!isComplete)
    throw new AppError(
      'unavailable',
      'The backup could not be read back as it was written. Check the disk that it was written to, and try again.',
    );
}

/** All accounts, or the one that was asked for. */
function readAccounts({ folder, account }: WriteRequest): (BackedUpAccount & { hasFile: boolean })[] {
  const path = join(folder, controlPart.file);
  if (!existsSync(path))
    throw new AppError(
      'unavailable',
      'Nothing has been saved in this data folder yet, so there is nothing to back up.',
    );
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
        throw new AppError('not_found', 'There is no such account. `commonplace account list` shows them.');
      return wanted.map(({ fileMade, ...one }) => ({
        ...one,
        // A library that was made and is gone is reported, an account that has saved nothing yet has none.
        hasFile: fileMade === 1 || existsSync(join(folder, accountPart(one.id).file)),
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
  if (error instanceof DamagedDatabaseError)
    return new AppError('unavailable', 'control.db is damaged. `commonplace doctor --check` says what can be done.');
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (isOutOfRoom(error) || code === 'SQLITE_FULL')
    return new AppError('unavailable', 'There is too little room where the backup is written. Free some space.', {
      cause: error,
    });
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new AppError('invalid_input', 'There is no folder of this name to write the backup into.', { cause: error });
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new AppError('invalid_input', 'You may not write there. Choose another place for the backup.', {
      cause: error,
    });
  return explained(error);
}
