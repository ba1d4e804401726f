import { matchAny, type QueryTerm } from './lexical.ts';
import type { SqliteFile } from './sqlite-file.ts';

export interface WeighedTerm extends QueryTerm {
  /** In how many passages it occurs. */
  passages: number;
  /** Those passages, in ascending order; null where they are many. */
  ids: ArrayLike<number> | null;
}

/** Says in how many passages a term occurs. */
export type Weigh = (term: QueryTerm) => WeighedTerm;

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

/** Looks each term up once: to be used within one transaction. */
export function createWeigh(file: SqliteFile, total: number): Weigh {
  const weighed = new Map<string, WeighedTerm>();
  return (term) => {
    const key = matchAny([term]);
    const known = weighed.get(key) ?? weigh(file, term, total);
    weighed.set(key, known);
    return known;
  };
}

function weigh(file: SqliteFile, term: QueryTerm, total: number): WeighedTerm {
  const kept = keptCounts.get(file) ?? new Map<string, { passages: number; total: number }>();
  keptCounts.set(file, kept);
  const expression = matchAny([term]);
  const known = kept.get(expression);
  if (known !== undefined && Math.abs(known.total - total) <= total * keptWithin) {
    return { ...term, passages: Math.min(known.passages, total), ids: null };
  }
  const found = file.get<{ passages: number; ids: string | null }>(
    `SELECT count(*) AS passages, CASE WHEN count(*) < ${keptFrom} THEN json_group_array(rowid) END AS ids
     FROM passage_words WHERE passage_words MATCH ?`,
    expression,
  );
  const passages = found?.passages ?? 0;
  if (passages >= keptFrom) {
    if (kept.size >= mostKept) kept.clear();
    kept.set(expression, { passages, total });
  }
  const ids = found === undefined || found.ids === null ? null : (JSON.parse(found.ids) as number[]);
  return { ...term, passages: Math.min(passages, total), ids };
}

/** The least and the largest of the passages that two terms have in common; null when there is none. */
export function meeting(one: ArrayLike<number>, other: ArrayLike<number>): [least: number, most: number] | null {
  let found: [number, number] | null = null;
  let at = 0;
  for (let index = 0; index < one.length; index += 1) {
    const id = one[index] ?? 0;
    while (at < other.length && (other[at] ?? 0) < id) at += 1;
    if (other[at] === id) found = [found?.[0] ?? id, id];
  }
  return found;
}
