import type { SqliteFile } from '../../files/sqlite-file.ts';
import { UnsupportedIndexFormat } from './unsupported-index-format.ts';
import { VarintReader } from './varint.ts';

/*
 * What the index consists of, as the comments in SQLite's fts5_index.c describe it: a number of segments, each a sorted
 * list of terms with their postings on pages of its own. A write adds a small segment, and from time to time several
 * are merged into one.
 */

export interface IndexSegment {
  id: number;
  firstPage: number;
  lastPage: number;
  /** Pages of the table that lists which of its rows were deleted since. */
  tombstonePages: number;
  /**
   * As long as this is the same, the segment's pages have the same content. Null while a merge adds to the segment or
   * removes from it.
   */
  identity: string | null;
}

/** Segments of one size; level 0 holds them as they were written. */
export interface Level {
  /** How many of its segments, counted from the first, are being merged. */
  merging: number;
  /** The numbers that describe each segment, see `segmentOf`. */
  segments: readonly (readonly number[])[];
}

/** The full-text indexes of an account. */
export type IndexName = 'passage_words' | 'item_titles';

export interface IndexStructure {
  /** The file's schema version. After it has grown, a segment with the same id may be another one. */
  schema: number;
  /** Oldest first. */
  segments: readonly IndexSegment[];
  /** Rows of the index, without deleted ones. */
  rows: number;
  /** Number of words in all rows, without compounds by their ends. */
  tokens: number;
}

/** The version of the format. Version 5 differs in how rows are deleted, and is not used here. */
const knownVersion = 4;
const structureId = 10;
const averagesId = 1;
/** The bytes between the cookie and the numbers, where rows are deleted by tombstones. */
const withTombstones = [0xff, 0x00, 0x00, 0x01];

/** @throws {UnsupportedIndexFormat} */
export function readStructure(file: SqliteFile): IndexStructure {
  const config = file.get<{ version: unknown }>(`SELECT v AS version FROM passage_words_config WHERE k = 'version'`);
  if (config?.version !== knownVersion) throw new UnsupportedIndexFormat('an unknown version');
  const schema = file.schema();
  const segments = decodeSegments(readRecord(file, structureId), schema);
  const averages = new VarintReader(readRecord(file, averagesId), 0);
  const rows = averages.next();
  const tokens = averages.next() + averages.next();
  return { schema, segments, rows, tokens };
}

function readRecord(file: SqliteFile, id: number, index: IndexName = 'passage_words'): Uint8Array {
  const row = file.get<{ block: unknown }>(`SELECT block FROM ${index}_data WHERE id = ?`, id);
  if (!(row?.block instanceof Uint8Array)) throw new UnsupportedIndexFormat(`no record ${id}`);
  return row.block;
}

/** How many numbers the record has for each segment; five more where rows are deleted by tombstones. */
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
    // Check before reading: a damaged record can hold any numbers.
    if (numbers.at + inLevel * size > record.length) throw new UnsupportedIndexFormat('a short structure');
    const segments = Array.from({ length: inLevel }, () => Array.from({ length: size }, () => numbers.next()));
    levels.push({ merging, segments });
  }
  return { hasTombstones, segmentCount, levels, isWhole: numbers.at === record.length };
}

function decodeSegments(record: Uint8Array, schema: number): IndexSegment[] {
  const { hasTombstones, segmentCount, levels, isWhole } = decodeLevels(record);
  if (!hasTombstones) throw new UnsupportedIndexFormat('another kind of structure');
  const byLevel = levels.map(({ merging, segments }, level) => {
    // While the previous level is being merged, the last segment of this level receives the result.
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

/** @param numbers id, first and last page, first and last write it comes from, tombstone pages, deleted rows, rows */
function segmentOf(numbers: readonly number[], schema: number | null): IndexSegment {
  const [id = 0, firstPage = 0, lastPage = 0, firstOrigin, lastOrigin, tombstonePages = 0, , rows] = numbers;
  const identity = schema === null ? null : [schema, id, firstPage, lastPage, firstOrigin, lastOrigin, rows].join(' ');
  return { id, firstPage, lastPage, tombstonePages, identity };
}
