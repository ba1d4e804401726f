import { join } from 'node:path';
import type { ImportBatch, ImportEntry } from '../domain/records/transfers/import.ts';
import { exportFiles } from '../domain/records/transfers/export-files.ts';
import { invalidInput } from '../errors.ts';
import { readBookmarks, readOpml } from './formats/bookmarks-and-feeds.ts';
import { readEvernote } from './formats/evernote-notes.ts';
import { readMailbox } from './formats/mailbox.ts';
import { readClippings } from './formats/kindle-clippings.ts';
import { isOldVersion, readNoteHead } from './formats/notes-markdown.ts';
import { readUrlList } from './formats/url-list.ts';
import { readHistoryPage } from './formats/youtube-history.ts';
import { notRecognised, type RawEntry, toEntry } from './raw-entry.ts';
import { readCsv } from './formats/csv-formats.ts';
import { elementsOfFile, readJson } from './formats/json-formats.ts';
import { isOwnExport, readOwnExport } from './own-export.ts';
import { csvRows, separatorOf } from './reading/csv-rows.ts';
import { type ForeignFile, nameOf, type FileEnding, headOf } from './reading/export-files.ts';
import { htmlTags } from './reading/html-tags.ts';
import { jsonElements, jsonLines } from './reading/json-elements.ts';
import { openExport, type OpenExport } from './reading/open-export.ts';
import { textChunks, textLines } from './reading/text-chunks.ts';
import { ZipError } from './reading/zip-folder.ts';
import { formatNames, nameOfKind, recognise, type Recognised } from './recognise-format.ts';

export interface ReadExport {
  place: string;
  now: number;
}

const maxBatch = 500;
/** Characters and bytes from which a batch ends sooner. */
const maxBatchLength = 4_000_000;
/** Of one import. A small archive can hold any number of entries that are nothing to save. */
const maxEntries = 1_000_000;
/** Of all files of archives together. */
const maxUnpackedBytes = 20_000_000_000;
/** A longer line is skipped. */
const maxJsonLine = 64_000_000;
/** A note or a PDF inside an archive. */
const maxPackedFile = 100_000_000;
/** Of the name of a file in the report, which has it on each line. */
const maxShownPath = 300;

export async function* readExport(request: ReadExport): AsyncGenerator<ImportBatch> {
  let entriesRead = 0;
  const isOwn = isOwnExport(request.place);
  for await (const batch of isOwn ? readOwnExport(request.place) : readForeignExport(request)) {
    if (!isOwn && entriesRead >= maxEntries && batch.entries.length > 0) {
      const reason = `there are more than ${maxEntries} entries: the rest was left out. Split the export, and import that`;
      const line = batch.entries[0]?.line ?? 1;
      return yield { ...batch, entries: [{ kind: 'refusal', line, what: batch.file, outcome: 'failed', reason }] };
    }
    yield batch;
    entriesRead += batch.entries.length;
  }
}

async function* readForeignExport({ place, now }: ReadExport): AsyncGenerator<ImportBatch> {
  const all = await open(place);
  const { close } = all;
  const toldFields = new Map<string, Set<string>>();
  let bytesRead = 0;
  let unpackedBytes = 0;
  try {
    if (all.files.some(({ path, place: onDisk }) => onDisk === null && path === exportFiles.manifest))
      throw invalidInput(
        'This is an archive of a whole library, as Commonplace exports it. Unpack it, and import the folder on the machine of the server: commonplace import <folder>.',
      );
    const companions = companionsOf(all.files);
    const around = { isAlone: all.files.length === 1, companions, repeated: repeatedOf(all.files), place };
    for (const file of all.files) {
      if (companions.has(file.path) || isOldVersion(file.path)) {
        bytesRead += file.bytes;
        continue;
      }
      let done = 0;
      const counting = counted(file, (bytes) => (done = bytes));
      const batch = (format: string, entries: ImportEntry[]): ImportBatch => ({
        file: shownPath(file.path),
        format,
        entries,
        bytesRead: bytesRead + Math.min(done, file.bytes),
        bytesTotal: all.bytesTotal,
      });
      let line = 0;
      const refused = (outcome: 'skipped' | 'failed', reason: string): ImportBatch =>
        batch('', [{ kind: 'refusal', line: line + 1, what: shownPath(file.path), outcome, reason }]);
      const ending: FileEnding = { fault: null, isRepeated: false };
      let isAnyRead = false;
      try {
        for await (const { format, entries } of inBatches(readFile(counting, around, ending), now, toldFields)) {
          yield batch(format, entries);
          line += entries.length;
          isAnyRead ||= entries.some(({ kind }) => kind !== 'refusal');
        }
        if (ending.fault !== null && (isAnyRead || line === 0)) yield refused('failed', ending.fault);
        else if (line === 0 && !ending.isRepeated)
          yield refused('skipped', 'there is nothing in it that can be imported');
      } catch (error) {
        yield refused('failed', whyUnread(error));
      }
      bytesRead += file.bytes;
      if (file.place === null) unpackedBytes += done;
      if (unpackedBytes > maxUnpackedBytes)
        return yield refused(
          'failed',
          'the archive unpacks to more than an import can take: the rest was left out. Unpack it, and import the folder',
        );
    }
  } finally {
    close();
  }
}

function shownPath(path: string): string {
  return path.length <= maxShownPath ? path : `…${path.slice(1 - maxShownPath)}`;
}

async function open(place: string): Promise<OpenExport> {
  try {
    return await openExport(place);
  } catch (error) {
    if (error instanceof ZipError) throw invalidInput(`This cannot be imported: ${error.message}.`);
    throw invalidInput('The file or folder cannot be read. Check its name and its permissions.', { cause: error });
  }
}

function whyUnread(error: unknown): string {
  if (error instanceof ZipError) return error.message;
  if (error instanceof Error && 'code' in error) return 'the file cannot be read';
  throw error;
}

/** Bytes of the file as it is read; of an archive, unpacked bytes. */
function counted(file: ForeignFile, onBytes: (bytes: number) => void): ForeignFile {
  return {
    ...file,
    async *read() {
      let bytes = 0;
      for await (const chunk of file.read()) {
        bytes += chunk.length;
        onBytes(bytes);
        yield chunk;
      }
    },
  };
}

/** Files that belong to entries of others: Omnivore's texts and highlights. */
function companionsOf(files: readonly ForeignFile[]): ReadonlyMap<string, ForeignFile> {
  if (!files.some(({ path }) => /(?:^|\/)metadata_\d{1,9}_to_\d{1,9}\.json$/.test(path))) return new Map();
  const belonging = files.filter(({ path }) => /(?:^|\/)(?:content|highlights)\//.test(path));
  return new Map(belonging.map((file) => [file.path, file]));
}

interface FoundEntry {
  format: string;
  raw: RawEntry;
}

interface ExportAround {
  isAlone: boolean;
  companions: ReadonlyMap<string, ForeignFile>;
  repeated: ReadonlySet<string>;
  place: string;
}

async function* readFile(
  file: ForeignFile,
  { isAlone, companions, repeated, place }: ExportAround,
  ending: FileEnding,
): AsyncGenerator<FoundEntry> {
  const known = recognise(file.path, await headOf(file), isAlone);
  const isOfKeep = known === 'keep page' || file.path.endsWith('Labels.txt');
  if (isOfKeep && repeated.has(file.path)) ending.isRepeated = true;
  else if (known === 'note' || known === 'pdf') yield await readSavedFile(file, known, place);
  else if (known === 'unknown' || known === 'keep page' || known === 'firefox archive') {
    const refused = known === 'firefox archive' ? packedBackup : notRecognised;
    if (isAlone) ending.fault = withKnownFormats(refused);
    else yield { format: '', raw: { title: file.path, refused } };
  } else
    for await (const found of rawsOf(file, known, companions, ending)) {
      if (isAlone && found.format === '') ending.fault = withKnownFormats(found.raw.refused ?? notRecognised);
      else yield found;
    }
}

const packedBackup =
  'it is a backup that Firefox keeps for itself. In its library, choose Import and Backup, Backup…, and import the file that this saves';

function withKnownFormats(reason: string): string {
  const programs = new Set(formatNames.map((name) => name.replace(/ \([^)]{1,50}\)$/, '')));
  return `${reason}. What can be imported: ${[...programs].join(', ')}`;
}

/** Files that only repeat others: Google Keep exports each note as a page, too, and a list of its labels. */
function repeatedOf(files: readonly ForeignFile[]): ReadonlySet<string> {
  const notes = files.filter(({ path }) => path.endsWith('.json')).map(({ path }) => path);
  const folders = new Set(notes.map((path) => path.slice(0, path.lastIndexOf('/') + 1)));
  return new Set([
    ...notes.map((path) => `${path.slice(0, -'json'.length)}html`),
    ...[...folders].map((folder) => `${folder}Labels.txt`),
  ]);
}

/** Entries are cleaned one by one, as they are much smaller then. */
async function* inBatches(
  found: AsyncIterable<FoundEntry>,
  now: number,
  /** By format. */
  toldFields: Map<string, Set<string>>,
): AsyncGenerator<{ format: string; entries: ImportEntry[] }> {
  let part: { format: string; entries: ImportEntry[] } | null = null;
  let [line, length] = [0, 0];
  const texts = new Map<string, string>();
  try {
    for await (const { format, raw } of found) {
      if (part !== null && (part.format !== format || part.entries.length === maxBatch || length > maxBatchLength)) {
        yield part;
        part = null;
      }
      const fields = toldFields.get(format) ?? new Set();
      toldFields.set(format, fields);
      const entry = toEntry(raw, (line += 1), now, { fields, texts });
      if (part === null) [part, length] = [{ format, entries: [] }, 0];
      part.entries.push(entry);
      length += lengthOf(entry);
    }
  } catch (error) {
    // Entries read before the fault are complete.
    if (part !== null) yield part;
    throw error;
  }
  if (part !== null) yield part;
}

function lengthOf(entry: ImportEntry): number {
  if (!('highlights' in entry)) return 0;
  const marked = entry.highlights.reduce((sum, { quote, note }) => sum + quote.length + (note ?? '').length, 0);
  const { text, html } = 'page' in entry ? (entry.page ?? {}) : {};
  const whole = entry.kind === 'text' ? entry.text : 'bytes' in entry ? entry.bytes : (html ?? text);
  return marked + (whole ?? '').length + (entry.notes ?? '').length;
}

async function readSavedFile(file: ForeignFile, kind: 'note' | 'pdf', place: string): Promise<FoundEntry> {
  const format = nameOfKind(kind);
  const about = readNoteHead(kind === 'note' ? await headOf(file) : '', file.path);
  // A PDF has its own title.
  if (kind === 'pdf') delete about.title;
  const raw: RawEntry = { ...about, date: about.date ?? file.modifiedAt ?? undefined };
  if (file.place !== null) return { format, raw: { ...raw, path: file.place } };
  const bytes = await bytesOf(file);
  if (bytes === null) return { format, raw: { title: file.path, refused: 'it is too large' } };
  return { format, raw: { ...raw, path: join(place, file.path), bytes } };
}

/** A file inside an archive, which is handed on as a whole; null when it is too large for that. */
async function bytesOf(file: ForeignFile): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of file.read()) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxPackedFile) return null;
  }
  return Buffer.concat(chunks);
}

async function* rawsOf(
  file: ForeignFile,
  known: Exclude<Recognised, 'note' | 'pdf' | 'unknown' | 'keep page' | 'firefox archive'>,
  companions: ReadonlyMap<string, ForeignFile>,
  ending: FileEnding,
): AsyncGenerator<FoundEntry> {
  const text = textChunks(file.read());
  const named = async function* (kind: Parameters<typeof nameOfKind>[0], raws: AsyncIterable<RawEntry>) {
    for await (const raw of raws) yield { format: nameOfKind(kind), raw };
  };
  switch (known) {
    case 'netscape':
    case 'link list':
      return yield* named(known, readBookmarks(htmlTags(text, ending), known === 'netscape'));
    case 'opml':
      return yield* named(known, readOpml(htmlTags(text, ending)));
    case 'enex':
      return yield* named(known, readEvernote(htmlTags(text, ending), ending));
    case 'youtube history':
      return yield* named(known, readHistoryPage(htmlTags(text, ending)));
    case 'urls':
      return yield* named(known, readUrlList(textLines(text)));
    case 'csv':
      return yield* readCsv(csvRows(text, separatorOf(await headOf(file)), ending), nameOf(file));
    case 'mailbox':
      return yield* named(known, readMailbox(file.read()));
    case 'clippings':
      return yield* named(known, readClippings(textLines(text)));
    case 'json lines':
      return yield* readJson(file, companions, jsonLines(textLines(text, maxJsonLine)), async function* () {});
    case 'json':
      return yield* readJson(
        file,
        companions,
        elementsOfFile(file, () => jsonElements(text, undefined, ending)),
        (key) => jsonElements(textChunks(file.read()), key),
      );
    default:
      known satisfies never;
  }
}
