import { unlessNotUnderstood } from '../full-text/unsupported-index-format.ts';
import { type IndexName, type Level, readLevels } from '../full-text/structure.ts';
import { hasDueJob, nextLeaseEndsAt } from '../../queue/jobs.ts';
import type { SqliteFile } from '../../files/sqlite-file.ts';

/*
 * Every transaction writes its words as a segment of the full-text index, on level 0 of it; a search looks into each segment. Merging while
 * something is imported would cost as much as the import: the index itself begins at 64 segments of a level (migration 13), in small
 * portions. The rest is done when nothing else is: all segments of a level become one of the next, until each level has one.
 */

const indexes: readonly IndexName[] = ['passage_words', 'item_titles'];

/** From so many segments on they are merged while jobs are running, too: embedding takes hours in which people search. */
const crowded = 16;
/** Pages of 4 kB written in one transaction: some 20 ms, in which nobody else writes and the event loop stands still. */
const pagesAtOnce = 64;

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

function nextToMerge(file: SqliteFile, now: number): IndexName | undefined {
  const found = indexes.map((index) => ({ index, levels: levelsOf(file, index) }));
  const full = found.find(({ levels }) => levels.reduce((sum, { segments }) => sum + segments.length, 0) >= crowded);
  if (full !== undefined) return full.index;
  const open = found.find(({ levels }) => levels.some(({ merging, segments }) => merging > 0 || segments.length > 1));
  return open !== undefined && isIdle(file, now) ? open.index : undefined;
}

function isIdle(file: SqliteFile, now: number): boolean {
  return !hasDueJob(file, now) && nextLeaseEndsAt(file) === null;
}

/** None where the index is damaged: that it is one the index itself says to who reads or writes. */
export function levelsOf(file: SqliteFile, index: IndexName): Level[] {
  return unlessNotUnderstood(() => readLevels(file, index)) ?? [];
}
