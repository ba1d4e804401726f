import { createHash } from 'node:crypto';
import { createReadStream, existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import type { z } from 'zod';
import { exportFiles } from '../domain/records/transfers/export-files.ts';
import {
  exportedGoal,
  exportedHistoryEntry,
  exportedItem,
  exportedList,
  exportedSource,
  exportManifest,
  type ExportedItem,
} from '../domain/records/transfers/exported.ts';
import { parseBoundedJson } from '../domain/json/bounded-json.ts';
import type { ImportBatch, ImportEntry } from '../domain/records/transfers/import.ts';
import { maxLists } from '../domain/records/limits.ts';
import { type AppError, invalidInput } from '../errors.ts';
import { textLines, utf8Chunks } from './reading/text-chunks.ts';

/*
 * The folder that `export` writes. Its files come from outside, like those of any other program: they are checked against their
 * checksums first, and each record against its form.
 */

const ownFormat = 'Commonplace export';

const maxManifestBytes = 100_000;
const maxChecksumsBytes = 500_000_000;
/** An item with its text, in UTF-16 units. */
const maxLine = 200_000_000;
/** In UTF-16 units, longer than the export writes them. */
const maxRecordLine = 4_000_000;
/** Items of one batch, and the characters from which it ends sooner. */
const maxBatch = 50;
const maxBatchLength = 4_000_000;

export function isOwnExport(place: string): boolean {
  return existsSync(join(place, exportFiles.manifest));
}

/** @throws {AppError} `invalid_input` when it is of a newer version, or damaged */
export async function* readOwnExport(place: string): AsyncGenerator<ImportBatch> {
  await checkFiles(place);
  const itemsPath = join(place, exportFiles.items);
  const bytesTotal = lstatSync(itemsPath).size;
  const batch = (file: string, entries: ImportEntry[], bytesRead: number): ImportBatch => ({
    file,
    format: ownFormat,
    entries,
    bytesRead,
    bytesTotal,
  });
  const goals = await allOf(place, exportFiles.goals, exportedGoal, 'a goal', 10_000);
  yield batch(exportFiles.goals, [{ kind: 'goals', line: 1, goals: goals.found }, ...goals.refused], 0);

  let bytesRead = 0;
  let entries: ImportEntry[] = [];
  let [length, last] = [0, 0];
  const lines = packedLines(itemsPath, (bytes) => (bytesRead += bytes));
  try {
    for await (const { line, record: item, size } of records(lines, exportedItem)) {
      last = line;
      const fault = item === undefined ? 'it is damaged, or of a newer version' : faultOf(item);
      if (item !== undefined && fault === null) entries.push({ kind: 'record', line, item, place });
      else entries.push(refusal(line, item?.url ?? `line ${line}`, fault ?? ''));
      length += size;
      if (entries.length < maxBatch && length < maxBatchLength) continue;
      yield batch(exportFiles.items, entries, Math.min(bytesRead, bytesTotal));
      [entries, length] = [[], 0];
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))) throw error;
    entries.push(refusal(last + 1, exportFiles.items, 'the file is damaged from here on'));
  }
  yield batch(exportFiles.items, entries, bytesTotal);
  // Lists and sources speak of items, and so does the history, which people take away before they give an export away.
  const lists = await allOf(place, exportFiles.lists, exportedList, 'a list', maxLists);
  yield batch(exportFiles.lists, [{ kind: 'lists', line: 1, lists: lists.found }, ...lists.refused], bytesTotal);
  for await (const { line, record } of recordsOf(place, exportFiles.sources, exportedSource)) {
    const source: ImportEntry | undefined = record && { kind: 'sources', line, sources: [record] };
    yield batch(exportFiles.sources, [source ?? refusal(line, 'a source', 'it is damaged')], bytesTotal);
  }
  [entries, length] = [[], 0];
  for await (const { line, record, size } of recordsOf(place, exportFiles.history, exportedHistoryEntry)) {
    const change: ImportEntry | undefined = record && { kind: 'history', line, entries: [record] };
    entries.push(change ?? refusal(line, 'a change of the history', 'it is damaged'));
    length += size;
    if (entries.length < maxBatch && length < maxBatchLength) continue;
    yield batch(exportFiles.history, joined(entries), bytesTotal);
    [entries, length] = [[], 0];
  }
  yield batch(exportFiles.history, joined(entries), bytesTotal);
}

/** Changes of the history are one write. */
function joined(entries: readonly ImportEntry[]): ImportEntry[] {
  const changes = entries.filter((entry) => entry.kind === 'history');
  const others = entries.filter((entry) => entry.kind !== 'history');
  return [{ kind: 'history', line: 1, entries: changes.flatMap((change) => change.entries) }, ...others];
}

/** Earlier versions wrote an empty file for a library without items. */
async function* packedLines(path: string, onBytes: (bytes: number) => void): AsyncGenerator<string> {
  if (lstatSync(path).size === 0) return;
  const packed = createReadStream(path);
  packed.on('data', (chunk) => onBytes(chunk.length));
  const unpacked = packed.pipe(createGunzip());
  packed.on('error', (error) => unpacked.destroy(error));
  yield* textLines(utf8Chunks(unpacked), maxLine);
}

/** Records, one a line; undefined for one that is damaged. `size`: in UTF-16 units. */
async function* records<Record>(
  lines: AsyncIterable<string>,
  schema: z.ZodType<Record>,
): AsyncGenerator<{ line: number; record: Record | undefined; size: number }> {
  let line = 0;
  for await (const text of lines)
    yield { line: (line += 1), record: schema.safeParse(parse(text)).data, size: text.length };
}

/** Exports of earlier versions do not have all files. */
async function* recordsOf<Record>(place: string, file: string, schema: z.ZodType<Record>) {
  const path = join(place, file);
  if (existsSync(path)) yield* records(textLines(utf8Chunks(createReadStream(path)), maxRecordLine), schema);
}

async function allOf<Record>(place: string, file: string, schema: z.ZodType<Record>, what: string, most: number) {
  const found: Record[] = [];
  const refused: ImportEntry[] = [];
  for await (const { line, record } of recordsOf(place, file, schema))
    if (record !== undefined && found.length < most) found.push(record);
    else refused.push(refusal(line, what, 'it is damaged'));
  return { found, refused };
}

function parse(text: string): unknown {
  try {
    return parseBoundedJson(text);
  } catch {
    return undefined;
  }
}

function refusal(line: number, what: string, reason: string): ImportEntry {
  return { kind: 'refusal', line, what: what.slice(0, 300), outcome: 'failed', reason };
}

/** Constraints between the records that their schemas do not cover. */
function faultOf(item: ExportedItem): string | null {
  const versions = new Set(item.documents.map(({ version }) => version));
  const text = item.documents.find(({ version }) => version === item.visibleVersion)?.text;
  const isWhole =
    versions.size === item.documents.length &&
    (item.visibleVersion === null ? item.passages.length === 0 : text !== undefined) &&
    new Set(item.passages.map(({ ordinal }) => ordinal)).size === item.passages.length &&
    item.passages.every(({ start, end }) => start <= end && end <= (text?.length ?? 0)) &&
    // Each passage is stored with its text, and together they are the text.
    item.passages.reduce((sum, { start, end }) => sum + end - start, 0) <= 2 * (text?.length ?? 0) &&
    new Set(item.originals.map(({ name }) => name)).size === item.originals.length;
  if (!isWhole) return 'its parts do not fit together';
  return /^(?:https?:\/\/|file:\/\/|note:)/i.test(item.url) && links(item).every(isLink)
    ? null
    : 'it has an address that is none of the web';
}

function links({ insights, actions, highlights }: ExportedItem): (string | null)[] {
  return [...insights, ...actions, ...highlights].map(({ url }) => url);
}

function isLink(url: string | null): boolean {
  return url === null || /^(?:https?|file):\/\//i.test(url);
}

async function checkFiles(place: string): Promise<void> {
  const damaged = (file: string): AppError =>
    invalidInput(`This export is damaged: ${file} is missing or not as it was written.`);
  const manifest = exportManifest.safeParse(parse(readSmall(join(place, exportFiles.manifest), maxManifestBytes))).data;
  if (manifest === undefined)
    throw invalidInput(
      'This looks like an export of Commonplace and cannot be read: it is damaged, or of a newer version of the program.',
    );
  const list = readSmall(join(place, exportFiles.checksums), maxChecksumsBytes);
  if (createHash('sha256').update(list).digest('hex') !== manifest.checksums) throw damaged(exportFiles.checksums);
  const lines = new Set(list.split('\n'));
  for (const file of [exportFiles.items, exportFiles.goals])
    if (!lines.has(`${await hashOf(join(place, file))}  ${file}`)) throw damaged(file);
  for (const file of [exportFiles.lists, exportFiles.sources, exportFiles.history]) {
    const hash = await hashOf(join(place, file));
    if (hash !== '' && !lines.has(`${hash}  ${file}`)) throw damaged(file);
  }
}

function readSmall(path: string, maxBytes: number): string {
  const about = lstatSync(path, { throwIfNoEntry: false });
  return about?.isFile() === true && about.size <= maxBytes ? readFileSync(path, 'utf8') : '';
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return '';
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}
