import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ProcessingError } from '../../../errors.ts';
import type { Log } from '../../../log.ts';
import type { Embedder } from '../../embedding/index.ts';

/**
 * Scores by meaning how likely each sentence is a thing to do: 0 and more for those that are kept. Null when no sentence
 * model is available.
 * @param accountId as in `Embedder.embedPassages`
 */
export type ReadSentences = (sentences: readonly string[], accountId?: string) => Promise<readonly number[] | null>;

/** Logistic regression on the vector of the sentence. `assets` is next to both `src` and `dist`. */
const file = new URL('../../../../assets/actions/usefulness.json', import.meta.url);
const weights = z.object({
  model: z.string(),
  bias: z.number(),
  weights: z.array(z.number()),
});

/**
 * Scores sentences with the vectors of search, if they are those of the model in the package. When the model fails, the
 * reader returns null, and the caller scores by words alone.
 */
export function createSentenceReader(embedder: Embedder | null, log: Log): ReadSentences {
  const never = new AbortController().signal;
  let known: z.infer<typeof weights> | undefined;
  return async (sentences, accountId) => {
    if (embedder === null) return null;
    known ??= weights.parse(JSON.parse(readFileSync(file, 'utf8')));
    if (embedder.id !== known.model) return null;
    const { bias, weights: weighed } = known;
    try {
      const vectors = await embedder.embedPassages([...sentences], never, accountId);
      return vectors.map((vector) => weighed.reduce((sum, value, at) => sum + value * (vector?.[at] ?? 0), bias));
    } catch (error) {
      const isClosing = error instanceof ProcessingError && error.code === 'interrupted';
      log[isClosing ? 'debug' : 'warn']({ err: error }, 'instructions are scored without the sentence model');
      return null;
    }
  };
}
