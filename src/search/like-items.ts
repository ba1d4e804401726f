import { keywordsOf } from '../domain/search/keywords.ts';
import type { RankedPassage } from '../domain/records/texts/passage.ts';
import type { IndexReader } from '../store/index-reader.ts';
import type { QuestionVector } from '../store/records/search-records.ts';

/** An item, by a sample of its passages and their vectors. */
export interface LikeQuestion {
  contentId: string;
  passageIds: readonly number[];
  vectors: readonly QuestionVector[];
}

/** Another item that says something similar. */
export interface LikeItem {
  tags: readonly string[];
  /** From 0 to 1 each: how near it is by meaning, and how many of the keywords it has; 0 when it was not found so. */
  meaning: number;
  words: number;
}

/** Items that are found each way: more say little, and each costs a read. */
const maxItems = 24;
/** Passages that one search finds. */
const depth = 60;

/** The items that are most like this one. One step: it takes some milliseconds in a library of 10,000 items. */
export function likeItems(index: IndexReader, { contentId, passageIds, vectors }: LikeQuestion): LikeItem[] {
  const own = index.readPassages(passageIds);
  const byMeaning = new Map<string, number>();
  const firstOf = new Map<string, number>();
  const see = ({ contentId: other, passageId }: RankedPassage) => {
    if (!firstOf.has(other)) firstOf.set(other, passageId);
  };
  for (const { embedderId, values } of vectors) {
    const best = new Map<string, number>();
    for (const hit of index.searchVectors(embedderId, values, {}, depth)) {
      if (hit.contentId === contentId || best.has(hit.contentId)) continue;
      see(hit);
      best.set(hit.contentId, hit.score);
    }
    for (const [other, score] of best) byMeaning.set(other, (byMeaning.get(other) ?? 0) + score / vectors.length);
  }
  const keywords = keywordsOf(
    own[0]?.itemTitle ?? '',
    own.map(({ text }) => text),
  );
  const hits = keywords.length === 0 ? [] : index.searchWords(keywords.join(' '), {}, depth * 2);
  const scale = Math.max(...hits.filter((hit) => hit.contentId === contentId).map(({ score }) => score), 0.01);
  const byWords = new Map<string, number>();
  for (const hit of hits) {
    if (hit.contentId === contentId || byWords.has(hit.contentId)) continue;
    see(hit);
    byWords.set(hit.contentId, Math.min(1, hit.score / scale));
  }
  const chosen = new Set([...nearest(byMeaning), ...nearest(byWords)]);
  const passages = index.readPassages([...chosen].flatMap((id) => firstOf.get(id) ?? []));
  return passages.map(({ contentId: id, itemTags }) => ({
    tags: itemTags,
    meaning: Math.max(0, byMeaning.get(id) ?? 0),
    words: byWords.get(id) ?? 0,
  }));
}

function nearest(scores: ReadonlyMap<string, number>): string[] {
  return [...scores]
    .sort(([, a], [, b]) => b - a)
    .slice(0, maxItems)
    .map(([id]) => id);
}
