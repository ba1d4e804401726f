import { bestFirst } from '../../domain/passage.ts';
import { deletedPassages } from './deleted.ts';
import { matchAny, type QueryTerm } from './lexical.ts';
import type { SqliteFile } from './sqlite-file.ts';

/*
 * BM25 is a sum over a question's terms, and what a term gives a passage does not depend on the others. So for terms that many
 * passages have it is kept: reading it is most of what a search by words costs, and common words are asked for again and again.
 */

/** What passages get for a term, or for some together; in the order of their ids. */
interface TermScores {
  ids: ArrayLike<number>;
  scores: ArrayLike<number>;
}

/** So many are kept of an account's file: 16 bytes each. */
const mostKept = 250_000;

/** As long as nobody writes to the file: then rarities and lengths are others. */
class KeptScores {
  readonly #terms = new Map<string, TermScores>();
  readonly #seen = new Set<string>();
  #count = 0;

  find(term: string): TermScores | undefined {
    const found = this.#terms.get(term);
    if (found === undefined) return undefined;
    // To the end of the line: what was used longest ago goes first.
    this.#terms.delete(term);
    this.#terms.set(term, found);
    return found;
  }

  keep(term: string, found: TermScores): void {
    this.#terms.set(term, found);
    this.#count += found.ids.length;
    for (const [oldest, { ids }] of this.#terms) {
      if (this.#count <= mostKept) return;
      this.#terms.delete(oldest);
      this.#count -= ids.length;
    }
  }

  /** Whether it is worth keeping: when it is kept, or asked for a second time. */
  asksAgain(term: string): boolean {
    if (this.#terms.has(term) || this.#seen.has(term)) return true;
    this.#seen.add(term);
    return false;
  }
}

/** The passages that have a term, where they are kept. */
export function keptPassages(file: SqliteFile, term: QueryTerm): ArrayLike<number> | undefined {
  return keptScores(file).find(matchAny([term]))?.ids;
}

function keptScores(file: SqliteFile): KeptScores {
  return file.remember('term scores', () => new KeptScores());
}

function readScores(file: SqliteFile, terms: readonly QueryTerm[]): TermScores {
  const rows = file.all<{ id: number; score: number }>(
    'SELECT rowid AS id, -bm25(passage_words, 2.0, 1.0) AS score FROM passage_words WHERE passage_words MATCH ?',
    matchAny(terms),
  );
  const found = { ids: new Float64Array(rows.length), scores: new Float64Array(rows.length) };
  for (const [at, { id, score }] of rows.entries()) [found.ids[at], found.scores[at]] = [id, score];
  return found;
}

interface CountedTerm extends QueryTerm {
  passages: number;
}

/** Terms of fewer passages are read anew each time, all of them at once. */
const keptFrom = 200;

/**
 * Scores the passages that have one of the candidates by all terms, and lets the best through, best first.
 * @returns null where the index does it as fast: no term is common, or a common one is asked for the first time
 */
export function rankByKept(
  file: SqliteFile,
  candidates: readonly CountedTerm[],
  companions: readonly CountedTerm[],
  limit: number,
): { passageId: number; score: number }[] | null {
  const common = candidates.filter(({ passages }) => passages >= keptFrom);
  if (common.length + companions.length === 0) return null;
  const kept = keptScores(file);
  const areKnown = [...common, ...companions].map((term) => kept.asksAgain(matchAny([term])));
  if (areKnown.includes(false)) return null;
  const scoresOf = (term: QueryTerm): TermScores => {
    const key = matchAny([term]);
    const known = kept.find(key);
    if (known !== undefined) return known;
    const found = readScores(file, [term]);
    kept.keep(key, found);
    return found;
  };
  const rare = candidates.filter(({ passages }) => passages < keptFrom);
  const having = [...common.map(scoresOf), ...(rare.length > 0 ? [readScores(file, rare)] : [])];
  const adding = companions.map(scoresOf);
  const deleted = new Set(file.all<{ id: number }>(deletedPassages).map(({ id }) => id));
  const best = bestOf(having, adding, limit, deleted);
  // Where candidates are few, whatever has a term is one.
  return best.length < limit && adding.length > 0 ? bestOf([...having, ...adding], [], limit, deleted) : best;
}

/** Walks over all lists at once, in the order of the ids. */
function bestOf(
  having: readonly TermScores[],
  adding: readonly TermScores[],
  limit: number,
  leftOut: ReadonlySet<number>,
): { passageId: number; score: number }[] {
  const lists = [...having, ...adding];
  const places = lists.map(() => 0);
  const best: { passageId: number; score: number }[] = [];
  let least = -Infinity;
  for (;;) {
    let passageId = Infinity;
    for (let list = 0; list < having.length; list += 1)
      passageId = Math.min(passageId, having[list]?.ids[places[list] ?? 0] ?? Infinity);
    if (passageId === Infinity) break;
    let score = 0;
    for (const [list, { ids, scores }] of lists.entries()) {
      let place = places[list] ?? 0;
      while ((ids[place] ?? Infinity) < passageId) place += 1;
      if (ids[place] === passageId) {
        score += scores[place] ?? 0;
        place += 1;
      }
      places[list] = place;
    }
    if (score <= least || leftOut.has(passageId)) continue;
    best.push({ passageId, score });
    // Sorting now and then is cheaper than keeping order all the time.
    if (best.length >= 2 * limit) least = keepBest(best, limit);
  }
  keepBest(best, limit);
  return best;
}

/** Sorts, and drops all but `limit`. @returns the score that a further one has to surpass */
function keepBest(best: { passageId: number; score: number }[], limit: number): number {
  best.sort(bestFirst);
  if (best.length < limit) return -Infinity;
  best.length = limit;
  return best.at(-1)?.score ?? -Infinity;
}
