import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ProcessingError } from '../../../errors.ts';
import type { Log } from '../../../log.ts';
import type { Embedder } from '../../embedding/index.ts';

/** A sentence, and the title and heading above it. */
export interface PlacedSentence {
  text: string;
  around: string;
}

/**
 * Scores by meaning how likely each sentence is a thing to do: 0 and more for those that are kept. Null when no sentence
 * model is available.
 * @param accountId as in `Embedder.embedPassages`
 */
export type ReadSentences = (
  sentences: readonly PlacedSentence[],
  accountId?: string,
) => Promise<readonly number[] | null>;

/** Logistic regression on two vectors: of the sentence alone and in its place. `assets` is next to both `src` and `dist`. */
const file = new URL('../../../../assets/actions/usefulness.json', import.meta.url);
const weights = z.object({
  model: z.string(),
  bias: z.number(),
  alone: z.array(z.number()),
  placed: z.array(z.number()),
});

/** The texts whose vectors `usefulness.json` weighs. */
export function textsToRead({ text, around }: PlacedSentence): [alone: string, placed: string] {
  return [text, `${around}. ${text}`];
}

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
    const { bias, alone, placed } = known;
    try {
      const vectors = await embedder.embedPassages(sentences.flatMap(textsToRead), never, accountId);
      return sentences.map((_, at) => bias + dot(alone, vectors[2 * at]) + dot(placed, vectors[2 * at + 1]));
    } catch (error) {
      const isClosing = error instanceof ProcessingError && error.code === 'interrupted';
      log[isClosing ? 'debug' : 'warn']({ err: error }, 'instructions are scored without the sentence model');
      return null;
    }
  };
}

function dot(one: readonly number[], other: Float32Array | null = null): number {
  return other === null ? 0 : one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
}
