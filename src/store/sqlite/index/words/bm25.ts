import { bestFirst } from '../../../../domain/records/passage.ts';
import type { SqliteFile } from '../../files/sqlite-file.ts';
import { type Narrowing, narrowingOf } from '../narrowing.ts';
import type { Postings } from './full-text.ts';
import { Lengths, readAverages } from './lengths.ts';

/** The constants of FTS5. */
const k1 = 1.2;
const b = 0.75;
const minIdf = 1e-6;
/** The most that a term adds to a score, in units of its idf. */
export const maxPerIdf = k1 + 1;

/** The inverse document frequency (idf) of a term, as FTS5's `bm25()` computes it. */
export function idf(total: number, passages: number): number {
  return Math.max(minIdf, Math.log((total - passages + 0.5) / (passages + 0.5)));
}

/** See `readAverages`. */
function averagesOf(lengths: Lengths, { passages }: Narrowing): { rows: number; average: number } {
  // A card has the average length, and counts for nothing here.
  const known = lengths.of(Float64Array.from(passages).sort(), 0).filter((length) => length > 0);
  return { rows: passages.size, average: known.reduce((sum, length) => sum + length, 0) / known.length || 1 };
}

const lengthsOf = new WeakMap<SqliteFile, Lengths>();

/**
 * The best of the passages that have one of the candidates, best first, by BM25 over all terms (Robertson and Zaragoza,
 * "The Probabilistic Relevance Framework", 2009). Scores are those of `bm25()` in FTS5, apart from the lengths.
 */
export function rank(
  file: SqliteFile,
  candidates: readonly Postings[],
  companions: readonly Postings[],
  limit: number,
  isLeftOut: (passageId: number) => boolean,
): { passageId: number; score: number }[] {
  const lengths = lengthsOf.get(file) ?? new Lengths(file);
  lengthsOf.set(file, lengths);
  lengths.forgetOutdated();
  const narrowing = narrowingOf(file);
  const { rows, average } = narrowing === undefined ? readAverages(file) : averagesOf(lengths, narrowing);
  const ids = sortedIds(candidates);
  const scores = new Float64Array(ids.length);
  for (const postings of [...candidates, ...companions]) {
    const rarity = idf(rows, postings.ids.length);
    const lengthsHere = lengths.of(postings.ids, average);
    let place = 0;
    for (let at = 0; at < postings.ids.length && place < ids.length; at += 1) {
      const id = postings.ids[at] ?? 0;
      while ((ids[place] ?? Infinity) < id) place += 1;
      if (ids[place] !== id) continue;
      const norm = k1 * (1 - b + (b * (lengthsHere[at] ?? 0)) / average);
      const frequency = postings.frequencies[at] ?? 0;
      scores[place] = (scores[place] ?? 0) + rarity * ((frequency * maxPerIdf) / (frequency + norm));
    }
  }
  for (const [at, id] of ids.entries()) if (isLeftOut(id)) scores[at] = -Infinity;
  const least = scores.toSorted().at(-limit) ?? 0;
  const best: { passageId: number; score: number }[] = [];
  for (const [at, score] of scores.entries())
    if (score >= least && score > 0) best.push({ passageId: ids[at] ?? 0, score });
  return best.sort(bestFirst).slice(0, limit);
}

/** Typed arrays are sorted ten times as fast as others. */
function sortedIds(lists: readonly Postings[]): Float64Array {
  const all = new Float64Array(lists.reduce((sum, { ids }) => sum + ids.length, 0));
  let count = 0;
  for (const { ids } of lists) {
    all.set(ids, count);
    count += ids.length;
  }
  const sorted = lists.length > 1 ? all.sort() : all;
  return sorted.filter((id, at) => id !== sorted[at - 1]);
}
