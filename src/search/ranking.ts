import type { PassageId, RankedPassage } from '../domain/records/passage.ts';
import { bestFirst } from '../domain/records/passage.ts';
import type { RankBy } from '../domain/search/query-language.ts';
import type { IndexReader } from '../store/index-reader.ts';
import type { ItemSearch } from './item-search.ts';
import type { PassageFilter, QuestionVector } from '../store/records/search-records.ts';
import { aboveUnrelated, fuseRankings } from './fusion.ts';

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
