import { hasDueJob } from '../../queue/claims.ts';
import type { SqliteFile } from '../../files/sqlite-file.ts';
import { VarintReader } from './bm25.ts';

/*
 * Every transaction writes its words as a new segment on level 0 of the full-text index, and a search looks into every
 * segment. Merging during an import would cost as much as the import: FTS5 itself begins at 64 segments on a level
 * (`schema.sql`), in small portions. The rest is merged when nothing else is to be done: all segments of a level become
 * one of the next level, until each level has one.
 */

/** Segments of one size; level 0 holds them as they were written. */
interface Level {
  /** How many of its segments are being merged. */
  merging: number;
  segments: number;
}

type IndexName = 'passage_words' | 'item_titles';
const indexes: readonly IndexName[] = ['passage_words', 'item_titles'];

/**
 * From this many segments on, they are merged even while jobs are running: embedding takes hours in which people
 * search.
 */
const crowded = 16;
/**
 * Pages of 4 kB written in one transaction: some 20 ms, in which nobody else can write and the event loop is blocked.
 */
const pagesAtOnce = 64;

/** Whether segments can be merged and nothing else is to be done (or there are very many segments). */
export function hasWordsToMerge(file: SqliteFile, now: number): boolean {
  return nextToMerge(file, now) !== undefined;
}

/** Merges a small portion, if there is something to merge. */
export function mergeWords(file: SqliteFile, now: number): void {
  const index = nextToMerge(file, now);
  if (index === undefined) return;
  const before = changes(file);
  // FTS5 needs an integer here, and a bound number would not be one.
  file.run(`INSERT INTO ${index} (${index}, rank) VALUES ('merge', ${pagesAtOnce})`);
  // A caller that repeats until nothing is left would never end. The statement itself counts as one change.
  if (changes(file) - before < 2) throw new Error(`the index ${index} has segments to merge and does not merge them`);
}

function changes(file: SqliteFile): number {
  return file.get<{ count: number }>('SELECT total_changes() AS count')?.count ?? 0;
}

function nextToMerge(file: SqliteFile, now: number): IndexName | undefined {
  const found = indexes.map((index) => ({ index, levels: levelsOf(file, index) }));
  const full = found.find(({ levels }) => levels.reduce((sum, { segments }) => sum + segments, 0) >= crowded);
  if (full !== undefined) return full.index;
  const open = found.find(({ levels }) => levels.some(({ merging, segments }) => merging > 0 || segments > 1));
  return open !== undefined && isIdle(file, now) ? open.index : undefined;
}

function isIdle(file: SqliteFile, now: number): boolean {
  return !hasDueJob(file, now) && file.get(`SELECT 1 FROM jobs WHERE state = 'claimed' LIMIT 1`) === undefined;
}

/** Where rows are deleted by tombstones, the record has eight numbers for each segment, otherwise three. */
const withTombstones = Buffer.from('ff000001', 'hex');

/**
 * Reads FTS5's structure record, as the comments in SQLite's fts5_index.c describe it. Empty when the index is damaged:
 * the index itself reports that to whoever reads or writes.
 */
export function levelsOf(file: SqliteFile, index: IndexName): Level[] {
  const block = file.get<{ block: unknown }>(`SELECT block FROM ${index}_data WHERE id = 10`)?.block;
  if (!(block instanceof Uint8Array)) return [];
  const hasTombstones = withTombstones.equals(block.subarray(4, 8));
  const size = hasTombstones ? 8 : 3;
  const numbers = new VarintReader(block, hasTombstones ? 8 : 4);
  const count = numbers.next();
  numbers.next(); // Segments.
  numbers.next(); // How often it was written to.
  const levels: Level[] = [];
  for (let level = 0; level < count; level += 1) {
    if (numbers.isAtEnd) return [];
    const [merging, segments] = [numbers.next(), numbers.next()];
    // Checked before reading: a damaged record can hold any numbers.
    if (numbers.at + segments * size > block.length) return [];
    for (let skipped = 0; skipped < segments * size; skipped += 1) numbers.next();
    levels.push({ merging, segments });
  }
  return levels;
}
