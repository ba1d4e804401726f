import { setImmediate } from 'node:timers/promises';
import type { Analyst } from './analyst.ts';
import { sourceSentences, type SourceSentence } from './extractive-candidates.ts';
import { extract } from './extractive-extract.ts';

/** Sentences between two pauses: a few milliseconds of work. */
const batch = 200;

/**
 * The analyst that needs no model: sentences of the text itself, chosen by how much of the text they speak of,
 * and instructions found by grammar (English only). Says nothing that does not stand in the text.
 */
export function createExtractiveAnalyst(): Analyst {
  return {
    by: 'extractive',
    model: null,
    async analyse(input, _goals, signal) {
      signal.throwIfAborted();
      const found: SourceSentence[] = [];
      for (const sentence of sourceSentences(input)) {
        found.push(sentence);
        if (found.length % batch === 0) {
          await setImmediate();
          signal.throwIfAborted();
        }
      }
      const { summary, insights } = extract(input, found);
      await setImmediate();
      signal.throwIfAborted();
      return { summary, insights, actions: [], droppedQuotes: 0 };
    },
  };
}
