import type { RankedPassage } from '../../../../domain/records/passage.ts';
import { type FullText, fullTextOf, longList } from '../full-text/full-text.ts';
import { Neighbours } from '../full-text/neighbours.ts';
import { unlessUnsupported } from '../full-text/unsupported-index-format.ts';
import { idf } from '../full-text/score-sums.ts';
import { adjacentWords, type QueryTerm } from '../../../../domain/search/index-terms.ts';
import type { SqliteFile } from '../../files/sqlite-file.ts';
import { indexedLanguages } from './indexed-languages.ts';
import { passagesWithPair } from './fts5-ranking.ts';
import type { CountedTerm } from './word-statistics.ts';

/** The bonus for two neighbouring words of the query, in units of the sum of their idfs. */
const adjacentPerIdf = 0.1;

/** The positions of a word in more passages are not read: FTS5 finds a pair with it starting from the rarer word. */
const maxPassages = 100_000;

interface Size {
  /** Passages of the account. */
  total: number;
  /** How many passages with the rarer words of pairs FTS5 may read; 0: no bonus for pairs. */
  pairs: number;
}

/** The bonus of each passage for neighbouring words of the query. */
export function findNeighbours(
  file: SqliteFile,
  query: string,
  terms: readonly CountedTerm[],
  hits: readonly RankedPassage[],
  { total, pairs: maxPairs }: Size,
): Map<number, number> {
  const bonus = new Map<number, number>();
  const counted = new Map(terms.map((term) => [term.text, term]));
  const passagesWith = ({ text }: QueryTerm) => counted.get(text)?.passages ?? total;
  const pairs = adjacentWords(query, terms, indexedLanguages(file))
    .map((pair) => ({ pair, rarer: Math.min(...pair.map(passagesWith)) }))
    .filter(({ rarer }) => rarer > 0)
    .sort((a, b) => a.rarer - b.rarer);
  if (pairs.length === 0 || maxPairs === 0) return bonus;
  const index = fullTextOf(file);
  /** Function words are in so many passages that their lists would displace others from the cache. */
  const isKept = ({ text }: QueryTerm) => (counted.get(text)?.passages ?? Infinity) < longList;
  const ids = Uint32Array.from(hits, ({ passageId }) => passageId).sort();
  let read = 0;
  for (const { pair, rarer } of pairs) {
    const mayRead = pair.every((term) => passagesWith(term) <= maxPassages);
    const direct = index === null || !mayRead ? null : unlessUnsupported(() => findPair(index, pair, ids, isKept));
    if (direct === null) read += rarer;
    if (direct === null && read > maxPairs) continue;
    const weight = adjacentPerIdf * pair.reduce((sum, term) => sum + idf(total, passagesWith(term)), 0);
    for (const id of direct ?? passagesWithPair(file, pair)) bonus.set(id, (bonus.get(id) ?? 0) + weight);
  }
  return bonus;
}

/** @param ids of the passages to check, ascending */
function findPair(
  index: FullText,
  pair: readonly [QueryTerm, QueryTerm],
  ids: Uint32Array,
  isKept: (term: QueryTerm) => boolean,
): number[] {
  const find = (term: QueryTerm) => (isKept(term) ? index.findForms(term) : index.findFormsAmong(term, ids));
  const [first, second] = [find(pair[0]), find(pair[1])];
  const neighbours = new Neighbours();
  const found = first.flatMap((before) => second.flatMap((after) => [...neighbours.among(ids, before, after)]));
  return first.length * second.length > 1 ? [...new Set(found)] : found;
}
