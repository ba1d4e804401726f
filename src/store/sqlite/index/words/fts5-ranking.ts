import { bestFirst, type RankedPassage } from '../../../../domain/records/passage.ts';
import type { PassageFilter } from '../../../search-records.ts';
import { matchAny, type QueryTerm } from '../lexical.ts';
import { filterCondition } from '../passage-filter.ts';
import type { SqliteFile } from '../../files/sqlite-file.ts';

/*
 * The same ranking as FTS5 does it, a statement at a time: where the index cannot be read directly, and for a comparison.
 */

/** The best of the passages that have one of the candidates, by all terms. */
export function rankByStatements(
  file: SqliteFile,
  candidates: readonly QueryTerm[],
  companions: readonly QueryTerm[],
  filter: PassageFilter,
  limit: number,
): RankedPassage[] {
  const alone = rankMatches(file, matchAny(candidates), filter, limit);
  if (companions.length === 0) return alone;
  // Few of the candidates are let through, or they are the same passages: then all are looked at.
  if (alone.length < limit) return rankMatches(file, matchAny([...candidates, ...companions]), filter, limit);
  // BM25 is a sum over terms. The best of those with a companion, by the whole sum, and the best by the candidates' part of
  // it are all that can be among the best: who is in both lists has the greater sum in the first.
  const together = rankMatches(file, `(${matchAny(candidates)}) AND (${matchAny(companions)})`, filter, limit);
  const hits = new Map([...alone, ...together].map((hit) => [hit.passageId, hit]));
  return [...hits.values()].sort(bestFirst).slice(0, limit);
}

function rankMatches(file: SqliteFile, expression: string, filter: PassageFilter, limit: number): RankedPassage[] {
  // The unary plus keeps SQLite from starting at the filter and asking the full-text index about one row at a time.
  const { sql, parameters } = filterCondition('+passage_words.rowid', filter);
  return file.all<RankedPassage>(
    `SELECT hit.passageId, c.id AS contentId, -hit.negativeScore AS score
     FROM (
       SELECT rowid AS passageId, bm25(passage_words, 2.0, 1.0) AS negativeScore FROM passage_words
       WHERE passage_words MATCH ? ${sql}
       ORDER BY bm25(passage_words, 2.0, 1.0), rowid LIMIT ?
     ) hit
     JOIN passages p ON p.id = hit.passageId JOIN content c ON c.seq = p.content
     ORDER BY hit.negativeScore, hit.passageId`,
    expression,
    ...parameters,
    limit,
  );
}

/** The passages in which two words stand next to each other. */
export function passagesWithPair(file: SqliteFile, [first, second]: readonly [QueryTerm, QueryTerm]): number[] {
  return file
    .all<{ id: number }>(
      'SELECT rowid AS id FROM passage_words WHERE passage_words MATCH ?',
      `"${first.text} ${second.text}"`,
    )
    .map(({ id }) => id);
}
