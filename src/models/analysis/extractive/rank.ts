import { termsOf } from './words.ts';

/** The terms by which sentences are compared, with their counts. */
export interface TermCounts {
  counts: ReadonlyMap<string, number>;
  length: number;
}

export function countTerms(text: string): TermCounts {
  const counts = new Map<string, number>();
  const terms = termsOf(text);
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return { counts, length: terms.length };
}

/** BM25's usual constants; sentences differ little in length, so they hardly matter. */
const k1 = 1.2;
const b = 0.75;

/**
 * How central each sentence is: the mean BM25 score of the document's other sentences, with this sentence as the query.
 * Summed term by term, so that the time is linear in the document and not quadratic in the number of sentences.
 */
export function centrality(sentences: readonly TermCounts[]): {
  scores: number[];
  idf: ReadonlyMap<string, number>;
} {
  const total = sentences.length;
  const meanLength = Math.max(1, sentences.reduce((sum, { length }) => sum + length, 0) / Math.max(1, total));
  const frequency = new Map<string, number>();
  const weight = new Map<string, number>();
  const saturated = (count: number, length: number): number =>
    (count * (k1 + 1)) / (count + k1 * (1 - b + (b * length) / meanLength));
  for (const { counts, length } of sentences) {
    for (const [term, count] of counts) {
      frequency.set(term, (frequency.get(term) ?? 0) + 1);
      weight.set(term, (weight.get(term) ?? 0) + saturated(count, length));
    }
  }
  const idf = new Map<string, number>();
  for (const [term, count] of frequency) idf.set(term, Math.log(1 + (total - count + 0.5) / (count + 0.5)));
  const scores = sentences.map(({ counts, length }) => {
    let sum = 0;
    for (const [term, count] of counts) {
      // Leave out the sentence's own share: a rare word must not make it central.
      sum += (idf.get(term) ?? 0) * ((weight.get(term) ?? 0) - saturated(count, length));
    }
    return sum / Math.max(1, total - 1);
  });
  return { scores, idf };
}

/** Cosine of two sentences under `idf`, 0–1. */
function similarity(left: TermCounts, right: TermCounts, idf: ReadonlyMap<string, number>): number {
  let shared = 0;
  for (const [term, count] of left.counts) {
    const other = right.counts.get(term);
    if (other !== undefined) shared += count * other * (idf.get(term) ?? 0) ** 2;
  }
  return shared === 0 ? 0 : shared / (norm(left, idf) * norm(right, idf));
}

function norm({ counts }: TermCounts, idf: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const [term, count] of counts) sum += (count * (idf.get(term) ?? 0)) ** 2;
  return Math.sqrt(sum) || 1;
}

/**
 * Maximal marginal relevance: picks by score, minus a penalty for similarity to candidates already picked.
 * @param accept whether a candidate still fits with those picked; refused ones are skipped
 * @returns indexes into `candidates`, in the order picked
 */
export function pickDiverse(
  candidates: readonly { score: number; terms: TermCounts }[],
  idf: ReadonlyMap<string, number>,
  {
    limit,
    penalty,
    accept = () => true,
  }: {
    limit: number;
    penalty: number;
    accept?: (index: number, picked: readonly number[]) => boolean;
  },
): number[] {
  const picked: number[] = [];
  const repeats = candidates.map(() => 0);
  const open = new Set(candidates.keys());
  while (picked.length < limit) {
    let best: number | undefined;
    let bestScore = -Infinity;
    for (const i of open) {
      const score = (candidates[i]?.score ?? 0) - penalty * (repeats[i] ?? 0);
      if (score > bestScore) [best, bestScore] = [i, score];
    }
    if (best === undefined) break;
    open.delete(best);
    if (!accept(best, picked)) continue;
    picked.push(best);
    const chosen = candidates[best];
    for (const i of open) {
      const candidate = candidates[i];
      if (chosen && candidate) repeats[i] = Math.max(repeats[i] ?? 0, similarity(candidate.terms, chosen.terms, idf));
    }
  }
  return picked;
}
