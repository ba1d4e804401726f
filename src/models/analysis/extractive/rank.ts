import type { Pause } from './pause.ts';
import { termsOf } from './words.ts';

/** The terms by which sentences are compared, with their counts. */
export interface TermCounts {
  counts: ReadonlyMap<string, number>;
  length: number;
}

/**
 * The terms of a sentence are counted in this many characters at most. A text without full stops is one sentence: in
 * Chinese each of its hundred thousands of characters would begin its own term.
 */
const maxCounted = 2_000;

export function countTerms(text: string, stopWords?: ReadonlySet<string>): TermCounts {
  const counts = new Map<string, number>();
  const terms = termsOf(text.slice(0, maxCounted), stopWords);
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return { counts, length: terms.length };
}

/** BM25's usual constants; sentences differ little in length, so they hardly matter. */
const k1 = 1.2;
const b = 0.75;

/**
 * Computes how central each sentence is: the mean BM25 score of the document's other sentences, with this sentence as the query.
 * Summed term by term, so that the time is linear in the document and not quadratic in the number of sentences.
 */
export async function centrality(
  sentences: readonly TermCounts[],
  pause: Pause,
): Promise<{ scores: number[]; idf: InverseFrequency }> {
  const total = sentences.length;
  const meanLength = Math.max(1, sentences.reduce((sum, { length }) => sum + length, 0) / Math.max(1, total));
  const saturated = (count: number, length: number): number =>
    (count * (k1 + 1)) / (count + k1 * (1 - b + (b * length) / meanLength));
  const known = new Map<string, { sentences: number; weight: number }>();
  for (const { counts, length } of sentences) {
    await pause();
    for (const [term, count] of counts) {
      const entry = known.get(term);
      const weight = saturated(count, length);
      if (entry === undefined) known.set(term, { sentences: 1, weight });
      else {
        entry.sentences += 1;
        entry.weight += weight;
      }
    }
  }
  const inverse = (count: number): number => Math.log(1 + (total - count + 0.5) / (count + 0.5));
  const scores: number[] = [];
  for (const { counts, length } of sentences) {
    await pause();
    let sum = 0;
    for (const [term, count] of counts) {
      const entry = known.get(term);
      // Leave out the sentence's own share: a rare word must not make it central.
      if (entry !== undefined && entry.sentences > 1)
        sum += inverse(entry.sentences) * (entry.weight - saturated(count, length));
    }
    scores.push(sum / Math.max(1, total - 1));
  }
  return { scores, idf: (term) => inverse(known.get(term)?.sentences ?? total) };
}

/** Inverse document frequency of a term in the sentences of the document. */
export type InverseFrequency = (term: string) => number;

/** Cosine of two sentences under `idf`, 0–1. */
export function similarity(left: TermCounts, right: TermCounts, idf: InverseFrequency): number {
  let shared = 0;
  for (const [term, count] of left.counts) {
    const other = right.counts.get(term);
    if (other !== undefined) shared += count * other * idf(term) ** 2;
  }
  return shared === 0 ? 0 : shared / (norm(left, idf) * norm(right, idf));
}

function norm({ counts }: TermCounts, idf: InverseFrequency): number {
  let sum = 0;
  for (const [term, count] of counts) sum += (count * idf(term)) ** 2;
  return Math.sqrt(sum) || 1;
}

/** The likeness of two candidates, 0–1. */
export type Alike<Of> = (one: Of, other: Of) => number;

/**
 * Maximal marginal relevance: picks by score, minus a penalty for likeness to candidates already picked.
 * @param before what counts as picked from the beginning
 * @param accept whether a candidate still fits with those picked; refused ones are skipped
 * @returns those picked, in the order picked
 */
export function pickDiverse<Of>(
  candidates: readonly Of[],
  alike: Alike<Of>,
  {
    limit,
    score,
    penalty,
    before = [],
    accept,
  }: {
    limit: number;
    score: (one: Of) => number;
    penalty: number;
    before?: readonly Of[];
    accept: (one: Of, picked: readonly Of[]) => boolean;
  },
): Of[] {
  const picked: Of[] = [];
  const worth = new Map(candidates.map((one) => [one, score(one)]));
  const repeats = new Map(candidates.map((one) => [one, Math.max(0, ...before.map((other) => alike(one, other)))]));
  while (picked.length < limit && worth.size > 0) {
    let best: Of | undefined;
    let bestScore = -Infinity;
    for (const [one, value] of worth) {
      const rest = value - penalty * (repeats.get(one) ?? 0);
      if (rest > bestScore) [best, bestScore] = [one, rest];
    }
    if (best === undefined) break;
    worth.delete(best);
    if (!accept(best, picked)) continue;
    picked.push(best);
    for (const one of worth.keys()) repeats.set(one, Math.max(repeats.get(one) ?? 0, alike(one, best)));
  }
  return picked;
}
