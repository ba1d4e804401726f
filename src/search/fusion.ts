import { bestFirst, type PassageId, type RankedPassage } from '../domain/records/passage.ts';

/** Weight α of the semantic score; the lexical score has 1 − α. Chosen in docs/decisions/fusion.md. */
export const meaningShare = 0.5;

/**
 * Minimum cosine of a passage that shares no word with the question, unless its vector has another one. Below it are the
 * chance neighbours that every question has; "nothing found" helps a reader more than those.
 */
const minCosineAlone = 0.25;

/**
 * Fuses the lexical and the semantic ranking (`lexical` has BM25 ÷ ideal BM25 as scores, `semantic` cosines):
 * `(1 − α) · BM25 ÷ ideal BM25 + α · cosine` over the union of both. A passage in only one list gets 0 from the other,
 * except that a passage without a vector is scored by its words alone.
 * The result does not depend on the order of the inputs.
 * @param withoutVector passages without a vector: in a language that the model does not know, or not embedded yet
 * @param minAlone minimum cosine of a passage that shares no word with the question
 */
export function fuseRankings(
  lexical: readonly RankedPassage[],
  semantic: readonly RankedPassage[],
  withoutVector: ReadonlySet<PassageId> = new Set(),
  { share = meaningShare, minAlone = minCosineAlone }: { share?: number; minAlone?: number | undefined } = {},
): RankedPassage[] {
  const fused = new Map<PassageId, RankedPassage>();
  for (const hit of lexical) {
    const weight = withoutVector.has(hit.passageId) ? 1 : 1 - share;
    fused.set(hit.passageId, { passageId: hit.passageId, contentId: hit.contentId, score: weight * hit.score });
  }
  for (const hit of semantic) {
    const words = fused.get(hit.passageId);
    if (words !== undefined) words.score += share * hit.score;
    else if (hit.score >= minAlone)
      fused.set(hit.passageId, { passageId: hit.passageId, contentId: hit.contentId, score: share * hit.score });
  }
  return [...fused.values()].sort(bestFirst);
}

/**
 * Rescales cosines: 0 is the model's cosine for unrelated texts, 1 is the same meaning. Some models give any two texts
 * 0.7; without rescaling, such cosines would outweigh the lexical score.
 */
export function aboveUnrelated(hits: readonly RankedPassage[], unrelatedCosine: number): readonly RankedPassage[] {
  if (unrelatedCosine === 0) return hits;
  return hits.map((hit) => ({ ...hit, score: Math.max(0, (hit.score - unrelatedCosine) / (1 - unrelatedCosine)) }));
}
