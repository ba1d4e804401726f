import type { Goal, GoalCategory } from '../../../domain/records/goal.ts';
import { countShared, roughStem, termsOf, wordsOf } from './words.ts';

/** Common words of goals and instructions on any subject; sharing one of them means nothing. */
const everyday = new Set(
  `get become be do go keep stay start stop try want need learn improve increase reduce cut grow build find give take make
  use spend work plan set goal aim target achieve reach finish complete more less better best good great new old own
  every day daily week weekly month monthly year yearly time regular regularly always never enough first next end
  able feel life live help thing people person part habit routine step before after least most healthy happy
  january february march april may june july august september october november december today tomorrow two three four five ten`
    .trim()
    .split(/\s+/)
    .map(roughStem),
);

/** Words that weakly suggest a goal's category; they never attach a goal by themselves. */
const categoryWords: Record<GoalCategory, ReadonlySet<string>> = {
  Health: stems(
    'health exercise sleep diet food meal eat weight muscle run running walk training workout stress doctor body heart breathe vitamin protein sugar alcohol injury fitness stretch bed bedroom night caffeine relax tired pulse mile',
  ),
  Wealth: stems(
    'money save saving invest investment debt budget income salary tax fund pension mortgage loan credit interest bank cost price retirement stock wealth rent bill expense',
  ),
  Relationships: stems(
    'friend family partner wife husband child parent marriage relationship listen talk call love conflict apology trust colleague neighbour neighbor mother father son daughter kid grandparent gift visit together',
  ),
};

function stems(words: string): ReadonlySet<string> {
  return new Set(words.split(' ').map(roughStem));
}

/** A goal's words, prepared once for all instructions of a document. */
export interface GoalWords {
  goal: Goal;
  title: ReadonlySet<string>;
  description: ReadonlySet<string>;
}

export function wordsOfGoal(goal: Goal): GoalWords {
  const title = contentStems(goal.title);
  const description = contentStems(goal.description ?? '');
  for (const stem of title) description.delete(stem);
  return { goal, title, description };
}

export interface GoalMatch {
  goal: Goal;
  /** The words of the instruction that the goal shares, as written in the instruction. */
  words: string[];
}

/** An instruction and its context. `subject` is the document's title and the heading above the instruction. */
export interface Surroundings {
  instruction: string;
  paragraph: string;
  subject: string;
}

/**
 * The goal that an instruction clearly serves, or null. The instruction must contain a word of the goal's title. In
 * addition, either it contains a second word of the goal, or the document's title or heading mentions the goal: then
 * instruction and heading together must contain two words of the goal's title, or its only one. When two goals match
 * equally well, neither is chosen.
 */
export function matchGoal(where: Surroundings, goals: readonly GoalWords[]): GoalMatch | null {
  const own = contentStems(where.instruction);
  const subject = contentStems(where.subject);
  const around = contentStems(`${where.paragraph} ${where.subject}`);
  const [first, second] = goals
    .map((words) => ({ words, score: agreement(own, around, subject, words) }))
    .filter(({ score }) => score > 0)
    .sort((x, y) => y.score - x.score);
  if (first === undefined || first.score === second?.score) return null;
  const { goal, title, description } = first.words;
  const shared = new Map<string, string>();
  for (const word of wordsOf(where.instruction)) {
    const stem = roughStem(word);
    if ((title.has(stem) || description.has(stem)) && own.has(stem) && !shared.has(stem)) shared.set(stem, word);
  }
  return { goal, words: [...shared.values()].slice(0, 4) };
}

function agreement(
  own: ReadonlySet<string>,
  around: ReadonlySet<string>,
  subject: ReadonlySet<string>,
  { goal, title, description }: GoalWords,
): number {
  const inTitle = countShared(own, title);
  if (inTitle === 0) return 0;
  const inDescription = countShared(own, description);
  const nearby = countShared(around, title) + countShared(around, description) - inTitle - inDescription;
  const category = categoryWords[goal.category];
  const hinted = [...around].some((stem) => category.has(stem) && !title.has(stem));
  const together = [...title].filter((stem) => own.has(stem) || subject.has(stem)).length;
  const spokenOf = countShared(subject, title) > 0 && together >= Math.min(2, title.size);
  const clear = inTitle + inDescription >= 2 || spokenOf;
  return clear ? 2 * inTitle + inDescription + 0.5 * nearby + (hinted ? 0.25 : 0) : 0;
}

function contentStems(text: string): Set<string> {
  return new Set(termsOf(text).filter((stem) => !everyday.has(stem) && !/^\d+$/.test(stem)));
}

export function goalReason({ goal, words }: GoalMatch): string {
  return `Serves your goal "${goal.title}": it speaks of ${words.join(', ')}.`;
}

/** Returns a function that finds the goal an instruction serves, and why, as the extractive analyst does. */
export function createGoalMatcher(
  goals: readonly Goal[],
): (where: Surroundings) => { goalId: string | null; reason: string | null } {
  const words = goals.map(wordsOfGoal);
  return (where) => {
    const match = matchGoal(where, words);
    return match === null ? { goalId: null, reason: null } : { goalId: match.goal.id, reason: goalReason(match) };
  };
}
