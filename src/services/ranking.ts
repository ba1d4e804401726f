import type { RankedPassage } from '../domain/passage.ts';
import type { PassageFilter, Store } from '../store/store.ts';
import { fuseRankings } from './fusion.ts';

export type RankBy = 'words' | 'meaning' | 'both';

export interface Question {
  text: string;
  filter: PassageFilter;
  vector: { embedderId: string; values: Float32Array } | null;
}

/** Ranks the passages of one account: by words and, where the question has a vector, by meaning. Best first. */
export async function rankPassages(
  store: Store,
  { text, filter, vector }: Question,
  by: RankBy,
  depth: number,
): Promise<RankedPassage[]> {
  const byMeaning = async () =>
    vector === null ? [] : await store.searchVectors(vector.embedderId, vector.values, filter, depth);
  if (by === 'meaning') return byMeaning();
  const lexical = await store.searchWords(text, filter, depth);
  if (by === 'words' || vector === null) return lexical.hits;
  return fuseRankings(lexical, await byMeaning());
}
