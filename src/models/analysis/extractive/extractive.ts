import type { Analysis } from '../../../domain/records/analysis.ts';
import type { AnalysisInput, Analyst } from '../analyst.ts';
import type { Goal } from '../../../domain/records/goal.ts';
import { findActions, type ScoringTools } from './actions.ts';
import { sourceSentences, type SourceSentence } from './candidates.ts';
import { extract } from './pick-sentences.ts';
import { isProgrammingTutorial, isShortPitch } from './audience/genre.ts';
import { findForeignActions } from './languages/foreign-actions.ts';
import { tableOf } from './languages/tables.ts';
import { unreadActions } from './languages/unread-actions.ts';
import { readActionModel } from './model.ts';
import { createPause, type Pause } from './pause.ts';
import type { ReadSentences } from './reader.ts';
import { loadTagger } from './grammar/tagger.ts';
import { looksEnglish } from './words.ts';

function isEnglish(language: string | null, text: string): boolean {
  return language === null ? looksEnglish(text) : /^en\b/i.test(language);
}

function readsActions({ language, text }: AnalysisInput): boolean {
  return tableOf(language) !== null || isEnglish(language, text);
}

/**
 * The analyst that needs no language model. It chooses sentences of the text by how much of the text they cover.
 * Instructions are found by grammar and scored by a small trained model in English, and by tables of words and forms in
 * six other languages; of all others the analysis says that they were not looked for. The result contains nothing that
 * is not in the text.
 * @param read scores sentences with the sentence model; without it they are scored by their words alone, which is less
 *   accurate
 */
export function createExtractiveAnalyst(read: ReadSentences | null = null): Analyst {
  let tools: Promise<ScoringTools> | undefined;

  async function instructions(
    { title, language, text, blocks }: AnalysisInput,
    found: readonly SourceSentence[],
    goals: readonly Goal[],
    pause: Pause,
  ): Promise<Analysis['actions']> {
    if (found.length === 0 || isProgrammingTutorial({ text, blocks }) || isShortPitch(found)) return [];
    const table = tableOf(language);
    if (table !== null) return findForeignActions(title, found, goals, table, pause);
    if (!isEnglish(language, text)) return [];
    tools ??= loadTagger().then((tag) => ({ tag, model: readActionModel(), read }));
    const code = blocks.filter(({ kind }) => kind === 'code');
    const codeShare = code.reduce((sum, { start, end }) => sum + end - start, 0) / Math.max(1, text.length);
    return findActions({ title, sentences: found, codeShare }, goals, await tools, pause);
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
      const extracted = await extract(input, found, tableOf(input.language), pause);
      const actions = await instructions(input, found, goals, pause);
      signal.throwIfAborted();
      const unread = readsActions(input) ? null : unreadActions(input.language);
      return { ...extracted, actions, droppedQuotes: 0, ...(unread !== null && { unread }) };
    },
  };
}
