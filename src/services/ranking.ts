import type { RankedPassage } from '../domain/passage.ts';
import type { PassageFilter, Store } from '../store/store.ts';
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
  const byMeaning = async () =>
    vector === null ? [] : await store.searchVectors(vector.embedderId, vector.values, filter, depth);
  if (by === 'meaning') return byMeaning();
  const lexical = await store.searchWords(text, filter, depth);
  if (by === 'words' || vector === null) return lexical.hits;
  return fuseRankings(lexical, aboveUnrelated(await byMeaning(), vector.unrelatedCosine));
}
