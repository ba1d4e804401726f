import { aboveUnrelated, fuseRankings, type RankBy } from '../../../domain/search/fusion.ts';
import { bestFirst, bestOfEachFirst, type RankedPassage } from '../../../domain/records/passage.ts';
import { containsPhrase } from '../../../domain/search/term-matches.ts';
import type { Facets, ItemSearch, ItemsFound, PassageFilter, QuestionVector } from '../../search-records.ts';
import { type Answering, pictureOnly, readItems } from './result-assembly.ts';
import { coverage } from './coverage.ts';
import { countFacets } from '../items/facets.ts';
import { countPassages, listNewestPassages, readPassageParts } from './passages.ts';
import type { SourcePlaces } from './citations.ts';
import { correctQuery } from './spelling.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { newestHasVector, passagesWithoutVector } from './vectors.ts';
import { searchWords } from './words/word-search.ts';
import { createWeigh, type Weigh } from './words/word-statistics.ts';

/** The passages nearest to a vector. */
type SearchVectors = (vector: QuestionVector, filter: PassageFilter, limit: number) => RankedPassage[];

/** How many passages are ranked by words to count the items in which words of the query occur. */
const countedPassages = 5_000;

/**
 * See `Store.findItems`. Reads everything that a search needs in one call, because every call to a thread costs time.
 */
export function findItems(
  file: SqliteFile,
  asked: ItemSearch,
  searchVectors: SearchVectors,
  places: SourcePlaces,
): ItemsFound {
  return file.read(() => {
    const { filter, by, depth } = asked;
    const counts = coverage(file);
    const weigh = createWeigh(file, countPassages(file));
    const correction = asked.isTyped ? correctQuery(file, asked.text, weigh) : null;
    // It is unknown here whether suggested words are better than a search by meaning alone, so nothing is searched.
    if (correction?.nothingFound === true) return { correction, items: [], isCut: false, coverage: counts };
    const search = correction === null ? asked : { ...asked, text: correction.text };
    const { ranked, byWords } =
      by === null
        ? { ranked: listNewestPassages(file, filter, listedFor(asked), asked.signs), byWords: null }
        : rankPassages(file, { ...search, by }, weigh, (vector) => searchVectors(vector, filter, depth));
    const hits = havingPhrases(file, ranked, filter.phrases ?? []);
    const items = readItems(file, hits, search, byWords);
    placeFirst(file, items, search.placed, places);
    const found = {
      correction,
      items: items.map((passages) => passages.map(({ passage }) => passage)),
      isCut: ranked.length >= depth,
      coverage: counts,
    };
    return search.facets ? { ...found, facets: facetsOf(file, search, weigh, hits, byWords) } : found;
  });
}

/** How many passages to list when nothing is ranked. When items are counted, as many as a search by words counts. */
function listedFor({ depth, facets }: ItemSearch): number {
  return facets ? Math.max(depth, countedPassages) : depth;
}

/** Locates the passages that an answer of this many characters shows. */
function placeFirst(
  file: SqliteFile,
  items: readonly (readonly Answering[])[],
  characters: number,
  places: SourcePlaces,
): void {
  let left = characters;
  for (const answering of bestOfEachFirst(items)) {
    const { passage } = answering;
    left -= passage.text.length;
    if (left <= 0) return;
    passage.place = places.ofWhole(file, answering);
  }
}

/** Best first. */
interface Ranking {
  ranked: readonly RankedPassage[];
  /** Passages that contain words of the query; null: all passages may be shown. */
  byWords: ReadonlySet<number> | null;
}

/** Ranks by words and, when the query has a vector, by meaning. */
function rankPassages(
  file: SqliteFile,
  { text, filter, vector, depth, by }: ItemSearch & { by: RankBy },
  weigh: Weigh,
  nearestTo: (vector: QuestionVector) => RankedPassage[],
): Ranking {
  const semantic = by === 'words' || vector === null ? null : nearest(vector, depth, nearestTo);
  if (by === 'meaning') return { ranked: semantic ?? [], byWords: new Set() };
  const lexical = searchWords(file, text, filter, depth, { weigh });
  if (vector === null || semantic === null) return { ranked: lexical.hits, byWords: null };
  const ranked = fuseRankings(lexical, semantic, withoutVector(file, vector, lexical.hits, semantic));
  return { ranked, byWords: new Set(lexical.hits.map(({ passageId }) => passageId)) };
}

/** The passages found by words that have no vector which the query's vector could have found. */
function withoutVector(
  file: SqliteFile,
  { embedderId, before, everyPassage }: QuestionVector,
  byWords: readonly RankedPassage[],
  byMeaning: readonly RankedPassage[],
): ReadonlySet<number> {
  if (everyPassage && newestHasVector(file)) return new Set();
  const found = new Set(byMeaning.map(({ passageId }) => passageId));
  const asked = byWords.map(({ passageId }) => passageId).filter((id) => !found.has(id));
  const embedderIds = before === undefined ? [embedderId] : [embedderId, before.embedderId];
  return new Set(passagesWithoutVector(file, asked, embedderIds));
}

/**
 * A passage has one vector, of one embedder or the other. So the two lists share no passage, and their scores are on
 * the same scale.
 */
function nearest(
  vector: QuestionVector,
  depth: number,
  nearestTo: (vector: QuestionVector) => RankedPassage[],
): readonly RankedPassage[] {
  const hits = aboveUnrelated(nearestTo(vector), vector.unrelatedCosine);
  if (vector.before === undefined) return hits;
  return [...hits, ...nearest(vector.before, depth, nearestTo)].sort(bestFirst).slice(0, depth);
}

/** The index matches words by their stems, but a phrase in quotation marks is meant literally. */
function havingPhrases(
  file: SqliteFile,
  hits: readonly RankedPassage[],
  phrases: readonly string[],
): readonly RankedPassage[] {
  if (phrases.length === 0) return hits;
  const passages = readPassageParts(
    file,
    hits.map(({ passageId }) => passageId),
  );
  const having = passages.filter(({ parts }) =>
    phrases.every((phrase) => parts.some((part) => containsPhrase(part, phrase))),
  );
  const ids = new Set(having.map(({ passageId }) => passageId));
  return hits.filter(({ passageId }) => ids.has(passageId));
}

/** @param found ranked passages, in the answer and beyond it */
function facetsOf(
  file: SqliteFile,
  { text, filter }: ItemSearch,
  weigh: Weigh,
  found: readonly RankedPassage[],
  byWords: Ranking['byWords'],
): Facets {
  const { hits } = searchWords(file, text, filter, countedPassages, { weigh });
  const alone = byWords === null ? [] : found.map(({ passageId }) => passageId).filter((id) => !byWords.has(id));
  const pictures = pictureOnly(file, alone);
  const answering = found.filter(({ passageId }) => !pictures.has(passageId));
  const counted = [...havingPhrases(file, hits, filter.phrases ?? []), ...answering];
  return countFacets(file, [...new Set(counted.map(({ contentId }) => contentId))]);
}
