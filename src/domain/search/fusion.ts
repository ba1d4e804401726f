import { bestFirst, type LexicalHits, type RankedPassage } from '../records/passage.ts';

/** By what passages are ranked. */
export type RankBy = 'words' | 'meaning' | 'both';

/** The share of meaning in the fused score, α; words have the rest. Chosen in docs/decisions/0008-fusion.md. */
export const meaningShare = 0.5;

/**
 * A passage that shares no word with the question has to be at least so near in meaning; below it are the chance
 * neighbours that every question has, and an honest "nothing found" is worth more to a reader than those.
 */
const minCosineAlone = 0.25;

/**
 * Fuses the list found by words with the one found by meaning:
 * `(1 − α) · BM25 ÷ ideal BM25 + α · cosine` over the union of both. A passage that stands in one list only
 * has 0 from the other, unless it cannot have more: what has no vector is judged by its words alone.
 * The result does not depend on the order of the inputs.
 * @param withoutVector passages that no question's vector can find: in another language than the model's, or still waiting
 */
export function fuseRankings(
  lexical: LexicalHits,
  semantic: readonly RankedPassage[],
  withoutVector: ReadonlySet<number> = new Set(),
  share = meaningShare,
): RankedPassage[] {
  const fused = new Map<number, RankedPassage>();
  for (const hit of lexical.hits) {
    const coverage = lexical.idealScore > 0 ? hit.score / lexical.idealScore : 0;
    const weight = withoutVector.has(hit.passageId) ? 1 : 1 - share;
    fused.set(hit.passageId, { passageId: hit.passageId, contentId: hit.contentId, score: weight * coverage });
  }
  for (const hit of semantic) {
    const words = fused.get(hit.passageId);
    if (words !== undefined) words.score += share * hit.score;
    else if (hit.score >= minCosineAlone)
      fused.set(hit.passageId, { passageId: hit.passageId, contentId: hit.contentId, score: share * hit.score });
  }
  return [...fused.values()].sort(bestFirst);
}

/**
 * Brings cosines to one scale: 0 is what the model says of texts that have nothing to do with each other, 1 the same meaning.
 * Some models give any two texts .7; fused as they are, such cosines would outweigh words.
 */
export function aboveUnrelated(hits: readonly RankedPassage[], unrelatedCosine: number): readonly RankedPassage[] {
  if (unrelatedCosine === 0) return hits;
  return hits.map((hit) => ({ ...hit, score: Math.max(0, (hit.score - unrelatedCosine) / (1 - unrelatedCosine)) }));
}
