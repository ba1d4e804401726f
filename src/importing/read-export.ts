import { join } from 'node:path';
import type { ImportBatch, ImportEntry } from '../domain/records/transfers/import.ts';
import { exportFiles } from '../domain/records/transfers/export-files.ts';
import { AppError } from '../errors.ts';
import { readBookmarks } from './formats/bookmarks-html.ts';
import { type BookShelf, createBookShelf } from './books.ts';
import { csvFormatOf, type KnownTable } from './formats/csv-formats.ts';
import { readClippings } from './formats/kindle-clippings.ts';
import { readOpml } from './formats/feeds-opml.ts';
import { isOldVersion, readNoteHead } from './formats/notes-markdown.ts';
import { guessTable } from './formats/table-columns.ts';
import { readUrlList } from './formats/url-list.ts';
import { type RawEntry, toEntry, withPlainTitle } from './raw-entry.ts';
import { readJson } from './read-json.ts';
import { isOwnExport, readOwnExport } from './own-export.ts';
import { csvRows, separatorOf } from './reading/csv-rows.ts';
import type { ForeignFile } from './reading/export-files.ts';
import { headOf } from './reading/file-head.ts';
import { htmlTags } from './reading/html-tags.ts';
import { jsonElements, jsonLines } from './reading/json-elements.ts';
import { openExport, type OpenExport } from './reading/open-export.ts';
import { textChunks, textLines } from './reading/text-chunks.ts';
import { ZipError } from './reading/zip-folder.ts';
import { recognise, type Recognised } from './recognise-format.ts';

export interface ReadExport {
  place: string;
  now: number;
}

const maxBatch = 500;
/** Rows before the header of a table: older exports of playlists have some. */
const maxRowsBeforeHeader = 20;
/** A longer line is skipped. */
const maxJsonLine = 64_000_000;
/** A note or a PDF inside an archive. */
const maxPackedFile = 100_000_000;

/** The batches of an export: a file, a folder, or a ZIP archive. */
export async function* readExport({ place, now }: ReadExport): AsyncGenerator<ImportBatch> {
  if (isOwnExport(place)) return yield* readOwnExport(place);
  const all = await open(place);
  const { close } = all;
  let bytesRead = 0;
  try {
    if (all.files.some(({ path, place: onDisk }) => onDisk === null && path === exportFiles.manifest))
      throw new AppError(
        'invalid_input',
        'This is an archive of a whole library, as Commonplace exports it. Unpack it, and import the folder on the machine of the server: commonplace import <folder>.',
      );
    const companions = companionsOf(all.files);
    for (const file of all.files) {
      let done = 0;
      const counting = counted(file, (bytes) => (done = bytes));
      const batch = (format: string, entries: ImportEntry[]): ImportBatch => ({
        file: file.path,
        format,
        entries,
        bytesRead: bytesRead + Math.min(done, file.bytes),
        bytesTotal: all.bytesTotal,
      });
      if (!companions.has(file.path)) {
        let line = 0;
        try {
          for await (const { format, raws } of readFile(counting, all.files, place))
            for (let from = 0; from < raws.length; from += maxBatch)
              yield batch(
                format,
                raws.slice(from, from + maxBatch).map((raw) => toEntry(raw, (line += 1), now)),
              );
        } catch (error) {
          const refused = { kind: 'refusal' as const, line: line + 1, what: file.path, outcome: 'failed' as const };
          yield batch('', [{ ...refused, reason: whyUnread(error) }]);
        }
      }
      bytesRead += file.bytes;
    }
  } finally {
    close();
  }
}

async function open(place: string): Promise<OpenExport> {
  try {
    return await openExport(place);
  } catch (error) {
    if (error instanceof ZipError) throw new AppError('invalid_input', `This cannot be imported: ${error.message}.`);
    throw new AppError('invalid_input', 'The file or folder cannot be read. Check its name and its permissions.', {
      cause: error,
    });
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
function companionsOf(files: readonly ForeignFile[]): ReadonlySet<string> {
  if (!files.some(({ path }) => /(?:^|\/)metadata_\d{1,9}_to_\d{1,9}\.json$/.test(path))) return new Set();
  return new Set(files.map(({ path }) => path).filter((path) => /(?:^|\/)(?:content|highlights)\//.test(path)));
}

interface ExportPart {
  format: string;
  raws: RawEntry[];
}

async function* readFile(file: ForeignFile, files: readonly ForeignFile[], place: string): AsyncGenerator<ExportPart> {
  const known = isOldVersion(file.path) ? 'old version' : recognise(file.path, await headOf(file), files.length === 1);
  if (known === 'old version') return;
  if (known === 'note' || known === 'pdf') yield await readSavedFile(file, known, place);
  else if (known === 'unknown')
    yield { format: '', raws: [{ title: file.path, refused: 'it is not recognised as an export of another program' }] };
  else yield* inBatches(rawsOf(file, known, files));
}

async function* inBatches(raws: AsyncIterable<{ format: string; raw: RawEntry }>): AsyncGenerator<ExportPart> {
  let part: ExportPart | null = null;
  for await (const { format, raw } of raws) {
    if (part !== null && (part.format !== format || part.raws.length === maxBatch)) {
      yield part;
      part = null;
    }
    part ??= { format, raws: [] };
    part.raws.push(raw);
  }
  if (part !== null) yield part;
}

async function readSavedFile(file: ForeignFile, kind: 'note' | 'pdf', place: string): Promise<ExportPart> {
  const format = kind === 'pdf' ? 'PDF' : 'Markdown note';
  const about = readNoteHead(kind === 'note' ? await headOf(file) : '', file.path);
  // A PDF has a title of its own.
  if (kind === 'pdf') delete about.title;
  const raw: RawEntry = { ...about, date: about.date ?? file.modifiedAt ?? undefined };
  if (file.place !== null) return { format, raws: [{ ...raw, path: file.place }] };
  const bytes = await bytesOf(file);
  if (bytes === null) return { format, raws: [{ title: file.path, refused: 'it is too large' }] };
  return { format, raws: [{ ...raw, path: join(place, file.path), bytes }] };
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
  known: Exclude<Recognised, 'note' | 'pdf' | 'unknown'>,
  files: readonly ForeignFile[],
): AsyncGenerator<{ format: string; raw: RawEntry }> {
  const text = textChunks(file.read());
  const named = async function* (format: string, raws: AsyncIterable<RawEntry>) {
    for await (const raw of raws) yield { format, raw };
  };
  switch (known) {
    case 'netscape':
      return yield* named('bookmarks (HTML)', readBookmarks(htmlTags(text), true));
    case 'link list':
      return yield* named('list of links (HTML)', readBookmarks(htmlTags(text), false));
    case 'opml':
      return yield* named('feeds (OPML)', readOpml(htmlTags(text)));
    case 'urls':
      return yield* named('list of addresses', readUrlList(textLines(text)));
    case 'csv':
      return yield* readCsv(csvRows(text, separatorOf(await headOf(file))), fileName(file.path));
    case 'clippings':
      return yield* named('Kindle clippings', readClippings(textLines(text)));
    case 'json lines':
      return yield* readJson(file, files, jsonLines(textLines(text, maxJsonLine)), async function* () {});
    case 'json':
      return yield* readJson(file, files, jsonElements(text), (key) => jsonElements(textChunks(file.read()), key));
    default:
      known satisfies never;
  }
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.[a-z]{1,5}$/i, '');
}

async function* readCsv(
  rows: AsyncIterable<string[]>,
  file: string,
): AsyncGenerator<{ format: string; raw: RawEntry }> {
  let table: KnownTable | null = null;
  let books: BookShelf | undefined;
  /** Rows before the header, as long as none is found. */
  let before: string[][] = [];
  const entry = function* ({ format, read }: KnownTable, row: string[]): Generator<{ format: string; raw: RawEntry }> {
    const raw = withPlainTitle(format.read(read(row), file));
    if ((raw.url ?? '').trim() !== '' || raw.book === undefined) return yield { format: format.name, raw };
    books ??= createBookShelf(format.name);
    const refused = books.add(raw);
    if (refused !== null) yield { format: format.name, raw: refused };
  };
  const guess = function* (): Generator<{ format: string; raw: RawEntry }> {
    const guessed = guessTable(before);
    table = guessed === null ? null : csvFormatOf(guessed.header);
    if (table !== null && guessed !== null) for (const row of before.slice(guessed.from)) yield* entry(table, row);
    before = [];
  };
  let count = 0;
  for await (const row of rows) {
    count += 1;
    if (table !== null) {
      yield* entry(table, row);
      continue;
    }
    table = csvFormatOf(row);
    if (table !== null) continue;
    before.push(row);
    if (count < maxRowsBeforeHeader) continue;
    yield* guess();
    if (table === null) break;
  }
  if (table === null) yield* guess();
  const known: KnownTable | null = table;
  if (known === null)
    yield {
      format: '',
      raw: { title: file, refused: 'none of its columns is known: name the one with the addresses `url`' },
    };
  else for (const raw of books?.entries() ?? []) yield { format: known.format.name, raw };
}
