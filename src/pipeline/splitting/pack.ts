import type { Chunk, PassageLimits } from './chunk.ts';

/** First and last chunk of a passage, both inclusive. */
export type ChunkRun = readonly [first: number, last: number];

/**
 * Groups consecutive chunks into passages that fit, by the cheapest arrangement: a passage costs the square of the
 * share that it leaves empty, plus the seam at which it begins. Two half passages thus cost less than a full one and an
 * orphan.
 */
export function packChunks(
  chunks: readonly Chunk[],
  limits: Pick<PassageLimits, 'maxTokens' | 'maxChars'>,
  fits: (start: number, end: number) => boolean,
): ChunkRun[] {
  /** For the cheapest arrangement of the first n chunks: its cost, and the first chunk of its last passage. */
  const cost = new Float64Array(chunks.length + 1);
  const begin = new Uint32Array(chunks.length + 1);
  for (let n = 1; n <= chunks.length; n += 1) {
    const end = chunks[n - 1]?.end ?? 0;
    let best = Infinity;
    let tokens = 0;
    for (let first = n - 1; first >= 0; first -= 1) {
      const chunk = chunks[first];
      if (chunk === undefined) break;
      tokens += chunk.tokens;
      if (first < n - 1 && (tokens > limits.maxTokens || end - chunk.start > limits.maxChars)) break;
      const empty = Math.max(0, 1 - tokens / limits.maxTokens);
      const candidate = (cost[first] ?? 0) + empty * empty + (first === 0 ? 0 : chunk.seam);
      if (candidate < best) {
        best = candidate;
        begin[n] = first;
      }
    }
    cost[n] = best;
  }

  const runs: ChunkRun[] = [];
  for (let n = chunks.length; n > 0; n = begin[n] ?? 0) runs.push([begin[n] ?? 0, n - 1]);
  return runs.reverse().flatMap((run) => halveUntilFitting(run, chunks, fits));
}

/**
 * Halves a run that does not fit. When chunks meet inside a word, a tokenizer may count more tokens for the whole than
 * for its parts.
 */
function halveUntilFitting(
  [first, last]: ChunkRun,
  chunks: readonly Chunk[],
  fits: (start: number, end: number) => boolean,
): ChunkRun[] {
  if (first === last || fits(chunks[first]?.start ?? 0, chunks[last]?.end ?? 0)) return [[first, last]];
  const middle = (first + last) >> 1;
  return [...halveUntilFitting([first, middle], chunks, fits), ...halveUntilFitting([middle + 1, last], chunks, fits)];
}
