import { hasDueJob, nextLeaseEndsAt } from './jobs.ts';
import type { SqliteFile } from './sqlite-file.ts';

/*
 * Every transaction writes its words as a segment of the full-text index, on level 0 of it; a search looks into each segment. Merging while
 * something is imported would cost as much as the import: the index itself begins at 64 segments of a level (migration 13), in small
 * portions. The rest is done when nothing else is: all segments of a level become one of the next, until each level has one.
 */

const indexes = ['passage_words', 'item_titles'] as const;

/** From so many segments on they are merged while jobs are running, too: embedding takes hours in which people search. */
const crowded = 16;
/** Pages of 4 kB written in one transaction: some 20 ms, in which nobody else writes and the event loop stands still. */
const pagesAtOnce = 64;

interface Level {
  /** So many of its segments are being merged. */
  merging: number;
  segments: number;
}

/** Whether there is something to merge, and nothing else to do. */
export function hasWordsToMerge(file: SqliteFile, now: number): boolean {
  return nextToMerge(file, now) !== undefined;
}

/** Merges a little, if there is something to merge. */
export function mergeWords(file: SqliteFile, now: number): void {
  const index = nextToMerge(file, now);
  if (index === undefined) return;
  const before = changes(file);
  // The number has to be an integer for the index, and a bound one would be none.
  file.run(`INSERT INTO ${index} (${index}, rank) VALUES ('merge', ${pagesAtOnce})`);
  // Who asks again until nothing is left would ask for ever. The statement itself counts as one change.
  if (changes(file) - before < 2) throw new Error(`the index ${index} has segments to merge and does not merge them`);
}

function changes(file: SqliteFile): number {
  return file.get<{ count: number }>('SELECT total_changes() AS count')?.count ?? 0;
}

function nextToMerge(file: SqliteFile, now: number): (typeof indexes)[number] | undefined {
  const found = indexes.map((index) => ({ index, levels: levelsOf(file, index) }));
  const full = found.find(({ levels }) => levels.reduce((sum, { segments }) => sum + segments, 0) >= crowded);
  if (full !== undefined) return full.index;
  const open = found.find(({ levels }) => levels.some(({ merging, segments }) => merging > 0 || segments > 1));
  return open !== undefined && isIdle(file, now) ? open.index : undefined;
}

function isIdle(file: SqliteFile, now: number): boolean {
  return !hasDueJob(file, now) && nextLeaseEndsAt(file) === null;
}

const structureId = 10;
const withDeletions = 0xff000001;

/**
 * The levels of a full-text index, from the record in which it says which segments it has: 4 bytes of a cookie, 4 that
 * say that rows may have been deleted from it, then numbers of variable length (SQLite's `fts5StructureDecode`).
 */
export function levelsOf(file: SqliteFile, index: (typeof indexes)[number]): Level[] {
  const block = file.get<{ block: Buffer }>(`SELECT block FROM ${index}_data WHERE id = ${structureId}`)?.block;
  if (block === undefined) return [];
  const deletes = block.length >= 8 && block.readUInt32BE(4) === withDeletions;
  let at = deletes ? 8 : 4;
  const next = (): number => {
    let value = 0;
    for (let read = 1; ; read += 1) {
      const byte = block[at] ?? 0;
      at += 1;
      // The ninth byte has no mark of being the last one.
      if (read === 9) return value * 256 + byte;
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
  };
  const numbersOfSegment = deletes ? 8 : 3;
  const count = next();
  next(); // segments in all
  next(); // pages written
  const levels: Level[] = [];
  for (let level = 0; level < count; level += 1) {
    const [merging, segments] = [next(), next()];
    // Of a damaged record the numbers may be anything; that it is one the index itself says to who reads or writes.
    if (at + segments * numbersOfSegment > block.length) return [];
    for (let number = 0; number < segments * numbersOfSegment; number += 1) next();
    levels.push({ merging, segments });
  }
  return levels;
}
