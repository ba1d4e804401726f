import type { Embedder } from './embedder.ts';

/** Questions that are remembered: 384 floats each, half a megabyte in all; of the largest models eight times that. */
const maxQuestions = 256;

/**
 * Remembers the vectors of the latest questions: the same one costs nothing when it is asked again, for the next page, with other
 * filters, or as a suggestion is chosen. Nothing is written down.
 */
export function withQueryCache(embedder: Embedder, most = maxQuestions): Embedder {
  const vectors = new Map<string, Float32Array>();
  return {
    get id() {
      return embedder.id;
    },
    get dimensions() {
      return embedder.dimensions;
    },
    get languages() {
      return embedder.languages;
    },
    get unrelatedCosine() {
      return embedder.unrelatedCosine ?? 0;
    },
    ...(embedder.passagesAtOnce !== undefined && { passagesAtOnce: embedder.passagesAtOnce }),
    embedPassages: (...asked) => embedder.embedPassages(...asked),
    ...(embedder.judgeInstructions !== undefined && { judgeInstructions: embedder.judgeInstructions }),
    async embedQuery(text, signal, accountId) {
      signal.throwIfAborted();
      // The id may change with the first answer of a server; what it was before says nothing then.
      const before = vectors.get(`${embedder.id} ${text}`);
      const vector = before ?? (await embedder.embedQuery(text, signal, accountId));
      const key = `${embedder.id} ${text}`;
      // A Map keeps the order of insertion: the first is the one that was not asked for longest.
      vectors.delete(key);
      vectors.set(key, vector);
      const [oldest] = vectors.keys();
      if (vectors.size > most && oldest !== undefined) vectors.delete(oldest);
      return vector;
    },
    close: () => embedder.close(),
  };
}
