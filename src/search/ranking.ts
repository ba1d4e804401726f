import { type PassageId, type RankedPassage, bestFirst } from '../domain/records/texts/passage.ts';
import type { RankBy } from '../domain/search/query-language.ts';
import type { IndexReader } from '../store/index-reader.ts';
import type { ItemSearch, Preference } from './item-search.ts';
import type { PassageFilter, QuestionVector } from '../store/records/search-records.ts';
import { allOf } from '../domain/search/filter.ts';
import { havingPhrases } from './passage-checks.ts';
import { functionWordsOf } from '../domain/search/question-language.ts';
import { foldedWord, wordsOf } from '../domain/text/words/words.ts';

/** Best first. */
export interface Ranking {
  ranked: readonly RankedPassage[];
  /** Passages that contain words of the query; null: all passages may be shown. */
  byWords: ReadonlySet<PassageId> | null;
  /** The greatest score by words alone. */
  bestByWords: number;
  /** The greatest score by meaning alone. */
  bestByMeaning: number;
}

/** Ranks by words and, when the query has a vector, by meaning. */
export function rankPassages(
  index: IndexReader,
  { text, filter, vector, depth, by }: ItemSearch & { by: RankBy },
): Ranking {
  const semantic = by === 'words' || vector === null ? null : nearest(index, vector, filter, depth);
  const bestByMeaning = semantic?.[0]?.score ?? 0;
  if (by === 'meaning') return { ranked: semantic ?? [], byWords: new Set(), bestByWords: 0, bestByMeaning };
  const lexical = index.searchWords(text, filter, depth);
  const bestByWords = lexical[0]?.score ?? 0;
  if (vector === null || semantic === null) return { ranked: lexical, byWords: null, bestByWords, bestByMeaning };
  const { minAlone } = vector;
  const ranked = fuseRankings(lexical, semantic, withoutVector(index, vector, lexical, semantic), { minAlone });
  return { ranked, byWords: new Set(lexical.map(({ passageId }) => passageId)), bestByWords, bestByMeaning };
}

/** The passages found by words that have no vector which the query's vector could have found. */
function withoutVector(
  index: IndexReader,
  { embedderId, before, everyPassage }: QuestionVector,
  byWords: readonly RankedPassage[],
  byMeaning: readonly RankedPassage[],
): ReadonlySet<PassageId> {
  const found = new Set(byMeaning.map(({ passageId }) => passageId));
  const asked = byWords.map(({ passageId }) => passageId).filter((id) => !found.has(id));
  const embedderIds = before === undefined ? [embedderId] : [embedderId, before.embedderId];
  return new Set(index.listWithoutVector(asked, embedderIds, everyPassage));
}

/**
 * A passage has one vector, of one embedder or the other. So the two lists share no passage, and their scores are on
 * the same scale.
 */
function nearest(
  index: IndexReader,
  { embedderId, values, unrelatedCosine, before }: QuestionVector,
  filter: PassageFilter,
  depth: number,
): readonly RankedPassage[] {
  const hits = aboveUnrelated(index.searchVectors(embedderId, values, filter, depth), unrelatedCosine);
  if (before === undefined) return hits;
  return [...hits, ...nearest(index, before, filter, depth)].sort(bestFirst).slice(0, depth);
}

/*
 * A question states preferences (a year, a name, words in quotation marks) without excluding the rest: the year may be the subject,
 * and memory errs. So matching passages are ranked once more among themselves, which finds them however many others are better, and
 * their scores are raised.
 */

/** A longer text is pasted, and names in it are not asked for. */
const maxNamingLength = 500;

interface PreferringRanking extends Ranking {
  /** The greatest score without preferences. */
  bestScore: number;
  isCut: boolean;
  /** Passages that fit a date or a name in the question, so they need not have its words. */
  fitting: ReadonlySet<PassageId>;
}

/** Ranks all passages, with preferred ones higher. */
export function rankPreferred(index: IndexReader, search: ItemSearch & { by: RankBy }): PreferringRanking {
  const all = rankPassages(index, search);
  let { byWords, bestByWords, bestByMeaning } = all;
  const isCut = all.ranked.length >= search.depth;
  const preferred = [...(search.preferred ?? []), ...namePreferences(index, search)];
  const fitting = new Set<PassageId>();
  if (preferred.length === 0) return { ...all, bestScore: all.ranked[0]?.score ?? 0, isCut, fitting };
  const best = new Map<PassageId, RankedPassage>(all.ranked.map((hit) => [hit.passageId, hit]));
  const factors = new Map<PassageId, number>();
  for (const { filter, factor } of preferred) {
    const some = rankPassages(index, { ...search, filter: both(search.filter, filter) });
    for (const hit of havingPhrases(index, some.ranked, filter.phrases ?? [])) {
      const { passageId, score } = hit;
      if (filter.phrases === undefined) fitting.add(passageId);
      if (score > (best.get(passageId)?.score ?? -1)) best.set(passageId, hit);
      factors.set(passageId, (factors.get(passageId) ?? 1) * factor);
    }
    bestByWords = Math.max(bestByWords, some.bestByWords);
    bestByMeaning = Math.max(bestByMeaning, some.bestByMeaning);
    if (byWords !== null && some.byWords !== null) byWords = new Set([...byWords, ...some.byWords]);
  }
  const bestScore = best.values().reduce((greatest, { score }) => Math.max(greatest, score), 0);
  const raised = Array.from(best.values(), (hit) => ({ ...hit, score: hit.score * (factors.get(hit.passageId) ?? 1) }));
  // A limit for each score would make the best ones equal, so all are scaled instead.
  const greatest = raised.reduce((most, { score }) => Math.max(most, score), 1);
  const ranked = raised.map((hit) => ({ ...hit, score: hit.score / greatest }));
  return { ranked: ranked.sort(bestFirst), byWords, bestByWords, bestByMeaning, bestScore, isCut, fitting };
}

function namePreferences(index: IndexReader, { text, nameFactor = 1 }: ItemSearch): Preference[] {
  if (nameFactor === 1 || text.length > maxNamingLength) return [];
  const names = namesStandingIn(text, index.namesIn(text));
  return names.length === 0 ? [] : [{ filter: { items: { names } }, factor: nameFactor }];
}

/** Lets through what both let through. */
function both(one: PassageFilter, other: Preference['filter']): PassageFilter {
  return {
    ...one,
    items: allOf(one.items, other.items),
    phrases: [...(one.phrases ?? []), ...(other.phrases ?? [])],
  };
}

/**
 * The names that occur whole in a question. A name of one word, like Nature or Medium, must be capitalised: in lower case it is an
 * ordinary word.
 */
export function namesStandingIn(question: string, names: readonly string[]): string[] {
  const folded = question.toLowerCase();
  const isFunctionWord = functionWordsOf(question);
  return names.filter((name) => {
    const words = wordsOf(name);
    if (words.length === 0 || name.length < 2) return false;
    if (words.length > 1) return standsWhole(folded, name.toLowerCase());
    return /^\p{Lu}/u.test(name) && !isFunctionWord(foldedWord(name)) && standsWhole(question, name);
  });
}

/** Whether no letter or digit goes on before or after some place of the part. */
function standsWhole(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    const isWhole =
      !endsInLetter.test(text.slice(Math.max(0, at - 2), at)) &&
      !beginsWithLetter.test(text.slice(at + part.length, at + part.length + 2));
    if (isWhole) return true;
  }
  return false;
}

const endsInLetter = /[\p{L}\p{N}\p{M}]$/u;
const beginsWithLetter = /^[\p{L}\p{N}\p{M}]/u;

/** Weight α of the semantic score; the lexical score has 1 − α. Chosen in docs/decisions/fusion.md. */
export const meaningShare = 0.5;

/**
 * Minimum cosine of a passage that shares no word with the question, unless its vector has another one. Below it are the
 * chance neighbours that every question has; "nothing found" helps a reader more than those.
 */
const minCosineAlone = 0.25;

/**
 * Fuses the lexical and the semantic ranking (`lexical` has BM25 ÷ ideal BM25 as scores, `semantic` cosines):
 * `(1 − α) · BM25 ÷ ideal BM25 + α · cosine` over the union of both. A passage in only one list gets 0 from the other,
 * except that a passage without a vector is scored by its words alone.
 * The result does not depend on the order of the inputs.
 * @param withoutVector passages without a vector: in a language that the model does not know, or not embedded yet
 * @param minAlone minimum cosine of a passage that shares no word with the question
 */
export function fuseRankings(
  lexical: readonly RankedPassage[],
  semantic: readonly RankedPassage[],
  withoutVector: ReadonlySet<PassageId> = new Set(),
  { share = meaningShare, minAlone = minCosineAlone }: { share?: number; minAlone?: number | undefined } = {},
): RankedPassage[] {
  const fused = new Map<PassageId, RankedPassage>();
  for (const hit of lexical) {
    const weight = withoutVector.has(hit.passageId) ? 1 : 1 - share;
    fused.set(hit.passageId, { passageId: hit.passageId, contentId: hit.contentId, score: weight * hit.score });
  }
  for (const hit of semantic) {
    const words = fused.get(hit.passageId);
    if (words !== undefined) words.score += share * hit.score;
    else if (hit.score >= minAlone)
      fused.set(hit.passageId, { passageId: hit.passageId, contentId: hit.contentId, score: share * hit.score });
  }
  return [...fused.values()].sort(bestFirst);
}

/**
 * Rescales cosines: 0 is the model's cosine for unrelated texts, 1 is the same meaning. Some models give any two texts
 * 0.7; without rescaling, such cosines would outweigh the lexical score.
 */
function aboveUnrelated(hits: readonly RankedPassage[], unrelatedCosine: number): readonly RankedPassage[] {
  if (unrelatedCosine === 0) return hits;
  return hits.map((hit) => ({ ...hit, score: Math.max(0, (hit.score - unrelatedCosine) / (1 - unrelatedCosine)) }));
}
