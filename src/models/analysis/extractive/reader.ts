import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ProcessingError } from '../../../errors.ts';
import type { Log } from '../../../log.ts';
import type { Embedder, PlacedSentence } from '../../embedding/index.ts';

/**
 * Scores by meaning how likely each sentence is a thing to do (log odds); null when no sentence model is available.
 * @param accountId as in `Embedder.embedPassages`
 */
export type ReadSentences = (
  sentences: readonly PlacedSentence[],
  accountId?: string,
) => Promise<readonly number[] | null>;

/** Names the model that the scorer's layers were trained on; `assets` is next to both `src` and `dist`. */
const file = new URL('../../../../assets/actions/instruction-scorer.json', import.meta.url);
const scorerDescription = z.object({ model: z.string() });

/**
 * Scores sentences with the sentence model that search uses, if that is the model in the package: `scripts/actions`
 * trained further layers on it. When the model fails, the reader returns null, and the caller scores by words alone.
 */
export function createSentenceReader(embedder: Embedder | null, log: Log): ReadSentences {
  const never = new AbortController().signal;
  let model: string | undefined;
  return async (sentences, accountId) => {
    if (embedder?.scoreInstructions === undefined) return null;
    model ??= scorerDescription.parse(JSON.parse(readFileSync(file, 'utf8'))).model;
    if (embedder.id !== model) return null;
    try {
      return await embedder.scoreInstructions(sentences, never, accountId);
    } catch (error) {
      const isClosing = error instanceof ProcessingError && error.code === 'interrupted';
      log[isClosing ? 'debug' : 'warn']({ err: error }, 'instructions are scored without the sentence model');
      return null;
    }
  };
}
