import type { Writer } from '../../domain/records/change.ts';
import { pathToFileURL } from 'node:url';
import type { Clock } from '../../domain/clock.ts';
import type { ImportBatch, ImportEntry, ImportedAddress, ImportedFile } from '../../domain/records/import.ts';
import type { Resource } from '../../domain/records/resource.ts';
import { ProcessingError } from '../../errors.ts';
import type { ImportContent, ImportedContent } from '../../store/records.ts';
import type { Store, Stores } from '../../store/store.ts';

/** What became of one entry of an export. */
export interface ImportResult {
  /** The file of the export that it is in. */
  file: string;
  format: string;
  line: number;
  /** The address, or what else names it. */
  what: string;
  title: string | null;
  outcome: 'taken' | 'merged' | 'skipped' | 'failed';
  /** Why it was skipped or failed, or what was left out; empty when there is nothing to say. */
  reason: string;
  id: string | null;
}

export interface ImportRequest {
  /** Path of a file, a folder or a ZIP archive. */
  place: string;
  /** Given to every entry. */
  tags: readonly string[];
  signal: AbortSignal;
  /** The next entries are read when its promise resolves. */
  onResults(results: ImportResult[], progress: { bytesRead: number; bytesTotal: number }): Promise<void>;
}

export interface ImportService {
  /**
   * Imports an export of another program. Every batch is one write: when the program is killed, the same import can be
   * run again, and what is there already stays as it is. Nothing is fetched here.
   * @throws {AppError} `invalid_input` when the export cannot be read
   */
  import(writer: Writer, request: ImportRequest): Promise<void>;
}

interface Parts {
  stores: Stores;
  clock: Clock;
  /** Reads an export, outside the main thread. */
  readExport(
    request: { place: string; now: number },
    signal: AbortSignal,
    onBatch: (batch: ImportBatch) => Promise<void>,
  ): Promise<void>;
  readFile(path: string): Promise<Resource>;
  /** Called after something was queued. */
  onQueued(): void;
}

export function createImportService({ stores, clock, readExport, readFile, onQueued }: Parts): ImportService {
  return {
    async import(writer, { place, tags, signal, onResults }) {
      const store = await stores.open(writer);
      await readExport({ place, now: clock.now() }, signal, async (batch) => {
        signal.throwIfAborted();
        const entries = batch.entries.map((entry) => withTags(entry, tags));
        const results = [...(await importAddresses(store, entries)), ...(await importFiles(store, entries, readFile))];
        onQueued();
        const { file, format, bytesRead, bytesTotal } = batch;
        const inOrder = results.toSorted((a, b) => a.line - b.line);
        await onResults(
          inOrder.map((result) => ({ file, format, ...result })),
          { bytesRead, bytesTotal },
        );
      });
    },
  };
}

type EntryResult = Omit<ImportResult, 'file' | 'format'>;

function withTags(entry: ImportEntry, tags: readonly string[]): ImportEntry {
  return entry.kind === 'refusal' ? entry : { ...entry, tags: [...tags, ...entry.tags] };
}

async function importAddresses(store: Store, entries: readonly ImportEntry[]): Promise<EntryResult[]> {
  const addresses = entries.filter((entry) => entry.kind === 'address');
  const saved = addresses.length === 0 ? [] : await store.importContent(addresses.map(contentOf));
  const refused = entries.flatMap((entry): EntryResult[] =>
    entry.kind === 'refusal'
      ? [{ line: entry.line, what: entry.what, title: null, outcome: entry.outcome, reason: entry.reason, id: null }]
      : [],
  );
  return [...addresses.flatMap((entry, at) => resultOf(entry, entry.url, saved[at]) ?? []), ...refused];
}

/** Files one by one: their bytes are in memory. */
async function importFiles(
  store: Store,
  entries: readonly ImportEntry[],
  readFile: (path: string) => Promise<Resource>,
): Promise<EntryResult[]> {
  const results: EntryResult[] = [];
  for (const entry of entries) {
    if (entry.kind !== 'file') continue;
    const url = pathToFileURL(entry.path).href;
    try {
      const original = { ...(await readFile(entry.path)), url };
      const [saved] = await store.importContent([{ ...contentOf({ ...entry, url, canonicalUrl: url }), original }]);
      results.push(...(resultOf(entry, url, saved) ?? []));
    } catch (error) {
      if (!(error instanceof ProcessingError)) throw error;
      const about = { line: entry.line, what: url, title: entry.title, id: null };
      results.push({ ...about, outcome: 'failed', reason: error.message });
    }
  }
  return results;
}

function contentOf(
  entry: Pick<ImportedAddress, 'url' | 'canonicalUrl' | 'title' | 'tags' | 'notes' | 'createdAt'>,
): ImportContent {
  const { url, canonicalUrl, title, tags, notes, createdAt } = entry;
  return { url, canonicalUrl, title, tags, notes, createdAt };
}

const unchanged = 'it is in the library already, with all of this';
const deleted = 'it was deleted here, and stays in the trash';

function resultOf(
  entry: ImportedAddress | ImportedFile,
  url: string,
  saved: ImportedContent | undefined,
): EntryResult[] | null {
  if (saved === undefined) return null;
  const { line, title } = entry;
  const about = { line, what: url, title, id: saved.id };
  const leftOut = [...entry.shortened, ...saved.leftOut.map((what) => `left out: ${what}`)];
  if (saved.outcome === 'unchanged')
    return [{ ...about, outcome: 'skipped', reason: [unchanged, ...leftOut].join('; ') }];
  if (saved.outcome === 'deleted') return [{ ...about, outcome: 'skipped', reason: deleted }];
  return [{ ...about, outcome: saved.outcome, reason: leftOut.join('; ') }];
}
