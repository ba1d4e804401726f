import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Log } from '../log.ts';
import type { Embedder } from './embedder.ts';

/** How likely each sentence, read by itself, is a thing to do (log odds); null where no model can read. */
export type ReadSentences = (sentences: readonly string[]) => Promise<readonly number[] | null>;

/** What is made of a vector of `model`, and of no other model's. */
const headFile = z.object({ model: z.string(), weights: z.array(z.number()), bias: z.number() });

/** `assets` stands beside both `src` and `dist`. */
const file = new URL('../../assets/actions/head.json', import.meta.url);

/**
 * Reads with the sentence model that search uses, if that is the one in the package; `scripts/actions` trained the head. A model
 * that fails is no reason to fail: the caller judges by words alone then.
 */
export function createSentenceReader(embedder: Embedder | null, log: Log): ReadSentences {
  const never = new AbortController().signal;
  let head: z.infer<typeof headFile> | undefined;
  return async (sentences) => {
    if (embedder === null) return null;
    head ??= headFile.parse(JSON.parse(readFileSync(file, 'utf8')));
    const { model, weights, bias } = head;
    if (embedder.id !== model) return null;
    try {
      const vectors = await embedder.embedPassages(sentences, never);
      return vectors.map((vector) => weights.reduce((sum, weight, i) => sum + weight * (vector?.[i] ?? 0), bias));
    } catch (error) {
      log.warn({ err: error }, 'instructions are judged without the sentence model');
      return null;
    }
  };
}
