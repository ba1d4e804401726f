import { z } from 'zod';
import { createAddressFilter } from '../links/addresses.ts';
import type { Goal } from '../records/goal.ts';
import { maxActions, type Analysis } from '../records/analysis.ts';
import { cleanLine, cleanText } from '../text/clean-text.ts';
import { comparisonFor, objectionsTo, type Comparison, type Objection } from './grounding/index.ts';
import { areNearlyIdentical } from '../duplicates/instruction-similarity.ts';
import { createQuoteFinder } from '../text/quotes.ts';

/*
 * An analysis as a language model or the connected assistant writes it. Its quotes must be in the text, and an action
 * must say what the text says at its quote. Entries that fail are dropped and reported, so the author can fix them.
 */

const line = (maxLength: number) => z.string().overwrite(cleanLine).min(1).max(maxLength);

export const maxInsights = 7;

export const analysisDraft = z.strictObject({
  summary: z
    .string()
    .overwrite((text) => cleanText(text))
    .trim()
    .min(1)
    .max(2_000),
  insights: z.array(z.strictObject({ text: line(500), quote: z.string().max(2_000) })).max(maxInsights),
  actions: z
    .array(
      z.strictObject({
        title: line(160),
        quote: z.string().max(2_000),
        reason: line(400).nullable().default(null),
        goalId: z.string().max(40).nullable().default(null),
      }),
    )
    .max(maxActions),
});
export type AnalysisDraft = z.infer<typeof analysisDraft>;

/** A part of a draft that was left out, and why. */
export interface DraftProblem {
  /** `insights[2].quote`. */
  path: string;
  message: string;
}

export interface VerifiedDraft {
  analysis: Analysis;
  /** Entries that the text does not support, unknown goals, and repeated entries. None of them is in `analysis`. */
  problems: DraftProblem[];
  /** How many quotes, titles and reasons the text does not support. Their author may correct them. */
  refusals: number;
}

/** What an entry says that its quote does not support. */
const complaints: Readonly<Record<Objection, string>> = {
  address: 'an address that does not stand near the quote',
  number: 'a number, date or amount that the text does not have near the quote',
  name: 'a name that does not stand near the quote',
  act: 'an act, such as to pay, send, install or delete, that the text does not name near the quote',
  turned: 'the opposite of what the quote asks for',
  object: 'a medicine or another substance that the quote does not name',
  words: 'nothing that stands near the quote',
};

interface Message {
  /** For an author who can still correct the entry. */
  mend: string;
  /** For a reader who cannot. */
  afterwards: string;
}

const notFound: Message = {
  mend: 'These words do not stand in the text. Copy a sentence from it letter by letter, or leave this entry out.',
  afterwards: 'These words do not stand in the text: this entry was left out.',
};

function messageFor(objection: Objection, part: 'entry' | 'reason'): Message {
  const what = complaints[objection];
  return {
    mend: `This says ${what}. Say what the quote asks for, in its own words and language, or leave this ${part} out.`,
    afterwards: `This says ${what}: this ${part} was left out.`,
  };
}

const messages = [
  notFound,
  ...(Object.keys(complaints) as Objection[]).flatMap((objection) => [
    messageFor(objection, 'entry'),
    messageFor(objection, 'reason'),
  ]),
];

const saidBefore = 'This is the same as an entry before it, and was left out.';

/** Rewords a problem for a reader who cannot fix the entry any more. */
export function afterwards(problem: DraftProblem): DraftProblem {
  const known = messages.find(({ mend }) => mend === problem.message);
  return known === undefined ? problem : { ...problem, message: known.afterwards };
}

/** `verifyDraft` on another thread than the caller's; accounts take turns. */
export type VerifyDraft = (
  draft: AnalysisDraft,
  text: string,
  goals: readonly DraftGoal[],
  signal: AbortSignal,
  accountId?: string,
) => Promise<VerifiedDraft>;

type DraftGoal = Pick<Goal, 'id' | 'title' | 'description'>;

export type { Comparison };

/**
 * The highest cosine of each title with one of its sentences; null when no sentence model is available.
 * @param accountId as in `Embedder.embedPassages`
 */
export type CompareTitles = (titles: readonly Comparison[], accountId?: string) => Promise<readonly number[] | null>;

/** The titles that words alone leave in doubt, with the sentences to compare their meaning with, by the index of the action. */
export function comparisonsIn({ actions }: AnalysisDraft, text: string): Map<number, Comparison> {
  const find = createQuoteFinder(text);
  const found = new Map<number, Comparison>();
  for (const [at, action] of actions.entries()) {
    const span = find(action.quote);
    const comparison = span === null ? null : comparisonFor(action, text, span);
    if (comparison !== null) found.set(at, comparison);
  }
  return found;
}

/**
 * Checks a draft against its text. Removes insights and actions whose quote is not found, actions whose title is not
 * supported by the text near the quote, reasons that are not, links to goals that the person does not have, and entries
 * that repeat an earlier one. Addresses that are not in the text are replaced with `[…]` in the author's own words.
 * @param goals those that an action may serve
 * @param likeness what a sentence model says of `comparisonsIn`; empty where there is none
 */
export function verifyDraft(
  draft: AnalysisDraft,
  text: string,
  goals: readonly DraftGoal[],
  likeness: ReadonlyMap<number, number> = new Map(),
): VerifiedDraft {
  const find = createQuoteFinder(text);
  const problems: DraftProblem[] = [];
  let droppedQuotes = 0;
  let refusedReasons = 0;
  const drop = (path: string, { mend }: Message) => {
    droppedQuotes += 1;
    problems.push({ path, message: mend });
  };
  const locate = (quote: string, path: string) => {
    const span = find(quote);
    if (span !== null) return span;
    drop(`${path}.quote`, notFound);
    return null;
  };
  const own = createAddressFilter(text);
  const insights: Analysis['insights'] = [];
  for (const [at, { text: words, quote }] of draft.insights.entries()) {
    const span = locate(quote, `insights[${at}]`);
    if (span === null) continue;
    const said = own(words);
    if (insights.some((before) => before.text === said))
      problems.push({ path: `insights[${at}]`, message: saidBefore });
    else insights.push({ text: said, quote: span });
  }
  const actions: Analysis['actions'] = [];
  for (const [at, { title: words, quote, reason, goalId }] of draft.actions.entries()) {
    const span = locate(quote, `actions[${at}]`);
    if (span === null) continue;
    const goal = goals.find(({ id }) => id === goalId);
    const action = { title: words, reason, goal: `${goal?.title ?? ''}\n${goal?.description ?? ''}` };
    const objections = objectionsTo(action, text, span, likeness.get(at));
    if (objections.title !== null) {
      drop(`actions[${at}].title`, messageFor(objections.title, 'entry'));
      continue;
    }
    const title = own(words);
    if (actions.some((before) => areNearlyIdentical(before.title, title))) {
      problems.push({ path: `actions[${at}]`, message: saidBefore });
      continue;
    }
    if (goalId !== null && goal === undefined)
      problems.push({ path: `actions[${at}].goalId`, message: 'There is no such goal.' });
    if (objections.reason !== null) {
      refusedReasons += 1;
      problems.push({ path: `actions[${at}].reason`, message: messageFor(objections.reason, 'reason').mend });
    }
    const why = reason === null || objections.reason !== null ? null : own(reason);
    actions.push({
      title,
      reason: goal === undefined ? why : null,
      quote: span,
      goalId: goal?.id ?? null,
      goalReason: goal === undefined ? null : why,
    });
  }
  return {
    analysis: { summary: own(draft.summary), insights, actions, droppedQuotes },
    problems,
    refusals: droppedQuotes + refusedReasons,
  };
}
