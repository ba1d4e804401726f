import { z } from 'zod';
import { createAddressFilter } from './addresses.ts';
import { mostActions, type Analysis } from './analysis.ts';
import { cleanLine, cleanText } from './clean-text.ts';
import { areNearlyIdentical } from './near-identical.ts';
import { createQuoteFinder } from './quotes.ts';

/*
 * An analysis as a language model or the connected assistant writes it: its quotes are words, which have to be found in
 * the text. What is not found is dropped and named, so that who wrote it can mend it. A model that was led astray by the text
 * can at most choose badly among the text's own sentences, and write its own words into bounded fields.
 */

const line = (most: number) => z.string().overwrite(cleanLine).min(1).max(most);

export const mostInsights = 7;

export const analysisDraft = z.strictObject({
  summary: z
    .string()
    .overwrite((text) => cleanText(text))
    .trim()
    .min(1)
    .max(2_000),
  insights: z.array(z.strictObject({ text: line(500), quote: z.string().max(2_000) })).max(mostInsights),
  actions: z
    .array(
      z.strictObject({
        title: line(160),
        quote: z.string().max(2_000),
        reason: line(400).nullable().default(null),
        goalId: z.string().max(40).nullable().default(null),
      }),
    )
    .max(mostActions),
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
  /** Quotes that do not stand in the text, goals that there are not, and entries that come twice. Nothing of them is in `analysis`. */
  problems: DraftProblem[];
}

const notFound =
  'These words do not stand in the text. Copy a sentence from it letter by letter, or leave this entry out.';
const saidBefore = 'This is the same as an entry before it, and was left out.';

/** A problem in words for whoever cannot mend it any more. */
export function afterwards(problem: DraftProblem): DraftProblem {
  return problem.message === notFound
    ? { ...problem, message: 'These words do not stand in the text: this entry was left out.' }
    : problem;
}

/**
 * Holds a draft against the text that it is about. An insight or action whose quote is not found is left out; so is a link to a
 * goal that the person does not have, and what says the same as an entry before it; an address that the text does not hold is taken out of the
 * analyst's own words.
 * @param goalIds the goals that an action may serve
 */
export function verifyDraft(draft: AnalysisDraft, text: string, goalIds: ReadonlySet<string>): VerifiedDraft {
  const find = createQuoteFinder(text);
  const problems: DraftProblem[] = [];
  let droppedQuotes = 0;
  const locate = (quote: string, path: string) => {
    const span = find(quote);
    if (span !== null) return span;
    droppedQuotes += 1;
    problems.push({ path: `${path}.quote`, message: notFound });
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
    const title = own(words);
    if (actions.some((before) => areNearlyIdentical(before.title, title))) {
      problems.push({ path: `actions[${at}]`, message: saidBefore });
      continue;
    }
    const isKnown = goalId === null || goalIds.has(goalId);
    if (!isKnown) problems.push({ path: `actions[${at}].goalId`, message: 'There is no such goal.' });
    const servesGoal = goalId !== null && isKnown;
    const why = reason === null ? null : own(reason);
    actions.push({
      title,
      reason: servesGoal ? null : why,
      quote: span,
      goalId: servesGoal ? goalId : null,
      goalReason: servesGoal ? why : null,
    });
  }
  return { analysis: { summary: own(draft.summary), insights, actions, droppedQuotes }, problems };
}
