import { createHash } from 'node:crypto';
import { closeSync, createReadStream, createWriteStream, fstatSync, openSync, readSync } from 'node:fs';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { z } from 'zod';
import { AppError } from '../../../errors.ts';
import { isAccountId } from '../files/account-files.ts';
import {
  accountPart,
  backupFormat,
  type BackupInfo,
  type BackupPart,
  controlPart,
  entryOf,
  infoName,
  partOf,
  sumsName,
} from './backup-format.ts';
import { readTar } from './tar.ts';

export interface CheckedPart extends BackupPart {
  isWhole: boolean;
}

export interface CheckedBackup {
  /** Null when the description is damaged or missing. */
  info: BackupInfo | null;
  parts: CheckedPart[];
  /** Every part that belongs to it is there and whole. */
  isComplete: boolean;
}

const info = z.object({
  format: z.int().positive(),
  program: z.string().max(100),
  createdAt: z.iso.datetime(),
  account: z.string().max(100).nullable(),
  accounts: z
    .array(z.object({ id: z.string().refine(isAccountId), name: z.string().max(1_000), plan: z.enum(['free', 'pro']) }))
    .max(1_000_000),
  schema: z.object({ control: z.int(), account: z.int() }),
});

/** The description and the checksums are short, whatever the backup holds. */
const maxTextBytes = 200_000_000;

/** An open backup. Close it. */
export class BackupFile {
  readonly info: BackupInfo | null;
  readonly parts: readonly BackupPart[];
  /** Whether the container is whole, from its first byte to its end mark. */
  readonly isIntact: boolean;
  readonly #file: number;
  readonly #path: string;
  readonly #entries: ReadonlyMap<string, { offset: number; size: number }>;
  readonly #sums: ReadonlyMap<string, string>;

  /**
   * @throws {AppError} `invalid_input` when the file is not a backup, `newer_data` when a newer program has written it
   */
  constructor(path: string) {
    this.#path = path;
    this.#file = openBackup(path);
    try {
      const { size } = fstatSync(this.#file);
      const { entries, isDamaged } = readTar(this.#file, size);
      this.#entries = new Map(entries.map((entry) => [entry.name, entry]));
      this.parts = entries.flatMap(({ name }) => partOf(name, isAccountId) ?? []);
      const text = this.#text(infoName);
      if (text === null && this.parts.length === 0) throw notABackup();
      const read = parseInfo(text);
      this.#sums = parseSums(this.#text(sumsName) ?? '');
      const sum = createHash('sha256')
        .update(text ?? '')
        .digest('hex');
      this.info = this.#sums.size > 0 && this.#sums.get(infoName) !== sum ? null : read;
      this.isIntact = !isDamaged && this.#sums.size > 0;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Whether the checksums name the part: a backup that was cut off has none. */
  isListed(part: BackupPart): boolean {
    return this.#sums.has(entryOf(part));
  }

  /**
   * Unpacks a part and compares it with its checksums. False when it is missing or damaged.
   * @param to where to write it; absent: nowhere
   */
  async unpack(part: BackupPart, to?: string): Promise<boolean> {
    const entry = this.#entries.get(entryOf(part));
    if (entry === undefined) return false;
    const [packed, whole] = [createHash('sha256'), createHash('sha256')];
    const through = (hash: typeof whole) =>
      async function* (bytes: AsyncIterable<Uint8Array>) {
        for await (const chunk of bytes) {
          hash.update(chunk);
          yield chunk;
        }
      };
    const target =
      to === undefined
        ? new Writable({ write: (_chunk, _encoding, done) => done() })
        : createWriteStream(to, { mode: 0o600, flags: 'wx', flush: true });
    const source = createReadStream(this.#path, {
      start: entry.offset,
      // `end` is inclusive, and an empty range cannot be given.
      end: Math.max(entry.offset + entry.size - 1, entry.offset),
      highWaterMark: 1 << 20,
    });
    try {
      if (part.part === 'config') await pipeline(source, through(packed), target);
      else await pipeline(source, through(packed), createZstdDecompress(), through(whole), target);
    } catch (error) {
      if (error instanceof Error && 'code' in error && String(error.code).startsWith('ZSTD_')) return false;
      throw error;
    }
    const expected = this.#sums.get(entryOf(part));
    // Without the checksums at the end, the checksum of the compression alone says whether the part is whole.
    if (expected === undefined) return part.part !== 'config' && this.#sums.size === 0;
    return (
      expected === packed.digest('hex') && (part.part === 'config' || this.#sums.get(part.file) === whole.digest('hex'))
    );
  }

  /** Checks every part. Parts that the description or the checksums name and that are not there count as damaged. */
  async check(onPart: (done: number, total: number) => void = () => {}): Promise<CheckedBackup> {
    const named = [...this.#sums.keys()].flatMap((name) => partOf(name, isAccountId) ?? []);
    const all = new Map([...this.parts, ...named].map((part) => [part.part, part]));
    if (this.info?.account === null && !all.has('control')) all.set('control', controlPart);
    if (this.info !== null && this.info.account !== null && !all.has(this.info.account))
      all.set(this.info.account, accountPart(this.info.account));
    const parts: CheckedPart[] = [];
    for (const part of all.values()) {
      parts.push({ ...part, isWhole: await this.unpack(part) });
      onPart(parts.length, all.size);
    }
    const isComplete = this.isIntact && this.info !== null && parts.every(({ isWhole }) => isWhole);
    return { info: this.info, parts, isComplete };
  }

  close(): void {
    closeSync(this.#file);
  }

  /** The text of a small entry; null when there is none. */
  #text(name: string): string | null {
    const entry = this.#entries.get(name);
    if (entry === undefined || entry.size > maxTextBytes) return null;
    const bytes = Buffer.alloc(entry.size);
    readSync(this.#file, bytes, 0, entry.size, entry.offset);
    return bytes.toString('utf8');
  }
}

export async function checkBackup(path: string): Promise<CheckedBackup> {
  const backup = new BackupFile(path);
  try {
    return await backup.check();
  } finally {
    backup.close();
  }
}

function openBackup(path: string): number {
  try {
    const file = openSync(path, 'r');
    if (fstatSync(file).isFile()) return file;
    closeSync(file);
  } catch (error) {
    throw new AppError('invalid_input', 'The backup cannot be opened. Check its name and its permissions.', {
      cause: error,
    });
  }
  throw notABackup();
}

function notABackup(): AppError {
  return new AppError('invalid_input', 'This file is not a backup that `commonplace backup` has written.');
}

function parseInfo(text: string | null): BackupInfo | null {
  let given: unknown;
  try {
    given = JSON.parse(text ?? '');
  } catch {
    // A damaged description: the parts can still be read.
    return null;
  }
  const format = z.object({ format: z.int() }).safeParse(given).data?.format;
  if (format !== undefined && format > backupFormat)
    throw new AppError('newer_data', 'A newer version of Commonplace has written this backup. Update this one first.');
  return info.safeParse(given).data ?? null;
}

/** The lines of `sha256sum`: 64 digits, two spaces, a name. */
function parseSums(text: string): Map<string, string> {
  const lines = text.split('\n').filter((line) => line.length > 66);
  return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
}
