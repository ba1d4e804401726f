import { bestFirst, type RankedPassage } from '../../../../domain/records/texts/passage.ts';
import type { PassageFilter } from '../../../records/search-records.ts';
import { hasWords, literalsIn, literalsOf } from '../../../../domain/search/literals.ts';
import {
  indexForm,
  isUnspaced,
  queryTerms,
  withJoinedWords,
  adjacentWords,
  type QueryTerm,
} from '../../../../domain/search/index-terms.ts';
import { nameItems } from '../../items/items.ts';
import { passagesLeftOut, matchPair } from '../passage-filter.ts';
import { countPassages } from '../passages.ts';
import type { SqliteFile } from '../../files/sqlite-file.ts';
import { idf, maxPerIdf, rank } from './bm25.ts';
import { fullTextOf } from './full-text.ts';
import { indexedLanguages } from './indexed-languages.ts';
import { createDocumentFrequency, type DocumentFrequency, type CountedTerm } from './word-statistics.ts';
import { readPassageParts } from '../read-passages.ts';

/**
 * In a large account, terms in over 40 % of passages are not ranked while two rarer ones remain: they cost the most and
 * change little. With a lower share, a library about one subject would lose the words of that subject.
 */
const commonTermsCostFrom = 10_000;
const commonShare = 0.4;
const minTerms = 2;

/** How many postings of neighbouring pairs FTS5 may read. */
const maxPairPostings = 20_000;

interface LexicalHits {
  /** Best first; `score` is BM25, higher is better. */
  hits: RankedPassage[];
  /** Maximum BM25 score for this query, Σ 2.2·idf over its terms: the scale of `score`. 0 without terms. */
  idealScore: number;
}

interface GivenToSearchWords {
  /** Instead of `maxPairPostings`. */
  pairs?: number;
  /** From the same transaction, if the terms of the query have already been counted in it. */
  counted?: readonly CountedTerm[] | undefined;
}

/** The same as `searchWords`, with scores as shares of the ideal one, as the port has them. */
export function rankByWords(
  file: SqliteFile,
  query: string,
  filter: PassageFilter,
  limit: number,
  counted?: readonly CountedTerm[],
): RankedPassage[] {
  const { hits, idealScore } = searchWords(file, query, filter, limit, { counted });
  // A sum of floats may be above the ideal one by a rounding error.
  const shareOf = (score: number) => Math.min(1, score / idealScore);
  return hits.map(({ passageId, contentId, score }) => ({ passageId, contentId, score: shareOf(score) }));
}

/**
 * The passages that BM25 ranks highest; neighbouring words of the query raise a passage's score.
 */
export function searchWords(
  file: SqliteFile,
  query: string,
  filter: PassageFilter,
  limit: number,
  { pairs = maxPairPostings, counted: given }: GivenToSearchWords = {},
): LexicalHits {
  if (!hasWords(query)) return { hits: [], idealScore: 0 };
  return file.read(() => {
    const total = countPassages(file);
    if (total === 0) return { hits: [], idealScore: 0 };
    const counted = given ?? countWords(file, query, createDocumentFrequency(file, total));
    if (counted.length === 0) return { hits: [], idealScore: 0 };
    const ranked = withoutCommon(counted, total);
    const idealScore = ranked.reduce((sum, term) => sum + maxPerIdf * idf(total, term.passages), 0);
    const index = fullTextOf(file);
    const postings = ranked.map((term) => index.find(term));
    const hits = nameItems(file, rank(file, postings, limit, passagesLeftOut(file, filter)));
    if (hits.length === 0) return { hits, idealScore };
    const neighbours = withBonus(hits, findNeighbours(file, query, counted, { total, pairs }), idealScore);
    const literal = rankLiterals(file, query, neighbours, total);
    if (literal === null) return { hits: neighbours, idealScore };
    return { hits: withBonus(neighbours, literal.bonus, Infinity), idealScore: idealScore + literal.ideal };
  });
}

/** The minimum length of a word that is looked up as a prefix. */
const minPrefix = 3;

/** Counts the terms of a query. A term at its end that no passage has is looked up as a prefix. */
export function countWords(file: SqliteFile, query: string, documentFrequency: DocumentFrequency): CountedTerm[] {
  const terms = withJoinedWords(query, queryTerms(query, indexedLanguages(file)));
  const counted = documentFrequency(terms);
  const last = counted.at(-1);
  if (last === undefined || last.passages > 0 || last.isPrefix || last.text.length < minPrefix) return counted;
  if (!indexForm(query).toLowerCase().trimEnd().endsWith(last.text)) return counted;
  return [...counted.slice(0, -1), ...documentFrequency([{ ...last, isPrefix: true }])];
}

/** A word is rare in a query when its idf is more than this share of the sum over all words. */
const rareShare = 0.45;

/**
 * Whether the query has one rare word only and no passage of the item has it, however it is written. A pair of characters
 * is never that word beside others: it may be parts of two words.
 */
export function lacksRareWord(file: SqliteFile, counted: readonly CountedTerm[], contentId: string): boolean {
  const total = countPassages(file);
  const weights = counted.map(({ passages }) => idf(total, passages));
  const least = rareShare * weights.reduce((sum, weight) => sum + weight, 0);
  const [rare, another] = counted.filter((_, at) => (weights[at] ?? 0) > least);
  if (rare === undefined || another !== undefined) return false;
  if (counted.length > 1 && isUnspaced(rare)) return false;
  const sql = 'SELECT p.id FROM items c JOIN passages p ON p.item = c.seq WHERE c.id = ?';
  const passages = new Set(file.all<{ id: number }>(sql, contentId).map(({ id }) => id));
  return !fullTextOf(file)
    .find(rare)
    .ids.some((id) => passages.has(id));
}

/**
 * Leaves out the most common terms while at least two rarer ones remain. Terms that no passage has do not count as
 * rarer ones.
 */
function withoutCommon(terms: readonly CountedTerm[], total: number): readonly CountedTerm[] {
  if (total < commonTermsCostFrom) return terms;
  const isCommon = ({ passages }: CountedTerm) => passages > total * commonShare;
  const rare = terms.filter((term) => !isCommon(term));
  const missing = minTerms - rare.filter(({ passages }) => passages > 0).length;
  if (missing <= 0) return rare;
  const rarestFirst = terms.filter(isCommon).toSorted((a, b) => a.passages - b.passages);
  return [...rare, ...rarestFirst.slice(0, missing)];
}

/** Adds the bonuses; no score exceeds the ideal one. */
function withBonus(hits: RankedPassage[], bonus: ReadonlyMap<number, number>, ideal: number): RankedPassage[] {
  if (bonus.size === 0) return hits;
  return hits
    .map((hit) => ({ ...hit, score: Math.min(ideal, hit.score + (bonus.get(hit.passageId) ?? 0)) }))
    .sort(bestFirst);
}

/** How many of the best passages are checked for words with symbols. */
const maxWithSigns = 400;
/**
 * The bonus for a word with symbols, in units of its idf: a little more than for a word that occurs once in a passage.
 */
const literalPerIdf = 1.5;

/**
 * Bonuses for passages that contain words of the query with their symbols (C++, $3.75), of which the index has only the
 * pieces. Null when the query has none, or no passage contains one.
 */
function rankLiterals(
  file: SqliteFile,
  query: string,
  hits: readonly RankedPassage[],
  total: number,
): { bonus: Map<number, number>; ideal: number } | null {
  const literals = literalsOf(query);
  if (literals.length === 0) return null;
  const ids = hits.slice(0, maxWithSigns).map(({ passageId }) => passageId);
  const found = readPassageParts(file, ids).map(({ passageId, parts }) => ({
    passageId,
    literals: literalsIn(parts.join('\n'), literals),
  }));
  const bonus = new Map<number, number>();
  let ideal = 0;
  for (const literal of literals) {
    const having = found.filter((one) => one.literals.includes(literal));
    if (having.length === 0) continue;
    const rarity = idf(Math.max(total, having.length * 3), having.length);
    ideal += maxPerIdf * rarity;
    for (const { passageId } of having) bonus.set(passageId, (bonus.get(passageId) ?? 0) + literalPerIdf * rarity);
  }
  return bonus.size === 0 ? null : { bonus, ideal };
}

/** The bonus for two neighbouring words of the query, in units of the sum of their idfs. */
const adjacentPerIdf = 0.1;

/** The cost of skipping a posting, in units of reading one. */
const skipped = 0.3;

interface Size {
  /** Passages of the account. */
  total: number;
  /** How many postings of pairs FTS5 may read; 0: no bonus for pairs. */
  pairs: number;
}

/** The bonus of each passage for neighbouring words of the query. */
function findNeighbours(
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
