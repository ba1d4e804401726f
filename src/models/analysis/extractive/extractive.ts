import type { Analysis } from '../../../domain/records/analyses/analysis.ts';
import type { AnalysisInput, Analyst } from '../analyst.ts';
import type { Goal } from '../../../domain/records/analyses/goal.ts';
import { findActions } from './actions.ts';
import { maxTitle, sourceSentences, type SourceSentence } from './candidates.ts';
import { extract } from './pick-sentences.ts';
import { matchGoals, subjectOf, type CompareMeanings, type Surroundings } from './goals.ts';
import { tasksIn, guessPriority } from './tasks.ts';
import { english } from './languages/english.ts';
import { tableOf } from './languages/tables.ts';
import { createPause, type Pause } from './pause.ts';
import { looksEnglish } from './words.ts';

function isEnglish(language: string | null, text: string): boolean {
  return language === null ? looksEnglish(text) : /^en\b/i.test(language);
}

/**
 * The analyst that needs no language model. It chooses sentences of the text by how much of the text they cover.
 * Instructions are found by tables of words and forms in seven languages; of all other languages the analysis says that
 * they were not looked for. The result contains nothing that is not in the text.
 * @param compare compares texts by meaning; without it actions and insights are linked to goals by shared words
 */
export function createExtractiveAnalyst(compare: CompareMeanings | null = null): Analyst {
  async function linked<Of>(all: readonly Of[], places: readonly Surroundings[], goals: readonly Goal[]) {
    const served = await matchGoals(places, goals, compare);
    return all.map((one, at) => {
      return { ...one, goalId: served[at]?.goalId ?? null, goalReason: served[at]?.reason ?? null };
    });
  }

  async function actionsOf(
    input: AnalysisInput,
    found: readonly SourceSentence[],
    goals: readonly Goal[],
    ofEnglish: boolean,
    pause: Pause,
  ): Promise<Analysis['actions']> {
    const { writtenOn, boxesOn } = input;
    const day = writtenOn ?? boxesOn;
    const tasks =
      day === undefined ? [] : tasksIn(input.text, input.language, day, { onlyBoxes: writtenOn === undefined });
    // A file without boxes may be a page that somebody else wrote.
    if (writtenOn !== undefined || tasks.length > 0) {
      const places = tasks.map(({ title }) => ({
        instruction: title,
        subject: input.title ?? '',
        isForeign: !ofEnglish,
      }));
      return linked(tasks, places, goals);
    }
    const table = tableOf(input.language);
    if (table === null && !ofEnglish) return [];
    return findActions(input, found, goals, { table: table ?? english, isEnglish: table === null, compare }, pause);
  }

  /** Links insights to goals, in the same way as actions. */
  async function withGoals(
    title: string | null,
    insights: Analysis['insights'],
    found: readonly SourceSentence[],
    goals: readonly Goal[],
    ofEnglish: boolean,
  ): Promise<Analysis['insights']> {
    if (goals.length === 0) return insights;
    const places = insights.map(({ text, quote }) => ({
      instruction: text,
      subject: subjectOf(title, found.findLast(({ start }) => start <= (quote?.start ?? -1))?.heading),
      isForeign: !ofEnglish,
      isInsight: true,
    }));
    return linked(insights, places, goals);
  }

  return {
    by: 'extractive',
    model: null,
    async analyse(given, goals, signal) {
      signal.throwIfAborted();
      const pause = createPause(signal);
      const input = { ...given, title: given.title?.slice(0, maxTitle) ?? null };
      const found: SourceSentence[] = [];
      for (const sentence of sourceSentences(input)) {
        found.push(sentence);
        await pause();
      }
      const ofEnglish = isEnglish(input.language, input.text);
      const table = tableOf(input.language);
      const foundActions = await actionsOf(input, found, goals, ofEnglish, pause);
      const actions = foundActions.map((action) => {
        const { start, end } = action.quote;
        const about = { due: action.due, servesGoal: action.goalId !== null };
        return { ...action, priority: guessPriority(input.text.slice(start, end), about, input.writtenOn) };
      });
      const extracted = await extract(input, found, {
        table,
        isEnglish: ofEnglish,
        compare: ofEnglish ? compare : null,
        tasks: actions.map(({ quote }) => quote),
        pause,
      });
      const insights = await withGoals(input.title, extracted.insights, found, goals, ofEnglish);
      signal.throwIfAborted();
      const unread =
        input.writtenOn !== undefined || table !== null || ofEnglish ? null : unreadActions(input.language);
      return {
        ...extracted,
        insights,
        actions,
        droppedQuotes: 0,
        ...(unread !== null && { unread }),
      };
    },
  };
}

/**
 * The notice of an item in whose text nobody looked for things to do, or null when its language is unknown: then there
 * may be no text to read.
 */
function unreadActions(language: string | null): string | null {
  if (language === null) return null;
  return `Things to do were not looked for: without a language model they are found in English, German, French, Spanish, Italian, Portuguese and Dutch only, and this text is in ${nameOf(language)}.`;
}

/** The English name of a language: "Polish" for "pl"; the code itself when there is none. */
function nameOf(code: string): string {
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code;
  } catch {
    return 'another language';
  }
}
