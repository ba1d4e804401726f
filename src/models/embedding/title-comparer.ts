import type { CompareTitles } from '../../domain/drafts/analysis-draft.ts';
import type { Log } from '../../workers/log.ts';
import type { Embedder } from './embedder.ts';
import { readMiniLmFiles } from './minilm/files.ts';

/** Vectors kept for goals and examples, which are compared with every text; 1.5 kB each. They are short. */
const maxKept = 1_000;
const maxKeptLength = 300;

/**
 * Compares titles with the sentence model in the package. The limits of `domain/drafts/grounding` were chosen with it, so
 * with any other model, or when it fails, titles are judged by words alone.
 */
export function createTitleComparer(embedder: Embedder | null, log: Log): CompareTitles {
  const never = new AbortController().signal;
  const kept = new Map<string, Float32Array | null>();
  return async (titles, accountId) => {
    if (embedder === null || embedder.id !== readMiniLmFiles().id) return null;
    const texts = [...new Set(titles.flatMap(({ title, sentences }) => [title, ...sentences]))];
    try {
      // Read before the wait, during which another call may drop them.
      const vectorOf = new Map(texts.map((text) => [text, kept.get(text) ?? null]));
      const unknown = texts.filter((text) => !kept.has(text));
      const vectors = unknown.length === 0 ? [] : await embedder.embedPassages(unknown, never, accountId);
      for (const [at, text] of unknown.entries()) vectorOf.set(text, vectors[at] ?? null);
      for (const [text, vector] of vectorOf) {
        // Moved to the end: the oldest are dropped first.
        kept.delete(text);
        if (text.length <= maxKeptLength) kept.set(text, vector);
      }
      for (const text of kept.keys()) {
        if (kept.size <= maxKept) break;
        kept.delete(text);
      }
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
  // A loop, because thousands are computed for a text: `reduce` took ten times as long.
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}
