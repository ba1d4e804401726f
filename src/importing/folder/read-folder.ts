import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  type Fingerprint,
  type FolderBatch,
  type FolderFile,
  goneMark,
  keyOfFile,
  parseFingerprint,
  type ReadFolder,
  writeFingerprint,
} from '../../domain/records/sources/folder.ts';
import { itemIdOf } from '../../domain/records/transfers/export-files.ts';
import { readNoteHead } from '../formats/notes-markdown.ts';
import { toEntry } from '../raw-entry.ts';
import { decodeHead } from '../reading/text-chunks.ts';
import { type ListedFile, type Listing, listFolder, stateOf } from './list-folder.ts';
import { linksOf, type NotePlaces, placesOf } from './note-links.ts';

/** One write of the library, in which its calls wait where it is in the main thread. */
const maxBatch = 50;
const maxBatchBytes = 4_000_000;
const isMarkdown = /\.(?:md|markdown|mdown|mkd)$/i;
const headBytes = 65_536;

interface Known extends Fingerprint {
  key: string;
  /** Inside the folder; null when it is outside. */
  path: string | null;
  identity: string;
}

export function* readFolder({ folder, known, maxBytes, now }: ReadFolder): Generator<FolderBatch> {
  let listing: Listing;
  try {
    const looking = listFolder(folder, now);
    let step = looking.next();
    for (; step.done !== true; step = looking.next()) yield { kind: 'looked', folders: null };
    listing = step.value;
  } catch {
    return yield { kind: 'absent' };
  }
  const { files, folders, unread } = listing;
  yield { kind: 'looked', folders };
  const byKey = new Map(known.map((one) => [one.key, one]));
  const present = new Set(files.map(({ path }) => keyOfFile(path)));
  const missing = new MissingFiles(
    known.flatMap((one) => (present.has(one.key) ? [] : knownFile(folder, one))),
    unread,
  );
  const changed = files.filter(({ path, state, size }) => {
    const before = byKey.get(keyOfFile(path));
    // A purged item is not brought back. An empty file is about to be written.
    if (size === 0 || (before !== undefined && before.fingerprint === null)) return false;
    return before?.fingerprint?.startsWith(`${state}\n`) !== true || state.endsWith(' fresh');
  });
  const places = placesOf(files.map(({ path }) => path));
  let batch: FolderFile[] = [];
  let bytes = 0;
  for (const [at, file] of changed.entries()) {
    const before = byKey.get(keyOfFile(file.path));
    const read = readFile(folder, file, maxBytes, now);
    const was = before === undefined ? missing.take(file, read) : knownFile(folder, before)[0];
    // One that was moved and cannot be read now is taken up when it can.
    const isUnreadMove = 'left' in read && was?.key !== before?.key;
    batch.push(folderFile(folder, file, read, isUnreadMove ? undefined : was, places, now));
    bytes += 'bytes' in read ? read.bytes.length : 0;
    if (batch.length < maxBatch && bytes < maxBatchBytes && at < changed.length - 1) continue;
    yield { kind: 'files', files: batch, done: at + 1, total: changed.length };
    [batch, bytes] = [[], 0];
  }
  yield { kind: 'end', gone: missing.rest(), present: files.length };
}

function knownFile(folder: string, { key, address, fingerprint }: ReadFolder['known'][number]): Known[] {
  if (fingerprint === null) return [];
  const parsed = parseFingerprint(fingerprint);
  return [{ ...parsed, key, path: pathInside(folder, address), identity: parsed.state.split(' ')[2] ?? '' }];
}

function pathInside(folder: string, address: string | null): string | null {
  if (address?.startsWith(`${pathToFileURL(folder).href}/`) !== true) return null;
  try {
    return fileURLToPath(address)
      .slice(folder.length + 1)
      .replaceAll('\\', '/');
  } catch {
    // An import may have brought an address that is none.
    return null;
  }
}

/** Known files that are not where they were. Each may turn up at one other place. */
class MissingFiles {
  readonly #left: Set<Known>;
  readonly #unread: readonly string[];
  readonly #byIdentity: Map<string, Known[]>;
  readonly #byHash: Map<string, Known[]>;
  readonly #byPath: Map<string, Known[]>;

  constructor(missing: readonly Known[], unread: readonly string[]) {
    const grouped = (by: (one: Known) => string | null): Map<string, Known[]> =>
      Map.groupBy(missing, (one) => by(one) ?? '');
    this.#left = new Set(missing);
    this.#unread = unread;
    this.#byIdentity = grouped(({ identity }) => identity);
    this.#byHash = grouped(({ hash }) => hash);
    this.#byPath = grouped(({ path }) => path?.normalize('NFC').toLowerCase() ?? null);
  }

  /** The file that this new one was: the same one under another name, another spelling of its name, or the same bytes. */
  take({ path, identity }: ListedFile, read: ReadResult): Known | undefined {
    const free = (some: readonly Known[] = []): Known[] => some.filter((one) => this.#left.has(one));
    const name = posix.basename(path);
    const alike = 'bytes' in read ? free(this.#byHash.get(read.hash)) : [];
    const was =
      free(this.#byIdentity.get(identity))[0] ??
      free(this.#byPath.get(path.normalize('NFC').toLowerCase()))[0] ??
      alike.find((one) => posix.basename(one.path ?? '') === name) ??
      alike[0];
    if (was !== undefined) this.#left.delete(was);
    return was;
  }

  rest(): string[] {
    const isHidden = ({ path }: Known): boolean =>
      path !== null && this.#unread.some((folder) => folder === '' || path.startsWith(folder));
    return [...this.#left].flatMap((one) => (isHidden(one) || one.key.startsWith(goneMark) ? [] : one.key));
  }
}

type ReadResult = { bytes: Uint8Array; hash: string; state: string } | { left: string; state: string };

/** Reads a whole file. One that is written meanwhile is read again by the next check, since its state is another one then. */
function readFile(folder: string, { path }: ListedFile, maxBytes: number, now: number): ReadResult {
  let file: number | undefined;
  try {
    const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
    file = openSync(join(folder, path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const stats = fstatSync(file);
    if (!stats.isFile()) return { left: 'it is no file any more', state: '' };
    const chunks: Buffer[] = [];
    let length = 0;
    for (;;) {
      if (length > maxBytes)
        return { left: `it is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB`, state: stateOf(stats, now).state };
      const chunk = Buffer.alloc(Math.min(Math.max(stats.size - length, 0) + 1, 1 << 20));
      const count = readSync(file, chunk);
      if (count === 0) break;
      chunks.push(chunk.subarray(0, count));
      length += count;
    }
    const bytes = Buffer.concat(chunks, length);
    if (stateOf(fstatSync(file), now).state !== stateOf(stats, now).state)
      return { left: 'it is being written', state: '' };
    return { bytes, hash: createHash('sha256').update(bytes).digest('hex'), state: stateOf(stats, now).state };
  } catch {
    // Permissions change without a trace in its state: it is tried again.
    return { left: 'it cannot be read', state: '' };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function folderFile(
  folder: string,
  { path }: ListedFile,
  read: ReadResult,
  was: Known | undefined,
  places: NotePlaces,
  now: number,
): FolderFile {
  const place = join(folder, path);
  const key = keyOfFile(path);
  const about = {
    key,
    path,
    address: pathToFileURL(place).href,
    from: was?.key ?? null,
    tagsBefore: was?.tags ?? [],
    entry: null,
    left: null,
  };
  const unchanged = { hash: was?.hash ?? '-', tags: was?.tags ?? [], links: was?.links ?? [] };
  if ('left' in read)
    return { ...about, left: read.left, fingerprint: writeFingerprint({ ...unchanged, state: read.state }) };
  const { bytes, hash, state } = read;
  if (was?.key === key && was.hash === hash)
    return { ...about, fingerprint: writeFingerprint({ ...unchanged, state }) };
  const isNote = isMarkdown.test(path);
  const head = isNote ? decodeHead(bytes.subarray(0, headBytes)) : '';
  if (isNote && itemIdOf(head) !== null)
    return { ...about, left: 'the export writes it', fingerprint: writeFingerprint({ ...unchanged, hash, state }) };
  const { title, ...said } = readNoteHead(head, path);
  const modified = Number(state.split(' ')[1]);
  const raw = { ...said, ...(isNote && { title }), date: said.date ?? modified, path: place, bytes };
  const entry = toEntry(raw, 1, now, { fields: new Set(), texts: new Map() });
  if (entry.kind !== 'file') throw new Error('a file became another kind of entry');
  const links = isNote ? linksOf(Buffer.from(bytes).toString('utf8'), path, places).map(keyOfFile) : [];
  return {
    ...about,
    entry: { ...entry, bytes },
    fingerprint: writeFingerprint({ state, hash, tags: entry.tags, links }),
  };
}
