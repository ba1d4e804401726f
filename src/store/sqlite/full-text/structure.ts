import type { SqliteFile } from '../sqlite-file.ts';
import { NotUnderstood } from './not-understood.ts';
import { VarintReader } from './varint.ts';

/*
 * What the index consists of, as the comments of SQLite's fts5_index.c describe it: a number of segments, each a sorted list of
 * terms with their postings on pages of its own. A write adds a small one, and now and then several are merged to one.
 */

export interface Segment {
  id: number;
  firstPage: number;
  lastPage: number;
  /** Pages of the table that says which of its rows were deleted since. */
  tombstonePages: number;
  /** What its pages say does not change as long as this is the same; null while a merge is adding to it or taking away. */
  identity: string | null;
}

export interface IndexStructure {
  /** The oldest first. */
  segments: readonly Segment[];
  /** Rows of the index, those that were deleted not counted. */
  rows: number;
  /** Words of all rows together. */
  tokens: number;
}

/** The version of the format; 5 is another way to delete, which is not used here. */
const knownVersion = 4;
const structureId = 10;
const averagesId = 1;
/** What is between the cookie and the numbers where rows are deleted by tombstones. */
const withTombstones = [0xff, 0x00, 0x00, 0x01];

/** @throws {NotUnderstood} */
export function readStructure(file: SqliteFile): IndexStructure {
  const config = file.get<{ version: unknown }>(`SELECT v AS version FROM passage_words_config WHERE k = 'version'`);
  if (config?.version !== knownVersion) throw new NotUnderstood('an unknown version');
  // It grows when another state of the file is put back over this one: then a segment of the same number may be another one.
  const schema = file.get<{ schema_version: number }>('PRAGMA schema_version')?.schema_version ?? 0;
  const segments = decodeSegments(readRecord(file, structureId), schema);
  const averages = new VarintReader(readRecord(file, averagesId), 0);
  const rows = averages.next();
  let tokens = 0;
  while (!averages.isAtEnd) tokens += averages.next();
  return { segments, rows, tokens };
}

function readRecord(file: SqliteFile, id: number): Uint8Array {
  const row = file.get<{ block: unknown }>('SELECT block FROM passage_words_data WHERE id = ?', id);
  if (!(row?.block instanceof Uint8Array)) throw new NotUnderstood(`no record ${id}`);
  return row.block;
}

function decodeSegments(record: Uint8Array, schema: number): Segment[] {
  if (withTombstones.some((byte, at) => record[4 + at] !== byte)) throw new NotUnderstood('another kind of structure');
  const numbers = new VarintReader(record, 8);
  const levels = numbers.next();
  const count = numbers.next();
  numbers.next(); // How often it was written to.
  const byLevel: Segment[][] = [];
  let isOutput = false;
  for (let level = 0; level < levels; level += 1) {
    if (numbers.isAtEnd) throw new NotUnderstood('a short structure');
    const merging = numbers.next();
    const inLevel = numbers.next();
    const segments: Segment[] = [];
    for (let place = 0; place < inLevel; place += 1) {
      // Before each one: of a damaged record the numbers may be anything.
      if (numbers.isAtEnd) throw new NotUnderstood('a short structure');
      const changes = place < merging || (isOutput && place === inLevel - 1);
      const segment = decodeSegment(numbers, changes ? null : schema);
      if (segment.lastPage > 0) segments.push(segment);
    }
    isOutput = merging > 0;
    byLevel.push(segments);
  }
  const segments = byLevel.reverse().flat();
  if (numbers.at !== record.length || segments.length > count) throw new NotUnderstood('a structure of another length');
  return segments;
}

function decodeSegment(numbers: VarintReader, schema: number | null): Segment {
  const [id, firstPage, lastPage] = [numbers.next(), numbers.next(), numbers.next()];
  const [firstOrigin, lastOrigin] = [numbers.next(), numbers.next()];
  const tombstonePages = numbers.next();
  numbers.next(); // Rows that were deleted.
  const rows = numbers.next();
  const identity = schema === null ? null : [schema, id, firstPage, lastPage, firstOrigin, lastOrigin, rows].join(' ');
  return { id, firstPage, lastPage, tombstonePages, identity };
}
