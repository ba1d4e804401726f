import { bestFirst, type LexicalHits, type RankedPassage } from '../../domain/passage.ts';
import { literalsIn, literalsOf } from '../../domain/literals.ts';
import type { PassageFilter } from '../search-records.ts';
import { adjacentWords, indexForm, matchAny, type QueryTerm, queryTerms } from './lexical.ts';
import { nameItems } from './item-names.ts';
import { filterCondition } from './passage-filter.ts';
import { countPassages, readPassages } from './passages.ts';
import type { SqliteFile } from './sqlite-file.ts';
import { keptPassages, rankByKept } from './term-scores.ts';
import { createWeigh, idf, meeting, type Weigh, type WeighedTerm } from './word-statistics.ts';

/**
 * In a large account terms of over 40 % of passages are not ranked while two rarer ones remain: they cost most and
 * change little. A lower share takes words of the subject where everything is about one.
 */
const commonTermsCostFrom = 10_000;
const commonShare = 0.4;
const fewestTerms = 2;

/** BM25's k1 + 1 (FTS5 has k1 = 1.2): what a term gives at most, in units of its idf. */
const mostPerIdf = 2.2;
/** What two words of the question that stand next to each other give, in units of both idfs. */
const adjacentPerIdf = 0.1;

/** How much of the index a search may score: about a microsecond a posting. */
interface WordBudget {
  /** Postings of the rarest terms, whose passages are candidates. */
  candidates: number;
  /** Postings of the further terms, which only add to what candidates have. */
  companions: number;
  /** Postings of the rarer words of pairs that stand next to each other. */
  pairs: number;
  /** Whether the index ranks whatever is asked: for a comparison. */
  asStatements?: boolean;
}

function budgetFor(total: number): WordBudget {
  const candidates = Math.max(1_500, total * 0.01);
  return { candidates, companions: Math.max(20_000, total * 0.1), pairs: candidates };
}

interface GivenToSearchWords {
  /** By default what the size of the account allows. */
  budget?: WordBudget;
  /** Of this transaction, when terms of the question have been counted in it before. */
  weigh?: Weigh;
}

/**
 * The passages that BM25 ranks highest, and those with neighbouring words of the question higher. Where the terms have more
 * postings than the budget, only passages with one of the rarest are looked at; their scores count the other terms, too.
 */
export function searchWords(
  file: SqliteFile,
  query: string,
  filter: PassageFilter,
  limit: number,
  given: GivenToSearchWords = {},
): LexicalHits {
  const terms = queryTerms(query);
  if (terms.length === 0) return { hits: [], idealScore: 0 };
  return file.read(() => {
    const total = countPassages(file);
    if (total === 0) return { hits: [], idealScore: 0 };
    const weighed = finishLast(query, terms, given.weigh ?? createWeigh(file, total));
    const ranked = withoutCommon(weighed, total);
    const idealScore = ranked.reduce((sum, term) => sum + mostPerIdf * idf(total, term.passages), 0);
    const spend = given.budget ?? budgetFor(total);
    const hits = rankPassages(file, ranked, filter, limit, spend);
    if (hits.length === 0) return { hits, idealScore };
    const neighbours = withBonus(hits, adjacency(file, query, weighed, total, spend.pairs), idealScore);
    const literal = rankLiterals(file, query, neighbours, total);
    if (literal === null) return { hits: neighbours, idealScore };
    return { hits: withBonus(neighbours, literal.bonus, Infinity), idealScore: idealScore + literal.ideal };
  });
}

/** From so many letters on the beginning of a word says something. */
const leastPrefix = 3;

/** Counts the terms; one at the end of the question that is nowhere may be the beginning of a word. */
function finishLast(query: string, terms: readonly QueryTerm[], weigh: Weigh): WeighedTerm[] {
  const weighed = terms.map(weigh);
  const last = weighed.at(-1);
  if (last === undefined || last.passages > 0 || last.isPrefix || last.text.length < leastPrefix) return weighed;
  if (!indexForm(query).toLowerCase().trimEnd().endsWith(last.text)) return weighed;
  return [...weighed.slice(0, -1), weigh({ text: last.text, isPrefix: true })];
}

/**
 * Leaves out the commonest terms while at least two rarer ones remain. Terms that occur nowhere do not count as rarer
 * ones.
 */
function withoutCommon(terms: readonly WeighedTerm[], total: number): readonly WeighedTerm[] {
  if (total < commonTermsCostFrom) return terms;
  const isCommon = ({ passages }: WeighedTerm) => passages > total * commonShare;
  const rare = terms.filter((term) => !isCommon(term));
  const missing = fewestTerms - rare.filter(({ passages }) => passages > 0).length;
  if (missing <= 0) return rare;
  return [...rare, ...rarestFirst(terms.filter(isCommon)).slice(0, missing)];
}

function rarestFirst(terms: readonly WeighedTerm[]): WeighedTerm[] {
  return terms.toSorted((a, b) => a.passages - b.passages);
}

/** Candidates are there for `limit` hits at least, and for the rarest term whatever it costs. */
function split(terms: readonly WeighedTerm[], limit: number, budget: WordBudget): [WeighedTerm[], WeighedTerm[]] {
  const candidates: WeighedTerm[] = [];
  const companions: WeighedTerm[] = [];
  let [found, added] = [0, 0];
  for (const term of rarestFirst(terms.filter(({ passages }) => passages > 0))) {
    if (companions.length === 0 && (found < limit || found + term.passages <= budget.candidates)) {
      candidates.push(term);
      found += term.passages;
    } else if (candidates.length + companions.length < fewestTerms || added + term.passages <= budget.companions) {
      companions.push(term);
      added += term.passages;
    }
  }
  return [candidates, companions];
}

function rankPassages(
  file: SqliteFile,
  terms: readonly WeighedTerm[],
  filter: PassageFilter,
  limit: number,
  budget: WordBudget,
): RankedPassage[] {
  const [candidates, companions] = split(terms, limit, budget);
  if (candidates.length === 0) return [];
  const isNarrowed = Object.values(filter).some((value) => value !== undefined && value.length !== 0);
  const known = isNarrowed || budget.asStatements === true ? null : rankByKept(file, candidates, companions, limit);
  if (known !== null) return nameItems(file, known);
  const alone = rankMatches(file, matchAny(candidates), filter, limit);
  if (companions.length === 0) return alone;
  // Few of the candidates are let through, or they are the same passages: then all are looked at.
  if (alone.length < limit) {
    return rankMatches(file, matchAny(terms), filter, limit);
  }
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

/** What passages get for neighbouring words of the question; looked up while the rarer word of a pair is rare enough. */
function adjacency(
  file: SqliteFile,
  query: string,
  terms: readonly WeighedTerm[],
  total: number,
  most: number,
): Map<number, number> {
  const bonus = new Map<number, number>();
  const weighed = new Map(terms.map((term) => [term.text, term]));
  const passagesWith = ({ text }: QueryTerm) => weighed.get(text)?.passages ?? total;
  const pairs = adjacentWords(query, terms)
    .map((pair) => ({ pair, rarer: Math.min(...pair.map(passagesWith)) }))
    .sort((a, b) => a.rarer - b.rarer);
  let read = 0;
  for (const { pair, rarer } of pairs) {
    read += rarer;
    if (rarer === 0 || read > most) continue;
    const reach = reachOf(pair.map((term) => weighed.get(term.text)?.ids ?? keptPassages(file, term)));
    if (reach === null) continue;
    const weight = adjacentPerIdf * pair.reduce((sum, term) => sum + idf(total, passagesWith(term)), 0);
    const matches = file.all<{ id: number }>(
      'SELECT rowid AS id FROM passage_words WHERE passage_words MATCH ? AND rowid BETWEEN ? AND ?',
      `"${pair.map(({ text }) => text).join(' ')}"`,
      ...reach,
    );
    for (const { id } of matches) bonus.set(id, (bonus.get(id) ?? 0) + weight);
  }
  return bonus;
}

/** Between which passages two words may stand next to each other: those that have both, as far as that is known. */
function reachOf([one, other]: (ArrayLike<number> | undefined)[]): [least: number, most: number] | null {
  if (one !== undefined && other !== undefined) return meeting(one, other);
  const known = one ?? other;
  if (known === undefined) return [0, Number.MAX_SAFE_INTEGER];
  return known.length === 0 ? null : [known[0] ?? 0, known[known.length - 1] ?? 0];
}

/** So many of the best passages are looked at for words with their signs. */
const mostWithSigns = 400;
/** What a word with its signs gives, in units of its idf: a little more than a word that stands once in a passage. */
const literalPerIdf = 1.5;

/**
 * What passages get for words that the question has with signs (C++, $3.75), of which the index knows the pieces only; null where
 * it has none, or no passage has one.
 */
function rankLiterals(
  file: SqliteFile,
  query: string,
  hits: readonly RankedPassage[],
  total: number,
): { bonus: Map<number, number>; ideal: number } | null {
  const literals = literalsOf(query);
  if (literals.length === 0) return null;
  const ids = hits.slice(0, mostWithSigns).map(({ passageId }) => passageId);
  const found = readPassages(file, ids).map(({ passageId, text, headingPath, itemTitle }) => ({
    passageId,
    literals: literalsIn([itemTitle ?? '', ...headingPath, text].join('\n'), literals),
  }));
  const bonus = new Map<number, number>();
  let ideal = 0;
  for (const literal of literals) {
    const having = found.filter((one) => one.literals.includes(literal));
    if (having.length === 0) continue;
    const rarity = idf(Math.max(total, having.length * 3), having.length);
    ideal += mostPerIdf * rarity;
    for (const { passageId } of having) bonus.set(passageId, (bonus.get(passageId) ?? 0) + literalPerIdf * rarity);
  }
  return bonus.size === 0 ? null : { bonus, ideal };
}

/** No score passes the ideal one. */
function withBonus(hits: RankedPassage[], bonus: ReadonlyMap<number, number>, ideal: number): RankedPassage[] {
  if (bonus.size === 0) return hits;
  return hits
    .map((hit) => ({ ...hit, score: Math.min(ideal, hit.score + (bonus.get(hit.passageId) ?? 0)) }))
    .sort(bestFirst);
}
