import { matchAny, type QueryTerm } from './lexical.ts';
import type { SqliteFile } from './sqlite-file.ts';

export interface WeighedTerm extends QueryTerm {
  /** In how many passages it occurs. */
  passages: number;
}

/** Counting a common term reads its whole list; the count of one in so many passages is kept for a while. */
const keptFrom = 1_000;
const mostKept = 5_000;
/** A kept count is used until the account has grown or shrunk by this share: rarity is a logarithm. */
const keptWithin = 0.02;

const keptCounts = new WeakMap<SqliteFile, Map<string, { passages: number; total: number }>>();

/** The rarity of a term as FTS5's `bm25()` computes it. */
export function idf(total: number, passages: number): number {
  return Math.max(1e-6, Math.log((total - passages + 0.5) / (passages + 0.5)));
}

export function weigh(file: SqliteFile, term: QueryTerm, total: number): WeighedTerm {
  const kept = keptCounts.get(file) ?? new Map<string, { passages: number; total: number }>();
  keptCounts.set(file, kept);
  const expression = matchAny([term]);
  const known = kept.get(expression);
  if (known !== undefined && Math.abs(known.total - total) <= total * keptWithin) {
    return { ...term, passages: Math.min(known.passages, total) };
  }
  const passages =
    file.get<{ count: number }>('SELECT count(*) AS count FROM passage_words WHERE passage_words MATCH ?', expression)
      ?.count ?? 0;
  if (passages >= keptFrom) {
    if (kept.size >= mostKept) kept.clear();
    kept.set(expression, { passages, total });
  }
  return { ...term, passages: Math.min(passages, total) };
}
