import { idf } from './bm25.ts';
import { fullTextOf } from './full-text.ts';
import { adjacentWords, type QueryTerm } from '../../../../domain/search/index-terms.ts';
import type { SqliteFile } from '../../files/sqlite-file.ts';
import { matchPair } from '../match-expressions.ts';
import { indexedLanguages } from './indexed-languages.ts';
import type { CountedTerm } from './word-statistics.ts';

/** The bonus for two neighbouring words of the query, in units of the sum of their idfs. */
const adjacentPerIdf = 0.1;

/** What skipping a posting costs, in units of reading one. */
const skipped = 0.3;

interface Size {
  /** Passages of the account. */
  total: number;
  /** How many postings of pairs FTS5 may read; 0: no bonus for pairs. */
  pairs: number;
}

/** The bonus of each passage for neighbouring words of the query. */
export function findNeighbours(
  file: SqliteFile,
  query: string,
  terms: readonly CountedTerm[],
  { total, pairs: maxRead }: Size,
): Map<number, number> {
  const bonus = new Map<number, number>();
  const counted = new Map(terms.map((term) => [term.text, term]));
  const passagesWith = ({ text }: QueryTerm) => counted.get(text)?.passages ?? total;
  const pairs = adjacentWords(query, terms, indexedLanguages(file))
    .map((pair) => ({ pair, passages: pair.map(passagesWith) }))
    .filter(({ passages }) => Math.min(...passages) > 0)
    .sort((a, b) => Math.min(...a.passages) - Math.min(...b.passages));
  const index = fullTextOf(file);
  let read = 0;
  for (const { pair, passages } of pairs) {
    if (!index.mayMeet(...pair)) continue;
    // FTS5 starts from the rarer word and skips through the postings of the other one.
    read += Math.min(...passages) + Math.max(...passages) * skipped;
    if (read > maxRead) continue;
    const weight = adjacentPerIdf * passages.reduce((sum, count) => sum + idf(total, count), 0);
    for (const id of index.matching(matchPair(...pair))) bonus.set(id, (bonus.get(id) ?? 0) + weight);
  }
  return bonus;
}
