import type { Embedder } from './embedder.ts';

/** Maximum cached queries: 384 floats each, half a megabyte in all; eight times that for the largest models. */
const maxQuestions = 256;

/**
 * Caches the vectors of the latest queries: repeating a query for the next page, with other filters, or when a
 * suggestion is chosen costs nothing. The cache is in memory only.
 */
export function withQueryCache(embedder: Embedder, maxCached = maxQuestions): Embedder {
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
    ...(embedder.matchFloors !== undefined && { matchFloors: embedder.matchFloors }),
    ...(embedder.passagesAtOnce !== undefined && { passagesAtOnce: embedder.passagesAtOnce }),
    embedPassages: (...asked) => embedder.embedPassages(...asked),
    load: () => embedder.load?.(),
    unload: () => embedder.unload?.(),
    get isLoading() {
      return embedder.isLoading ?? false;
    },
    async embedQuery(text, signal, accountId) {
      signal.throwIfAborted();
      // The id may change with a server's first answer; entries under the old id are then not used.
      const before = vectors.get(`${embedder.id} ${text}`);
      const vector = before ?? (await embedder.embedQuery(text, signal, accountId));
      const key = `${embedder.id} ${text}`;
      // A Map keeps insertion order, so its first key is the least recently used.
      vectors.delete(key);
      vectors.set(key, vector);
      const [oldest] = vectors.keys();
      if (vectors.size > maxCached && oldest !== undefined) vectors.delete(oldest);
      return vector;
    },
    close: () => embedder.close(),
  };
}
