import { bestOfEachFirst, type RankedPassage, type PassageId } from '../domain/records/texts/passage.ts';
import type { IndexReader } from '../store/index-reader.ts';
import type { Correction, ItemSearch, ItemsFound } from './item-search.ts';
import { type Citations, placeOfWhole } from './citations.ts';
import { type Answering, chooseItems } from './item-choice.ts';
import { havingPhrases, listPictures } from './passage-checks.ts';
import { rankPreferred } from './ranking.ts';
import { correctQuery } from './spelling.ts';
import type { Facets } from '../store/records/search-records.ts';

/** Everything that a search reads, from one state of the account. See `Store.findItems`. */
export function findItems(index: IndexReader, asked: ItemSearch, citations: Citations): ItemsFound {
  const { filter, by, depth } = asked;
  const coverage = index.coverage();
  const correction = correctionOf(index, asked);
  // It is unknown here whether suggested words are better than a search by meaning alone, so nothing is searched.
  if (correction?.nothingFound === true)
    return {
      correction,
      items: [],
      first: null,
      total: 0,
      isUpperBound: false,
      bestByWords: 0,
      bestByMeaning: 0,
      bestScore: 0,
      spellings: [],
      lacksRareWord: false,
      isCut: false,
      coverage,
    };
  const search = correction === null ? asked : { ...asked, text: correction.text, wanted: asked.wanted && '' };
  const { ranked, byWords, fitting, bestByWords, bestByMeaning, bestScore, isCut } =
    by === null
      ? listed(index.listNewest(filter, listedFor(asked), asked.signs), depth)
      : rankPreferred(index, { ...search, by });
  const hits = havingPhrases(index, ranked, filter.phrases ?? []);
  const { items, first: firstItem, end } = chooseItems(index, hits, search, byWords);
  placeFirst(index, items, search.placed, citations);
  const first = firstItem?.[0]?.passage ?? null;
  const total = end ?? new Set(hits.map(({ contentId }) => contentId)).size;
  const hasWords = by !== null && by !== 'meaning';
  const found = {
    correction,
    items: items.map((passages) => passages.map(({ passage }) => passage)),
    first,
    total,
    isUpperBound: end === null && total > (search.offset ?? 0) + search.items,
    bestByWords,
    bestByMeaning,
    bestScore,
    spellings: hasWords ? index.spellingsOf(search.text) : [],
    lacksRareWord:
      hasWords && first !== null && !fitting.has(first.passageId)
        ? index.lacksRareWord(search.wanted ?? search.text, first.contentId)
        : false,
    isCut,
    coverage,
  };
  return search.facets ? { ...found, facets: countFacets(index, search, hits, byWords) } : found;
}

function correctionOf(index: IndexReader, { isTyped, text }: ItemSearch): Correction | null {
  return isTyped ? index.kept('correction', text, () => correctQuery(index, text)) : null;
}

/** Does what a search needs no vector for; the index keeps it for `findItems`. */
export function rankWordsAhead(index: IndexReader, asked: ItemSearch): void {
  const correction = correctionOf(index, asked);
  if (correction?.nothingFound !== true) index.searchWords(correction?.text ?? asked.text, asked.filter, asked.depth);
}

const listed = (ranked: readonly RankedPassage[], depth: number) => ({
  ranked,
  byWords: null,
  fitting: new Set<number>(),
  bestByWords: 0,
  bestByMeaning: 0,
  bestScore: 0,
  isCut: ranked.length >= depth,
});

/** How many passages to list when nothing is ranked. When items are counted, as many as a search by words counts. */
function listedFor({ depth, facets }: ItemSearch): number {
  return facets ? Math.max(depth, countedPassages) : depth;
}

/** Locates the passages that an answer of this many characters shows. */
function placeFirst(
  index: IndexReader,
  items: readonly (readonly Answering[])[],
  characters: number,
  citations: Citations,
): void {
  const open: Answering[] = [];
  let left = characters;
  for (const answering of bestOfEachFirst(items)) {
    const { passage, fragment } = answering;
    left -= passage.text.length;
    if (left <= 0) break;
    const place = placeOfWhole(passage, fragment);
    if (place === null) open.push(answering);
    else passage.place = place;
  }
  if (open.length === 0) return;
  const whole = open.map(({ passage: { passageId, text } }) => ({ passageId, start: 0, end: text.length }));
  for (const [at, place] of citations.locate(index, whole).entries()) {
    const passage = open[at]?.passage;
    if (passage !== undefined && place !== null) passage.place = place;
  }
}

/** How many passages are ranked by words to count the items in which words of the query occur. */
const countedPassages = 5_000;

/**
 * Counts over all items that contain words of the query, and the ranked ones.
 * @param found ranked passages, in the answer and beyond it
 * @param byWords passages that contain words of the query; null: all may answer
 */
function countFacets(
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
