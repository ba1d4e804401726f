import type { CompareTitles } from '../../domain/drafts/analysis-draft.ts';
import type { Log } from '../../workers/log.ts';
import type { Embedder } from './embedder.ts';
import { readMiniLmFiles } from './minilm/files.ts';

/**
 * Compares titles with the sentence model in the package. The limits of `domain/drafts/grounding` were chosen with it, so
 * with any other model, or when it fails, titles are judged by words alone.
 */
export function createTitleComparer(embedder: Embedder | null, log: Log): CompareTitles {
  const never = new AbortController().signal;
  return async (titles, accountId) => {
    if (embedder === null || embedder.id !== readMiniLmFiles().id) return null;
    const texts = [...new Set(titles.flatMap(({ title, sentences }) => [title, ...sentences]))];
    try {
      const vectors = await embedder.embedPassages(texts, never, accountId);
      const vectorOf = new Map(texts.map((text, at) => [text, vectors[at]]));
      return titles.map(({ title, sentences }) =>
        Math.max(-1, ...sentences.map((sentence) => cosine(vectorOf.get(title), vectorOf.get(sentence)))),
      );
    } catch (error) {
      log.warn({ err: error }, 'titles are compared with their texts by words alone');
      return null;
    }
  };
}

/** Of vectors of unit length; -1 for a text that the model refuses. */
function cosine(one: Float32Array | null = null, other: Float32Array | null = null): number {
  if (one === null || other === null) return -1;
  return one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
}
