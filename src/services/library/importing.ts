import type { Writer } from '../../domain/records/change.ts';
import { pathToFileURL } from 'node:url';
import { type Clock, isoTime } from '../../domain/clock.ts';
import { noteScheme } from '../../domain/links/shown-address.ts';
import type {
  ImportBatch,
  ImportedAddress,
  ImportedFile,
  ImportedMail,
  ImportedText,
  ImportEntry,
} from '../../domain/records/transfers/import.ts';
import type { Resource } from '../../domain/records/resource.ts';
import { AppError, ProcessingError } from '../../errors.ts';
import type { RequestThread } from '../../requests/request-thread.ts';
import type { ImportContent, ImportedContent } from '../../store/records.ts';
import { createRecordImport, type EntryResult } from './importing-records.ts';
import type { Store, Stores } from '../../store/store.ts';
import { beginningOf } from '../../domain/text/shortened.ts';
import { open } from 'node:fs/promises';
import { csvRow } from '../../exporting/csv-row.ts';

export interface ImportResult extends EntryResult {
  /** The file of the export that it is in. */
  file: string;
  format: string;
}

export interface ImportRequest {
  /** Path of a file, a folder or a ZIP archive. */
  place: string;
  /** Given to every entry. */
  tags: readonly string[];
  /** Feeds are followed, and not saved as items. */
  follow?: boolean | undefined;
  /** The place is a file that a client sent: a note or a PDF is not saved by its path. */
  isUpload?: true;
  signal: AbortSignal;
  /** The next entries are read when its promise resolves. */
  onResults(results: ImportResult[], progress: { bytesRead: number; bytesTotal: number }): Promise<void>;
}

export interface ImportService {
  /**
   * Imports an export of another program. Every batch is one write: when the program is killed, the same import can be run again,
   * and existing records are unchanged. Nothing is fetched here.
   * @throws {AppError} `invalid_input` when the export cannot be read
   */
  import(writer: Writer, request: ImportRequest): Promise<void>;
}

interface ImportingParts {
  stores: Stores;
  clock: Clock;
  /** Reads an export, outside the main thread. */
  readExport(
    request: { place: string; now: number },
    signal: AbortSignal,
    onBatch: (batch: ImportBatch) => Promise<void>,
  ): Promise<void>;
  readFile(path: string): Promise<Resource>;
  /** The bytes of a file of an export of this program; null when it is not there. */
  readOriginal(folder: string, file: string): Promise<Uint8Array | null>;
  /** Makes the original of a note, outside the main thread. */
  makeOriginal: RequestThread['makeOriginal'];
  onQueued(): void;
}

export function createImportService({
  stores,
  clock,
  readExport,
  readFile,
  readOriginal,
  makeOriginal,
  onQueued,
}: ImportingParts): ImportService {
  const originalOf = async (entry: SavedEntry): Promise<Resource | null> => {
    const fetchedAt = isoTime(clock.now());
    const title = entry.title ?? undefined;
    if (entry.kind === 'address')
      return entry.page === undefined ? null : pageOf(entry.url, { title, ...entry.page }, fetchedAt);
    if (entry.kind === 'text') {
      const note = await makeOriginal(noteScheme, { title, text: entry.text }, fetchedAt);
      if (note === null) throw new Error('a note without a text has no original');
      // Its address is that of the book, which stays the same when more is marked in it.
      return { ...note, url: `${noteScheme}${entry.name}`, finalUrl: `${noteScheme}${entry.name}` };
    }
    if (entry.kind === 'mail') {
      const url = `${noteScheme}${entry.name}`;
      return { url, finalUrl: url, bytes: entry.bytes, declaredType: 'message/rfc822', fetchedAt };
    }
    const { path, bytes } = entry;
    const url = pathToFileURL(path).href;
    if (bytes === undefined) return { ...(await readFile(path)), url };
    const declaredType = /\.(?:md|markdown)$/i.test(path) ? 'text/markdown' : null;
    return { url, finalUrl: url, bytes, declaredType, fetchedAt };
  };
  const pageOf = (...asked: Parameters<typeof makeOriginal>): Promise<Resource | null> =>
    makeOriginal(...asked).catch((error: unknown) => {
      // A page that cannot be read is fetched.
      if (error instanceof AppError && error.code === 'invalid_input') return null;
      throw error;
    });
  return {
    async import(writer, { place, tags, follow, isUpload, signal, onResults }) {
      const store = await stores.open(writer);
      const records = createRecordImport(store, readOriginal);
      const followed =
        follow !== true ? null : new Set((await store.listSources('feed')).map(({ address }) => address));
      await readExport({ place, now: clock.now() }, signal, async (batch) => {
        signal.throwIfAborted();
        const given = isUpload === true ? batch.entries.map(withoutPath) : batch.entries;
        const tagged = given.map((entry) => withTags(entry, tags));
        const entries = followed === null ? tagged : tagged.filter((entry) => !isFeed(entry));
        const results = [
          ...(followed === null ? [] : await followFeeds(store, tagged.filter(isFeed), followed)),
          ...(await importItems(store, entries, originalOf)),
          ...(await records.import(entries)),
        ];
        results.push(...(await putIntoLists(store, entries, results)));
        onQueued();
        const { file, format, bytesRead, bytesTotal } = batch;
        const inOrder = results.toSorted((a, b) => a.line - b.line);
        await onResults(
          inOrder.map((result) => ({ file, format, ...result })),
          { bytesRead, bytesTotal },
        );
      });
      await records.finish();
    },
  };
}

/** Of the tags of a source, and characters of its name. */
const maxOfSource = { tags: 20, name: 200 };
const canBeFollowed =
  'it is a feed, and is saved as an item: import the file with `follow` (`commonplace import --follow`) to follow it';

const isFeed = (entry: ImportEntry): entry is ImportedAddress => entry.kind === 'address' && entry.isFeed === true;

/** Follows feeds. One that is followed already stays as it is. */
async function followFeeds(
  store: Store,
  feeds: readonly ImportedAddress[],
  followed: Set<string>,
): Promise<EntryResult[]> {
  const results: EntryResult[] = [];
  for (const { line, url: address, title, tags, shortened } of feeds) {
    const add = (outcome: EntryResult['outcome'], reason: string, id: string | null = null) =>
      results.push({ line, what: address, title, outcome, reason, id });
    if (followed.has(address)) {
      add('skipped', 'it is followed already');
      continue;
    }
    try {
      // A source that is named by its address gets the title of its feed.
      const name = beginningOf(title ?? address, maxOfSource.name);
      const own = tags.filter((tag) => tag !== 'feed').slice(0, maxOfSource.tags);
      const { id } = await store.addSource({ kind: 'feed', address, name, options: { tags: own } });
      followed.add(address);
      add('taken', shortened.join('; '), id);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'invalid_input') throw error;
      add('failed', error.message);
    }
  }
  return results;
}

/** Puts entries into the lists that they were in elsewhere. @returns lists for which there is no room */
async function putIntoLists(
  store: Store,
  entries: readonly ImportEntry[],
  results: readonly EntryResult[],
): Promise<EntryResult[]> {
  const ids = new Map(results.map(({ line, id }) => [line, id]));
  const items = new Map<string, string[]>();
  for (const entry of entries)
    for (const name of 'lists' in entry && entry.kind !== 'lists' ? (entry.lists ?? []) : []) {
      const some = items.get(name) ?? [];
      some.push(ids.get(entry.line) ?? '');
      items.set(name, some);
    }
  const failed: EntryResult[] = [];
  for (const [name, contentIds] of items)
    try {
      await store.addToList((await store.addList({ name })).id, contentIds);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'invalid_input') throw error;
      failed.push({ line: 1, what: name, title: name, outcome: 'failed', reason: error.message, id: null });
    }
  return failed;
}

function withoutPath(entry: ImportEntry): ImportEntry {
  if (entry.kind !== 'file') return entry;
  const reason = 'it is a single note or PDF, and no export: save it as an item';
  return { kind: 'refusal', line: entry.line, what: entry.title ?? '', outcome: 'failed', reason };
}

function withTags(entry: ImportEntry, tags: readonly string[]): ImportEntry {
  if (entry.kind === 'refusal' || entry.kind === 'goals' || entry.kind === 'lists') return entry;
  if (entry.kind === 'sources' || entry.kind === 'history') return entry;
  if (tags.length === 0) return entry;
  if (entry.kind === 'record')
    return { ...entry, item: { ...entry.item, tags: [...new Set([...entry.item.tags, ...tags])] } };
  return { ...entry, tags: [...tags, ...entry.tags] };
}

type SavedEntry = ImportedAddress | ImportedFile | ImportedText | ImportedMail;

/** Addresses and mails first, so that an error at a file loses none; then files and texts one by one, for their memory. */
async function importItems(
  store: Store,
  entries: readonly ImportEntry[],
  originalOf: (entry: SavedEntry) => Promise<Resource | null>,
): Promise<EntryResult[]> {
  const results: EntryResult[] = [];
  const save = async (items: readonly { entry: SavedEntry; content: ImportContent }[]): Promise<void> => {
    const saved = items.length === 0 ? [] : await store.importContent(items.map(({ content }) => content));
    for (const [at, one] of saved.entries()) {
      const { entry, content } = items[at] ?? {};
      if (entry !== undefined) results.push(resultOf(entry, content?.url ?? '', one));
    }
  };
  const withContent = async (entry: SavedEntry) => ({ entry, content: contentOf(entry, await originalOf(entry)) });
  const together: { entry: SavedEntry; content: ImportContent }[] = [];
  for (const entry of entries)
    if (entry.kind === 'address' || entry.kind === 'mail') together.push(await withContent(entry));
  await save(together);
  for (const entry of entries) {
    if (entry.kind === 'refusal') {
      const { line, what, outcome, reason } = entry;
      results.push({ line, what, title: null, outcome, reason, id: null });
    }
    if (entry.kind !== 'file' && entry.kind !== 'text') continue;
    try {
      await save([await withContent(entry)]);
    } catch (error) {
      if (!(error instanceof ProcessingError) || entry.kind !== 'file') throw error;
      const { line, title, path } = entry;
      const what = pathToFileURL(path).href;
      results.push({ line, what, title, id: null, outcome: 'failed', reason: error.message });
    }
  }
  return results;
}

function contentOf(entry: SavedEntry, original: Resource | null): ImportContent {
  const { tags, notes, createdAt, state, highlights } = entry;
  // A mail's title comes from the mail, not from a person.
  const isMail = entry.kind === 'mail';
  const [title, known] = isMail ? [null, { known: { title: entry.title } }] : [entry.title, {}];
  const { url, canonicalUrl } = entry.kind === 'address' ? entry : { url: original?.url ?? '', canonicalUrl: '' };
  const said = { title, tags, notes, createdAt, state, highlights, ...(original !== null && { original }), ...known };
  return { url, canonicalUrl: canonicalUrl || url, ...said };
}

const unchanged = 'it is in the library already, with all of this';
const deleted = 'it was deleted here, and stays in the trash';

function resultOf(entry: SavedEntry, url: string, { id, outcome, leftOut }: ImportedContent): EntryResult {
  const { line, title, shortened, kind } = entry;
  const about = { line, what: kind === 'text' || kind === 'mail' ? (title ?? '') : url, title, id };
  const said = [...(isFeed(entry) ? [canBeFollowed] : []), ...shortened, ...leftOut.map((what) => `left out: ${what}`)];
  if (outcome === 'deleted') return { ...about, outcome: 'skipped', reason: deleted };
  if (outcome === 'unchanged') return { ...about, outcome: 'skipped', reason: [unchanged, ...said].join('; ') };
  return { ...about, outcome, reason: said.join('; ') };
}

export interface ImportReport {
  path: string;
  add(results: readonly ImportResult[]): Promise<void>;
  close(): Promise<void>;
}

const columns = ['file', 'line', 'outcome', 'reason', 'address', 'title', 'id'];

/** Begins a CSV report. @throws {Error} of the file system, also when there is a file already */
export async function openImportReport(path: string): Promise<ImportReport> {
  const file = await open(path, 'wx', 0o600);
  await file.writeFile(csvRow(columns));
  return {
    path,
    async add(results) {
      const rows = results.map(({ file: source, line, outcome, reason, what, title, id }) =>
        csvRow([source, String(line), outcome, reason, what, title ?? '', id ?? '']),
      );
      await file.writeFile(rows.join(''));
    },
    close: () => file.close(),
  };
}
