import type { PassageId, RankedPassage } from '../domain/records/texts/passage.ts';
import type { IndexReader } from '../store/index-reader.ts';
import type { AnsweringPassage, ItemSearch } from './item-search.ts';
import { isListOfPlaces, saysWords } from './passage-checks.ts';
import { createNearDuplicates } from '../domain/duplicates/near-duplicates.ts';

/*
 * Chooses the items that answer a query, once passages are ranked. Reading a passage costs more than ranking it, so
 * only as many are read as the wanted number of items needs.
 */

/** A passage of an answer, and its stored link fragment. */
export interface Answering {
  passage: AnsweringPassage;
  fragment: string | null | undefined;
}

/** When copies are dropped, this many further items are read at once. */
const furtherItems = 5;

/**
 * The wanted items, each with its first passages.
 * @param byWords passages that contain words of the query; null: all may answer
 * @returns `first`: the first item of the first page; `end`: how many items there are, null when there may be more
 */
export function chooseItems(
  index: IndexReader,
  hits: readonly RankedPassage[],
  search: Pick<ItemSearch, 'items' | 'offset' | 'passagesOfEach' | 'distinct' | 'by'>,
  byWords: ReadonlySet<PassageId> | null,
): { items: Answering[][]; first: Answering[] | undefined; end: number | null } {
  const { offset = 0 } = search;
  const wanted = offset + search.items;
  const items: Answering[][] = [];
  const withoutRepeated = search.distinct ? createRepetitionFilter<Answering>() : null;
  for (const some of groupsByItem(hits, wanted)) {
    for (const passages of readGroups(index, some, search.passagesOfEach, byWords)) {
      // Results after the last one shown are not checked for copies, so `alsoIn` does not list them.
      if (items.length === wanted) break;
      const fresh = withoutRepeated === null ? passages : withoutRepeated(passages);
      if (fresh.length > 0) items.push(fresh);
    }
    if (items.length === wanted) break;
  }
  // An item stays on its page, so that no other page shows it again.
  const pageAt = (start: number): Answering[][] => {
    const page = items.slice(start, start + search.items);
    return search.by === null ? page : listsOfPlacesLast(page);
  };
  const page = pageAt(offset);
  return {
    items: page,
    first: (offset === 0 ? page : pageAt(0))[0],
    end: items.length === wanted ? null : items.length,
  };
}

/** By how much the score of a list of places falls: below most passages that say something. */
const placesFactor = 0.5;

/** Lowers the scores of lists of links and tables of contents, and ranks the chosen items and passages once more. */
function listsOfPlacesLast(given: readonly Answering[][]): Answering[][] {
  let isChanged = false;
  const lowered = (answering: Answering): Answering => {
    const { passage } = answering;
    if (!isListOfPlaces(passage.text)) return answering;
    isChanged = true;
    return { ...answering, passage: { ...passage, score: passage.score * placesFactor } };
  };
  const items = given.map((passages) => passages.map(lowered));
  if (!isChanged) return items;
  const score = ({ passage }: Answering) => passage.score;
  const best = (passages: readonly Answering[]) => Math.max(...passages.map(score));
  return items
    .map((passages) => passages.toSorted((a, b) => score(b) - score(a)))
    .toSorted((a, b) => best(b) - best(a));
}

/**
 * Groups the hits of the first `first` items by item, then those of a few further items at a time: most hits are never
 * needed.
 */
function* groupsByItem(hits: readonly RankedPassage[], first: number): Generator<RankedPassage[][]> {
  const grouped = new Set<string>();
  let next = 0;
  for (let limit = first; next < hits.length; limit = furtherItems) {
    const behind = hits.slice(next);
    const byItem = new Map<string, RankedPassage[]>();
    for (const { contentId } of behind) {
      if (byItem.size === limit) break;
      next += 1;
      if (!grouped.has(contentId)) byItem.set(contentId, []);
      grouped.add(contentId);
    }
    for (const hit of behind) byItem.get(hit.contentId)?.push(hit);
    if (byItem.size > 0) yield [...byItem.values()];
  }
}

/** For each group, the first passages that may answer. */
function readGroups(
  index: IndexReader,
  groups: readonly (readonly RankedPassage[])[],
  limit: number,
  byWords: ReadonlySet<PassageId> | null,
): Answering[][] {
  const firsts = readHits(
    index,
    groups.flatMap((group) => group.slice(0, limit)),
    byWords,
  );
  const chosen: Answering[][] = [];
  for (const group of groups) {
    const ofGroup = group.slice(0, limit).flatMap(({ passageId }) => firsts.get(passageId) ?? []);
    // Further passages replace the dropped ones.
    for (let next = limit; ofGroup.length < limit && next < group.length; next += limit) {
      const further = readHits(index, group.slice(next, next + limit), byWords);
      ofGroup.push(...[...further.values()].slice(0, limit - ofGroup.length));
    }
    chosen.push(ofGroup);
  }
  return chosen;
}

/** Those of the hits that may answer, in their order. */
function readHits(
  index: IndexReader,
  hits: readonly RankedPassage[],
  byWords: ReadonlySet<PassageId> | null,
): Map<PassageId, Answering> {
  const passages = index.readPassages(hits.map(({ passageId }) => passageId));
  const byId = new Map(passages.map((passage) => [passage.passageId, passage]));
  const answering = new Map<PassageId, Answering>();
  for (const { passageId, score } of hits) {
    const found = byId.get(passageId);
    if (found === undefined || !(byWords === null || byWords.has(passageId) || saysWords(found.text))) continue;
    const { fragment, ...passage } = found;
    answering.set(passageId, { passage: Object.assign(passage, { score }), fragment });
  }
  return answering;
}

/**
 * Takes the passages of items one item after the other, the best first, and returns those that are new; none for an
 * item that is a copy of one before, or has the same original. A passage that is nearly repeated gets the repeating item
 * in `alsoIn`.
 */
function createRepetitionFilter<T extends { passage: AnsweringPassage }>(): (passages: T[]) => T[] {
  const shown = new Set<string>();
  const shownBefore = createNearDuplicates<AnsweringPassage>();
  return (passages) => {
    const [first] = passages;
    if (first === undefined) return [];
    if (first.passage.cardOf !== undefined) return passages;
    const original = first.passage.itemDuplicateOf ?? first.passage.contentId;
    if (shown.has(original)) return [];
    shown.add(original);
    return passages.filter(({ passage }) => {
      const same = shownBefore(passage.text, passage);
      if (same !== null && same.contentId !== passage.contentId)
        same.alsoIn = [...new Set([...(same.alsoIn ?? []), passage.contentId])];
      return same === null;
    });
  };
}
