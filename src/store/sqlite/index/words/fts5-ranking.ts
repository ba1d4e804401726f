import { bestFirst, type RankedPassage } from '../../../../domain/records/passage.ts';
import type { PassageFilter } from '../../../records/search-records.ts';
import type { QueryTerm } from '../../../../domain/search/index-terms.ts';
import { matchAny, matchPair } from '../match-expressions.ts';
import { filterCondition } from '../passage-filter.ts';
import { indexedLanguages } from './indexed-languages.ts';
import type { SqliteFile } from '../../files/sqlite-file.ts';

/*
 * The same search by FTS5, one statement at a time: used when the index cannot be read directly, and for comparison.
 * FTS5 counts compounds by their ends in the lengths of passages, so passages that have them rank a little lower here.
 */

/** The best of the passages that have one of the candidates, scored by all terms. */
export function rankByStatements(
  file: SqliteFile,
  candidates: readonly QueryTerm[],
  companions: readonly QueryTerm[],
  filter: PassageFilter,
  limit: number,
): RankedPassage[] {
  const alone = rankMatches(file, matchAny(candidates), filter, limit);
  if (companions.length === 0) return alone;
  // The filter lets few candidates through, or the candidate terms share their passages: rank every passage with any
  // term.
  if (alone.length < limit) return rankMatches(file, matchAny([...candidates, ...companions]), filter, limit);
  // BM25 is a sum over terms. The best passages are in one of two lists: candidates with a companion by their full
  // score, or candidates by the score of the candidate terms alone. For a passage in both, the full score is the
  // greater one.
  const together = rankMatches(file, `(${matchAny(candidates)}) AND (${matchAny(companions)})`, filter, limit);
  const hits = new Map([...alone, ...together].map((hit) => [hit.passageId, hit]));
  return [...hits.values()].sort(bestFirst).slice(0, limit);
}

function rankMatches(file: SqliteFile, expression: string, filter: PassageFilter, limit: number): RankedPassage[] {
  // The unary plus keeps SQLite from starting at the filter and asking the full-text index about one row at a time.
  const { sql, parameters } = filterCondition('+passage_words.rowid', filter, indexedLanguages(file));
  return file.all<RankedPassage>(
    `SELECT hit.passageId, c.id AS contentId, -hit.negativeScore AS score
     FROM (
       SELECT rowid AS passageId, bm25(passage_words, 2.0, 1.0) AS negativeScore FROM passage_words
       WHERE passage_words MATCH ? ${sql}
       ORDER BY bm25(passage_words, 2.0, 1.0), rowid LIMIT ?
     ) hit
     JOIN passages p ON p.id = hit.passageId JOIN items c ON c.seq = p.item
     ORDER BY hit.negativeScore, hit.passageId`,
    expression,
    ...parameters,
    limit,
  );
}

/** The passages in which two words are next to each other. */
export function passagesWithPair(file: SqliteFile, [first, second]: readonly [QueryTerm, QueryTerm]): number[] {
  return file
    .all<{ id: number }>('SELECT rowid AS id FROM passage_words WHERE passage_words MATCH ?', matchPair(first, second))
    .map(({ id }) => id);
}
