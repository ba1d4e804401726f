import type { PassageId, RankedPassage } from '../domain/records/passage.ts';
import type { IndexReader } from '../store/index-reader.ts';
import type { ItemSearch } from './item-search.ts';
import type { Facets } from '../store/records/search-records.ts';
import { havingPhrases, listPictures } from './passage-checks.ts';

/** How many passages are ranked by words to count the items in which words of the query occur. */
export const countedPassages = 5_000;

/**
 * Counts over all items that contain words of the query, and those that were ranked.
 * @param found ranked passages, in the answer and beyond it
 * @param byWords passages that contain words of the query; null: all may answer
 */
export function countFacets(
  index: IndexReader,
  { text, filter }: Pick<ItemSearch, 'text' | 'filter'>,
  found: readonly RankedPassage[],
  byWords: ReadonlySet<PassageId> | null,
): Facets {
  const hits = index.searchWords(text, filter, countedPassages);
  const alone = byWords === null ? [] : found.map(({ passageId }) => passageId).filter((id) => !byWords.has(id));
  const pictures = listPictures(index, alone);
  const answering = found.filter(({ passageId }) => !pictures.has(passageId));
  const counted = [...havingPhrases(index, hits, filter.phrases ?? []), ...answering];
  return index.countFacets([...new Set(counted.map(({ contentId }) => contentId))]);
}
