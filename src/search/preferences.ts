import type { PassageId, RankedPassage } from '../domain/records/passage.ts';
import { bestFirst } from '../domain/records/passage.ts';
import { allOf } from '../domain/search/filter.ts';
import { namesStandingIn } from '../domain/search/named.ts';
import type { RankBy } from '../domain/search/query-language.ts';
import type { IndexReader } from '../store/index-reader.ts';
import type { ItemSearch, Preference } from './item-search.ts';
import type { PassageFilter } from '../store/records/search-records.ts';
import { havingPhrases } from './passage-checks.ts';
import { type Ranking, rankPassages } from './ranking.ts';

/*
 * A question says what it would like (a year, a name, words in quotation marks) without excluding the rest: the year may
 * be the subject, and memory errs. So the passages that fit are ranked once more among themselves, which finds them
 * however many others are better, and their scores are raised.
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

/** Ranks all passages, those that fit a preference higher. */
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
