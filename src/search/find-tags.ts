import type { TagProposals } from '../domain/records/content.ts';
import { foldTag } from '../domain/records/item.ts';
import { AppError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import { indexMethodsOf } from './index-methods.ts';
import type { LikeItem } from './like-items.ts';

/** An item is represented by this many passages, however long it is. */
const maxSampled = 4;
/** Neighbours that vote. The nearer ones have far more weight: nearness to this power. */
const voters = 20;
const power = 4;
/** Minimum share and number of votes: few proposals, of which nearly all are right (`bench/tags.ts`). */
const minShare = 0.65;
const minVoters = 3;
/** More proposals than are shown, because the item may already have some of the tags. */
const maxFound = 8;

/** Tags of the most similar items, best first. */
export async function findTags(
  store: Store,
  contentId: string,
  embedderId: string | null,
): Promise<TagProposals['found']> {
  try {
    return voteForTags(await findLikeItems(store, contentId, embedderId));
  } catch (error) {
    // One of several servers may have no index. Missing proposals must not fail the item.
    if (error instanceof AppError && error.code === 'unavailable') return [];
    throw error;
  }
}

export async function findLikeItems(store: Store, contentId: string, embedderId: string | null): Promise<LikeItem[]> {
  const sample = await store.sampleItem(contentId, embedderId, maxSampled);
  const vectors = sample.flatMap(({ vector }) =>
    vector === null || embedderId === null
      ? []
      : [{ embedderId, values: vector, unrelatedCosine: 0, everyPassage: false }],
  );
  return indexMethodsOf(store).likeItems({ contentId, passageIds: sample.map(({ passageId }) => passageId), vectors });
}

/** Lets the nearest items vote for their tags, weighted by similarity. */
export function voteForTags(like: readonly LikeItem[]): TagProposals['found'] {
  const hasVectors = like.some(({ meaning }) => meaning > 0);
  const nearest = like
    .map(({ tags, meaning, words }) => ({ tags, weight: (hasVectors ? (meaning + words) / 2 : words) ** power }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, voters);
  const whole = nearest.reduce((sum, { weight }) => sum + weight, 0);
  const votes = new Map<string, { tag: string; weight: number; items: number }>();
  for (const { tags, weight } of nearest)
    for (const tag of tags) {
      const folded = foldTag(tag);
      const before = votes.get(folded) ?? { tag, weight: 0, items: 0 };
      votes.set(folded, { ...before, weight: before.weight + weight, items: before.items + 1 });
    }
  return [...votes.values()]
    .map(({ tag, weight, items }) => ({ tag, items, score: Math.min(1, weight / whole) }))
    .filter(({ items, score }) => items >= minVoters && score >= minShare)
    .sort((a, b) => b.score - a.score)
    .slice(0, maxFound)
    .map(({ tag, items, score }) => ({ tag, score, reason: `like ${items} items tagged ${tag}` }));
}
