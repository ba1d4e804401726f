import type { Analysis } from '../domain/analysis.ts';
import type { AnalysisInput, Analyst } from './analyst.ts';
import type { Goal } from '../domain/goal.ts';
import { findActions } from './extractive-actions.ts';
import { sourceSentences, type SourceSentence } from './extractive-candidates.ts';
import { extract } from './extractive-extract.ts';
import { asksForNothing } from './extractive-genre.ts';
import { createPause, type Pause } from './extractive-pause.ts';
import { loadTagger, type Tagger } from './extractive-tagger.ts';
import { looksEnglish } from './extractive-words.ts';

/**
 * The analyst that needs no model: sentences of the text itself, chosen by how much of the text they speak of,
 * and instructions found by grammar (English only). Says nothing that does not stand in the text.
 */
export function createExtractiveAnalyst(): Analyst {
  let tagger: Promise<Tagger> | undefined;

  async function instructions(
    { title, language, text, blocks }: AnalysisInput,
    found: readonly SourceSentence[],
    goals: readonly Goal[],
    pause: Pause,
  ): Promise<Analysis['actions']> {
    const english = language === null ? looksEnglish(text) : /^en\b/i.test(language);
    if (!english || found.length === 0 || asksForNothing({ text, blocks }, found)) return [];
    tagger ??= loadTagger();
    return findActions(title, found, goals, await tagger, pause);
  }

  return {
    by: 'extractive',
    model: null,
    async analyse(input, goals, signal) {
      signal.throwIfAborted();
      const pause = createPause(signal);
      const found: SourceSentence[] = [];
      for (const sentence of sourceSentences(input)) {
        found.push(sentence);
        await pause();
      }
      const extracted = await extract(input, found, pause);
      const actions = await instructions(input, found, goals, pause);
      signal.throwIfAborted();
      return { ...extracted, actions, droppedQuotes: 0 };
    },
  };
}
