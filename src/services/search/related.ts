import type { QuotedPlace, RelatedAnswer } from '../../domain/records/answers.ts';
import type { ContentType } from '../../domain/records/content.ts';
import { nameOf } from '../../domain/records/item.ts';
import { stemOf } from '../../domain/text/words/porter.ts';
import { keywordsOf } from '../../domain/search/keywords.ts';
import { createTermMatcher, matchedRanges, type TermMatcher } from '../../domain/search/term-matches.ts';
import { bestWindow } from '../../domain/text/window.ts';
import { foldedWord } from '../../domain/text/words/words.ts';
import { noSuchItem } from '../../errors.ts';
import type { Embedder } from '../../models/embedding/index.ts';
import type { FoundPassage } from '../../store/records/search-records.ts';
import type { Store, Stores } from '../../store/store.ts';
import { indexMethodsOf } from '../../search/index-methods.ts';
import { type CitedPart, toPlace, roundScore } from '../../search/passage-view.ts';
import type { TextSpan } from '../../domain/text/graphemes.ts';

type RelatedItem = RelatedAnswer['items'][number];

export type RelatedService = ReturnType<typeof createRelatedService>;

interface Pair {
  here: number;
  there: number;
  score: number;
}

/** An item is represented by at most this many passages, however long it is. */
const maxSampled = 8;
const neighboursOfEach = 40;
/** Below this cosine, two passages share a subject at most by chance. */
const minCosine = 0.4;
/** For words: keywords of the item in a passage, and its score as a share of the item's own best. */
const minWords = 2;
const minWordScoreShare = 0.15;
const maxPairs = 2;
const maxQuoteLength = 220;

export function createRelatedService(stores: Stores, embedder: Embedder | null) {
  return {
    /** Other items near this one, the nearest first. @throws {AppError} `not_found` */
    async related(account: string, id: string, limit: number, signal: AbortSignal): Promise<RelatedAnswer> {
      const store = await stores.open(account);
      const item = await store.getContentSummary(id);
      if (item === null) throw noSuchItem();
      const sample = await store.sampleItem(id, embedder?.id ?? null, maxSampled);
      signal.throwIfAborted();
      const byMeaning = sample.some(({ vector }) => vector !== null);
      const pairs = byMeaning
        ? await pairsByMeaning(store, embedder?.id ?? '', sample)
        : await pairsByWords(
            store,
            item.title ?? '',
            sample.map(({ passageId }) => passageId),
          );
      signal.throwIfAborted();
      const near = await nearest(store, pairs, { id, duplicateOf: item.duplicateOf, sampled: sample.length, limit });
      const items = await linkedFirst(store, await store.listLinked(id, limit), near);
      return { id, by: byMeaning ? 'meaning' : 'words', items: items.slice(0, limit) };
    },
  };
}

/** Notes that link to each other, and a letter and its files, come first, whether or not their passages are alike. */
async function linkedFirst(
  store: Store,
  linked: readonly string[],
  near: readonly RelatedItem[],
): Promise<RelatedItem[]> {
  const first: RelatedItem[] = [];
  for (const id of linked) {
    const alike = near.find((one) => one.id === id);
    const item = alike === undefined ? await store.getContentSummary(id) : null;
    if (alike !== undefined) first.push({ ...alike, score: 1, isLinked: true });
    else if (item !== null && item.contentType !== null) {
      const { title, url, contentType, tags } = item;
      first.push({ id, title: nameOf({ title, url }), url, contentType, tags, score: 1, isLinked: true, why: [] });
    }
  }
  return [...first, ...near.filter(({ id }) => !linked.includes(id))];
}

async function pairsByMeaning(
  store: Store,
  embedderId: string,
  sample: Awaited<ReturnType<Store['sampleItem']>>,
): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (const { passageId, vector } of sample) {
    if (vector === null) continue;
    const hits = await store.searchVectors(embedderId, vector, {}, neighboursOfEach);
    for (const { passageId: there, score } of hits)
      if (score >= minCosine) pairs.push({ here: passageId, there, score });
  }
  return pairs;
}

async function pairsByWords(store: Store, title: string, passageIds: readonly number[]): Promise<Pair[]> {
  const own = await store.readPassages(passageIds);
  const words = keywordsOf(
    title,
    own.map(({ text }) => text),
  );
  const hits = await store.searchWords(words.join(' '), {}, neighboursOfEach * 3);
  const found = new Map(
    (await store.readPassages(hits.map(({ passageId }) => passageId))).map((one) => [one.passageId, one]),
  );
  const contentId = own[0]?.contentId;
  // The item's own passages match its keywords best, so their best score is the scale for passages of other items.
  const scale = Math.max(0, ...hits.filter((hit) => hit.contentId === contentId).map(({ score }) => score));
  const wanted = createTermMatcher({ text: words.join(' '), phrases: [] });
  return hits.flatMap(({ passageId, score }): Pair[] => {
    const other = found.get(passageId);
    if (other === undefined || other.contentId === contentId || scale === 0) return [];
    if (distinctWords(other.text, wanted) < minWords || score < scale * minWordScoreShare) return [];
    const matcher = createTermMatcher({ text: other.text, phrases: [] });
    const [best] = own
      .map((passage) => ({ passage, shared: distinctWords(passage.text, matcher) }))
      .sort((one, another) => another.shared - one.shared);
    return best === undefined
      ? []
      : [{ here: best.passage.passageId, there: passageId, score: Math.min(1, score / scale) }];
  });
}

function distinctWords(text: string, matcher: TermMatcher): number {
  return new Set(matchedRanges(text, matcher).map(({ start, end }) => stemOf(foldedWord(text.slice(start, end))))).size;
}

/** Ranks items by how near their nearest passage is and how much of the item that was asked about is near to them. */
async function nearest(
  store: Store,
  pairs: readonly Pair[],
  about: { id: string; duplicateOf: string | null; sampled: number; limit: number },
): Promise<RelatedItem[]> {
  const ids = [...new Set(pairs.flatMap(({ here, there }) => [here, there]))];
  const passages = new Map((await store.readPassages(ids)).map((passage) => [passage.passageId, passage]));
  const byItem = new Map<string, Pair[]>();
  for (const pair of pairs) {
    const other = passages.get(pair.there);
    const original = other?.itemDuplicateOf ?? other?.contentId;
    if (other === undefined || original === undefined) continue;
    // A copy is not another item.
    if ([about.id, about.duplicateOf].includes(original) || other.contentId === about.id) continue;
    byItem.set(original, [...(byItem.get(original) ?? []), pair]);
  }
  const scored = [...byItem.values()].map((ofItem) => {
    const best = new Map<number, number>();
    for (const { here, score } of ofItem) best.set(here, Math.max(score, best.get(here) ?? 0));
    const breadth = [...best.values()].reduce((sum, score) => sum + score, 0) / Math.max(1, about.sampled);
    return { ofItem: ofItem.toSorted((a, b) => b.score - a.score), score: (Math.max(...best.values()) + breadth) / 2 };
  });
  const asked: CitedPart[] = [];
  const quoted = (passage: FoundPassage, like: string): CitedPart => {
    const part = { passage, span: mostAlike(passage, like) };
    asked.push(part);
    return part;
  };
  const chosen: {
    first: FoundPassage;
    contentType: ContentType;
    score: number;
    why: { here: CitedPart; there: CitedPart }[];
  }[] = [];
  for (const { ofItem, score } of scored.sort((a, b) => b.score - a.score).slice(0, about.limit)) {
    const first = passages.get(ofItem[0]?.there ?? -1);
    if (first === undefined || first.itemContentType === null) continue;
    const why: { here: CitedPart; there: CitedPart }[] = [];
    const used = new Set<number>();
    for (const { here, there } of ofItem) {
      const [one, other] = [passages.get(here), passages.get(there)];
      // Skip passages of copies of this item: they have another address.
      if (one === undefined || other?.contentId !== first.contentId) continue;
      if (used.has(here) || used.has(there) || why.length === maxPairs) continue;
      used.add(here).add(there);
      why.push({ here: quoted(one, other.text), there: quoted(other, one.text) });
    }
    chosen.push({ first, contentType: first.itemContentType, score, why });
  }
  const found = await indexMethodsOf(store).locate(
    asked.map(({ passage: { passageId }, span }) => ({ passageId, ...span })),
  );
  const places = new Map(asked.map((part, at) => [part, toPlace(part, found[at] ?? null)]));
  const shown = (part: CitedPart): QuotedPlace => ({
    text: part.passage.text.slice(part.span.start, part.span.end),
    ...(places.get(part) ?? toPlace(part, null)),
  });
  return chosen.map(({ first: { contentId, itemTitle, itemUrl, itemTags }, contentType, score, why }) => ({
    id: contentId,
    title: nameOf({ title: itemTitle, url: itemUrl }),
    url: itemUrl,
    contentType,
    tags: itemTags,
    score: roundScore(score),
    isLinked: false,
    why: why.map(({ here, there }) => ({ here: shown(here), there: shown(there) })),
  }));
}

/** The part of a passage that has the most words of another passage. */
function mostAlike({ text }: FoundPassage, like: string): TextSpan {
  return bestWindow(text, matchedRanges(text, createTermMatcher({ text: like, phrases: [] })), maxQuoteLength);
}
