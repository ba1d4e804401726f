import type { Analysis } from '../../../domain/records/analysis.ts';
import type { AnalysisInput, Analyst } from '../analyst.ts';
import type { Goal } from '../../../domain/records/goal.ts';
import { findActions, type ScoringTools } from './actions.ts';
import { sourceSentences, type SourceSentence } from './candidates.ts';
import { extract } from './pick-sentences.ts';
import { goalReason, nearGoals, subjectOf, type CompareMeanings, type Surroundings } from './goals.ts';
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

/** Actions in their context, as goals are compared with them. */
function placesOf(
  { title, language, text }: AnalysisInput,
  actions: Analysis['actions'],
  sentences: readonly SourceSentence[],
): Surroundings[] {
  const at = new Map(sentences.map((sentence) => [sentence.start, sentence]));
  return actions.map(({ title: instruction, quote }) => {
    const sentence = at.get(quote.start);
    return {
      instruction: sentence?.plain ?? instruction,
      paragraph: '',
      subject: subjectOf(title, sentence?.heading),
      isForeign: !isEnglish(language, text),
    };
  });
}

/**
 * The analyst that needs no language model. It chooses sentences of the text by how much of the text they cover.
 * Instructions are found by grammar and scored by a small trained model in English, and by tables of words and forms in
 * six other languages; of all others the analysis says that they were not looked for. The result contains nothing that
 * is not in the text.
 * @param read scores sentences with the sentence model; without it they are scored by their words alone, which is less
 *   accurate
 * @param compare compares texts by meaning; without it actions are linked to goals by shared words
 */
export function createExtractiveAnalyst(
  read: ReadSentences | null = null,
  compare: CompareMeanings | null = null,
): Analyst {
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
      const english = isEnglish(input.language, input.text);
      const actions = await instructions(input, found, goals, pause);
      const tasks = new Set(actions.map(({ quote }) => quote.start));
      const extracted = await extract(input, found, {
        table: tableOf(input.language),
        isEnglish: english,
        compare: english ? compare : null,
        tasks,
        pause,
      });
      const near = await nearGoals(placesOf(input, actions, found), goals, compare);
      signal.throwIfAborted();
      const unread = readsActions(input) ? null : unreadActions(input.language);
      return {
        ...extracted,
        actions: actions.map((action, n) => {
          const match = near[n];
          return match === undefined ? action : { ...action, goalId: match.goal.id, goalReason: goalReason(match) };
        }),
        droppedQuotes: 0,
        ...(unread !== null && { unread }),
      };
    },
  };
}
