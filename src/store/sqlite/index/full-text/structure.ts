import type { SqliteFile } from '../../files/sqlite-file.ts';
import { UnsupportedIndexFormat } from './unsupported-index-format.ts';
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

/** Segments of one size; those of level 0 are as they were written. */
export interface Level {
  /** So many of its segments, the first ones, are being merged. */
  merging: number;
  /** The numbers that say of each what it is. */
  segments: readonly (readonly number[])[];
}

/** The full-text indexes of an account. */
export type IndexName = 'passage_words' | 'item_titles';

export interface IndexStructure {
  /** When it grows, a segment of the same number may be another one. */
  schema: number;
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

/** @throws {UnsupportedIndexFormat} */
export function readStructure(file: SqliteFile): IndexStructure {
  const config = file.get<{ version: unknown }>(`SELECT v AS version FROM passage_words_config WHERE k = 'version'`);
  if (config?.version !== knownVersion) throw new UnsupportedIndexFormat('an unknown version');
  const schema = file.schema();
  const segments = decodeSegments(readRecord(file, structureId), schema);
  const averages = new VarintReader(readRecord(file, averagesId), 0);
  const rows = averages.next();
  let tokens = 0;
  while (!averages.isAtEnd) tokens += averages.next();
  return { schema, segments, rows, tokens };
}

function readRecord(file: SqliteFile, id: number, index: IndexName = 'passage_words'): Uint8Array {
  const row = file.get<{ block: unknown }>(`SELECT block FROM ${index}_data WHERE id = ?`, id);
  if (!(row?.block instanceof Uint8Array)) throw new UnsupportedIndexFormat(`no record ${id}`);
  return row.block;
}

/** Numbers that the record has of a segment; five more where rows are deleted by tombstones. */
const numbersOfSegment = 3;
const numbersWithTombstones = 8;

/** @throws {UnsupportedIndexFormat} */
export function readLevels(file: SqliteFile, index: IndexName): Level[] {
  return decodeLevels(readRecord(file, structureId, index)).levels;
}

function decodeLevels(record: Uint8Array) {
  const hasTombstones = withTombstones.every((byte, at) => record[4 + at] === byte);
  const size = hasTombstones ? numbersWithTombstones : numbersOfSegment;
  const numbers = new VarintReader(record, hasTombstones ? 8 : 4);
  const [count, segmentCount] = [numbers.next(), numbers.next()];
  numbers.next(); // How often it was written to.
  const levels: Level[] = [];
  for (let level = 0; level < count; level += 1) {
    if (numbers.isAtEnd) throw new UnsupportedIndexFormat('a short structure');
    const [merging, inLevel] = [numbers.next(), numbers.next()];
    // Before they are read: of a damaged record the numbers may be anything.
    if (numbers.at + inLevel * size > record.length) throw new UnsupportedIndexFormat('a short structure');
    const segments = Array.from({ length: inLevel }, () => Array.from({ length: size }, () => numbers.next()));
    levels.push({ merging, segments });
  }
  return { hasTombstones, segmentCount, levels, isWhole: numbers.at === record.length };
}

function decodeSegments(record: Uint8Array, schema: number): Segment[] {
  const { hasTombstones, segmentCount, levels, isWhole } = decodeLevels(record);
  if (!hasTombstones) throw new UnsupportedIndexFormat('another kind of structure');
  const byLevel = levels.map(({ merging, segments }, level) => {
    // The last one of a level takes in those that are merged of the level before.
    const isOutput = (levels[level - 1]?.merging ?? 0) > 0;
    return segments.map((numbers, place) => {
      const changes = place < merging || (isOutput && place === segments.length - 1);
      return segmentOf(numbers, changes ? null : schema);
    });
  });
  const segments = byLevel
    .reverse()
    .flat()
    .filter(({ lastPage }) => lastPage > 0);
  if (!isWhole || segments.length > segmentCount) throw new UnsupportedIndexFormat('a structure of another length');
  return segments;
}

/** @param numbers its id and pages, the writes that it is of, pages of tombstones, rows that were deleted, and rows */
function segmentOf(numbers: readonly number[], schema: number | null): Segment {
  const [id = 0, firstPage = 0, lastPage = 0, firstOrigin, lastOrigin, tombstonePages = 0, , rows] = numbers;
  const identity = schema === null ? null : [schema, id, firstPage, lastPage, firstOrigin, lastOrigin, rows].join(' ');
  return { id, firstPage, lastPage, tombstonePages, identity };
}
