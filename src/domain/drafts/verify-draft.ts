import { areNearlyIdentical } from '../duplicates/instruction-similarity.ts';
import { createAddressFilter } from '../links/addresses.ts';
import type { Analysis } from '../records/analyses/analysis.ts';
import { isVisiblyEnglish } from '../search/question-language.ts';
import { createQuoteFinder } from '../text/quotes.ts';
import type { AnalysisDraft, DraftGoal, DraftProblem, VerifiedDraft } from './analysis-draft.ts';
import { comparisonFor, objectionsTo, supportFor, type TitleComparison, type Objection } from './grounding/index.ts';

/** First words that lean on a sentence before; English alone: "but" is French for a goal, "he" Spanish for have. */
const leaning =
  /^["“']?(?:and|but|yet|however|this|these|those|it|they|he|she|his|her|their|its|moreover|furthermore|therefore|instead)(?![\p{L}\p{N}'’-])/iu;
const leansOn =
  'It begins with a word that needs the sentence before. Name what it speaks of, or leave this entry out.';
const saidBefore = 'This is the same as an entry before it, and was left out.';

/** The titles that words alone leave in doubt, with the sentences to compare their meaning with, by the index of the action. */
export function comparisonsIn({ actions }: AnalysisDraft, text: string): Map<number, TitleComparison> {
  const find = createQuoteFinder(text);
  const found = new Map<number, TitleComparison>();
  for (const [at, action] of actions.entries()) {
    const span = find(action.quote);
    const comparison = span === null ? null : comparisonFor(action, supportFor(text, span));
    if (comparison !== null) found.set(at, comparison);
  }
  return found;
}

/**
 * Checks a draft against its text. Removes insights and actions whose quote is not found, actions whose title is not supported by
 * the text near the quote, unsupported reasons, links to unknown goals, and repeated entries. Addresses that are not in the text
 * are replaced with `[…]` in the author's own words.
 * @param goals possible goals of an action
 * @param likeness the sentence model's results for `comparisonsIn`; empty without a model
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
  let leaningEntries = 0;
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
  const entries = [draft.summary, ...draft.insights.map((insight) => insight.text)];
  const written = entries.map((entry) => entry.replace(leaning, '')).join('\n');
  const leans = (words: string): boolean => leaning.test(words) && isVisiblyEnglish(written);
  const insights: Analysis['insights'] = [];
  for (const [at, { text: words, quote }] of draft.insights.entries()) {
    const span = locate(quote, `insights[${at}]`);
    if (span === null) continue;
    const said = own(words);
    if (leans(said)) {
      leaningEntries += 1;
      problems.push({ path: `insights[${at}].text`, message: leansOn });
    } else if (isIn(said, draft.summary) || insights.some((before) => isIn(said, before.text)))
      problems.push({ path: `insights[${at}]`, message: saidBefore });
    else insights.push({ text: said, quote: span });
  }
  if (leans(draft.summary)) {
    leaningEntries += 1;
    problems.push({
      path: 'summary',
      message: 'It begins with a word that needs a sentence before. Name what it speaks of.',
    });
  }
  const actions: Analysis['actions'] = [];
  for (const [at, { title: words, quote, reason, goalId, priority }] of draft.actions.entries()) {
    const span = locate(quote, `actions[${at}]`);
    if (span === null) continue;
    const goal = goals.find(({ id }) => id === goalId);
    const action = { title: words, reason, goal: `${goal?.title ?? ''}\n${goal?.description ?? ''}` };
    const objections = objectionsTo(action, supportFor(text, span), likeness.get(at));
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
      priority,
    });
  }
  return {
    analysis: { summary: own(draft.summary), insights, actions, tags: draft.tags, droppedQuotes },
    problems,
    refusals: droppedQuotes + refusedReasons + leaningEntries,
  };
}

/** Whether all its words occur in the other text, in the same order. */
function isIn(text: string, other: string): boolean {
  const [one, all] = [text, other].map(
    (words) =>
      ` ${
        words
          .toLowerCase()
          .match(/[\p{L}\p{N}]+/gu)
          ?.join(' ') ?? ''
      } `,
  );
  return one !== undefined && all !== undefined && all.includes(one);
}

/** The content of an entry that its quote does not support. */
const complaints: Readonly<Record<Objection, string>> = {
  address: 'an address that is not near the quote',
  number: 'a number, date or amount that the text does not have near the quote',
  name: 'a name that is not near the quote',
  act: 'an act, such as to pay, send, install or delete, that the text does not name near the quote',
  turned: 'the opposite of what the quote asks for',
  object: 'a medicine or another substance that the quote does not name',
  words: 'nothing near the quote',
};

interface Message {
  /** For an author who can still correct the entry. */
  mend: string;
  /** For a reader who cannot. */
  afterwards: string;
}

const notFound: Message = {
  mend: 'These words are not in the text. Copy a sentence from it letter by letter, or leave this entry out.',
  afterwards: 'These words are not in the text: this entry was left out.',
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

/** Rewords a problem for a reader who can no longer fix the entry. */
export function afterwards(problem: DraftProblem): DraftProblem {
  const known = messages.find(({ mend }) => mend === problem.message);
  return known === undefined ? problem : { ...problem, message: known.afterwards };
}
