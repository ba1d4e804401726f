import { type FullText, fullTextOf } from '../full-text/full-text.ts';
import { unlessUnsupported } from '../full-text/unsupported-index-format.ts';
import type { QueryTerm } from '../../../../domain/search/index-terms.ts';
import { matchAny } from '../match-expressions.ts';
import type { SqliteFile } from '../../files/sqlite-file.ts';

export interface CountedTerm extends QueryTerm {
  /** In how many passages the term occurs. */
  passages: number;
}

/** Tells in how many passages a term occurs (its document frequency). */
export type DocumentFrequency = (term: QueryTerm) => CountedTerm;

/** Counting a common term reads its whole list, so counts of at least this many passages are cached. */
const keptFrom = 1_000;
const maxKept = 5_000;
/**
 * A cached count is used until the account has grown or shrunk by this share: idf is a logarithm, so it hardly changes.
 */
const keptWithin = 0.02;

const keptCounts = new WeakMap<SqliteFile, Map<string, { passages: number; total: number }>>();

/** Looks up each term once. Use within one transaction. */
export function createDocumentFrequency(file: SqliteFile, total: number): DocumentFrequency {
  const counted = new Map<string, CountedTerm>();
  const index = fullTextOf(file);
  return (term) => {
    const key = matchAny([term]);
    const known = counted.get(key) ?? { ...term, passages: count(file, index, term, total) };
    counted.set(key, known);
    return known;
  };
}

function count(file: SqliteFile, index: FullText | null, term: QueryTerm, total: number): number {
  const kept = keptCounts.get(file) ?? new Map<string, { passages: number; total: number }>();
  keptCounts.set(file, kept);
  const expression = matchAny([term]);
  const known = kept.get(expression);
  if (known !== undefined && Math.abs(known.total - total) <= total * keptWithin) {
    return Math.min(known.passages, total);
  }
  const passages = countDirectly(index, term) ?? countByStatement(file, expression);
  if (passages >= keptFrom) {
    if (kept.size >= maxKept) kept.clear();
    kept.set(expression, { passages, total });
  }
  return Math.min(passages, total);
}

function countDirectly(index: FullText | null, term: QueryTerm): number | null {
  return index === null ? null : unlessUnsupported(() => index.count(term));
}

function countByStatement(file: SqliteFile, expression: string): number {
  const found = file.get<{ passages: number }>(
    'SELECT count(*) AS passages FROM passage_words WHERE passage_words MATCH ?',
    expression,
  );
  return found?.passages ?? 0;
}
