import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Log } from '../../../log.ts';
import type { Embedder, PlacedSentence } from '../../embedding/embedder.ts';

/**
 * How likely each sentence is a thing to do, by what it means (log odds); null where no model can read.
 * @param accountId as in `Embedder.embedPassages`
 */
export type ReadSentences = (
  sentences: readonly PlacedSentence[],
  accountId?: string,
) => Promise<readonly number[] | null>;

/** Says what model the judge's layers stand on; `assets` stands beside both `src` and `dist`. */
const file = new URL('../../../../assets/actions/judge.json', import.meta.url);
const judgeFile = z.object({ model: z.string() });

/**
 * Reads with the sentence model that search uses, if that is the one in the package, on whose layers `scripts/actions` trained more. A
 * model that fails is no reason to fail: the caller judges by words alone then.
 */
export function createSentenceReader(embedder: Embedder | null, log: Log): ReadSentences {
  const never = new AbortController().signal;
  let model: string | undefined;
  return async (sentences, accountId) => {
    if (embedder?.judgeInstructions === undefined) return null;
    model ??= judgeFile.parse(JSON.parse(readFileSync(file, 'utf8'))).model;
    if (embedder.id !== model) return null;
    try {
      return await embedder.judgeInstructions(sentences, never, accountId);
    } catch (error) {
      log.warn({ err: error }, 'instructions are judged without the sentence model');
      return null;
    }
  };
}
