import type { RankedPassage } from '../domain/passage.ts';
import type { PassageFilter } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { aboveUnrelated, fuseRankings } from './fusion.ts';
import type { QuestionVector } from './meaning.ts';

export type RankBy = 'words' | 'meaning' | 'both';

export interface Question {
  text: string;
  filter: PassageFilter;
  vector: QuestionVector | null;
}

/** Ranks the passages of one account: by words and, where the question has a vector, by meaning. Best first. */
export async function rankPassages(
  store: Store,
  { text, filter, vector }: Question,
  by: RankBy,
  depth: number,
): Promise<RankedPassage[]> {
  const byMeaning = async () => (vector === null ? [] : await nearest(store, vector, filter, depth));
  if (by === 'meaning') return [...(await byMeaning())];
  const lexical = await store.searchWords(text, filter, depth);
  if (by === 'words' || vector === null) return lexical.hits;
  const semantic = await byMeaning();
  return fuseRankings(lexical, semantic, await withoutVector(store, vector, lexical.hits, semantic));
}

/** Which of the passages that words found have no vector that the question's could have found. */
async function withoutVector(
  store: Store,
  { embedderId, before, everyPassage }: QuestionVector,
  byWords: readonly RankedPassage[],
  byMeaning: readonly RankedPassage[],
): Promise<ReadonlySet<number>> {
  if (everyPassage) return new Set();
  const found = new Set(byMeaning.map(({ passageId }) => passageId));
  const asked = byWords.map(({ passageId }) => passageId).filter((id) => !found.has(id));
  const embedderIds = before === undefined ? [embedderId] : [embedderId, before.embedderId];
  return new Set(await store.passagesWithoutVector(asked, embedderIds));
}

/** A passage has one vector, of one embedder or the other: two lists share none, and their scores are on one scale. */
async function nearest(
  store: Store,
  { embedderId, values, unrelatedCosine, before }: QuestionVector,
  filter: PassageFilter,
  depth: number,
): Promise<readonly RankedPassage[]> {
  const hits = aboveUnrelated(await store.searchVectors(embedderId, values, filter, depth), unrelatedCosine);
  if (before === undefined) return hits;
  const others = await nearest(store, before, filter, depth);
  return [...hits, ...others].sort((a, b) => b.score - a.score || a.passageId - b.passageId).slice(0, depth);
}
