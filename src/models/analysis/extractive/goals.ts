import type { TitleComparison } from '../../../domain/drafts/grounding/index.ts';
import type { Goal } from '../../../domain/records/analyses/goal.ts';
import { foldText } from '../../../domain/text/words/folded-text.ts';
import { foreignFillers } from './languages/tables.ts';
import { countShared, elision, roughStem, termsOf, wordsOf } from './words.ts';

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

/** Joins the surroundings of an instruction: the title of its document, and the heading above it. */
export function subjectOf(title: string | null, heading: string | undefined): string {
  return [title, heading].filter(Boolean).join('. ');
}

/** A goal's words, prepared once for all instructions of a document. */
interface GoalWords {
  goal: Goal;
  title: ReadonlySet<string>;
  description: ReadonlySet<string>;
}

function wordsOfGoal(goal: Goal): GoalWords {
  const title = contentStems(goal.title);
  const description = contentStems(goal.description ?? '');
  for (const stem of title) description.delete(stem);
  return { goal, title, description };
}

interface GoalMatch {
  goal: Goal;
  /** The words of the instruction that the goal shares, as written in the instruction. */
  words: string[];
}

/**
 * An instruction and its context. `subject` is the document's title and the heading above the instruction. `isForeign`:
 * it is in another language than the sentence model's. `isInsight`: it is a statement, not an instruction.
 */
export interface Surroundings {
  instruction: string;
  subject: string;
  isForeign?: boolean;
  isInsight?: boolean;
}

/**
 * The goal that an instruction clearly serves, or null. The instruction must contain a word of the goal's title. In
 * addition, either it contains a second word of the goal, or the document's title or heading mentions the goal: then
 * instruction and heading together must contain two words of the goal's title, or its only one. When two goals match
 * equally well, neither is chosen.
 */
function matchGoal(where: Surroundings, goals: readonly GoalWords[]): GoalMatch | null {
  if (where.isForeign === true) return matchForeign(where, goals);
  const own = contentStems(where.instruction);
  const subject = contentStems(where.subject);
  const [first, second] = goals
    .map((words) => ({ words, score: agreement(own, subject, words) }))
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

/**
 * The goal of which the document's title or heading speaks, in one of the six other languages. Words count as the same
 * when they begin alike: Schlaf, schlafen, Schlafzimmer. When two goals match equally well, neither is chosen.
 */
function matchForeign({ instruction, subject }: Surroundings, goals: readonly GoalWords[]): GoalMatch | null {
  const around = foreignWords(subject);
  const own = foreignWords(instruction);
  const [first, second] = goals
    .map(({ goal }) => {
      const shared = [...foreignWords(goal.title).keys()].filter((beginning) => around.has(beginning));
      return { goal, shared, score: shared.length + shared.filter((beginning) => own.has(beginning)).length };
    })
    .filter(({ score }) => score > 0)
    .sort((x, y) => y.score - x.score);
  if (first === undefined || first.score === second?.score) return null;
  const words = first.shared.map((beginning) => own.get(beginning) ?? around.get(beginning) ?? beginning);
  return { goal: first.goal, words: words.slice(0, 4) };
}

/** The words that may tell a subject, by their beginnings. */
function foreignWords(text: string): Map<string, string> {
  const words = wordsOf(text)
    .map((word) => word.replace(elision, ''))
    .filter((word) => word.length > 2 && !foreignFillers.has(word));
  return new Map(words.map((word) => [foldText(word).slice(0, 5), word]));
}

function agreement(own: ReadonlySet<string>, subject: ReadonlySet<string>, { title, description }: GoalWords): number {
  const inTitle = countShared(own, title);
  if (inTitle === 0) return 0;
  const inDescription = countShared(own, description);
  const around = countShared(subject, title) + countShared(subject, description);
  const together = [...title].filter((stem) => own.has(stem) || subject.has(stem)).length;
  const spokenOf = countShared(subject, title) > 0 && together >= Math.min(2, title.size);
  return inTitle + inDescription >= 2 || spokenOf ? 2 * inTitle + inDescription + 0.5 * around : 0;
}

function contentStems(text: string): Set<string> {
  return new Set(termsOf(text).filter((stem) => !everyday.has(stem) && !/^\d+$/.test(stem)));
}

function goalReason({ goal, words }: GoalMatch): string {
  return `Serves your goal "${goal.title}": it speaks of ${words.join(', ')}.`;
}

/** The goal that an instruction serves and why, both null where it serves none. */
export interface MatchedGoal {
  goalId: string | null;
  reason: string | null;
}

/** The highest cosine of each title with one of its sentences; null when no sentence model is available. */
export type CompareMeanings = (pairs: readonly TitleComparison[]) => Promise<readonly number[] | null>;

/**
 * An instruction with its title and heading must be this near to a goal: the lower of its cosines with the goal's title and
 * with title and description, for either alone may share a word of everyday life. Chosen on the pairs in `bench/analysis-labels` (docs/decisions/action-items.md).
 */
const minNearness = 0.31;
/**
 * An insight must be nearer, and without title and heading it must be near to the goal's title, too: with the title of a
 * page about the goal before it, any statement is near.
 */
const minNearnessOfInsight = 0.42;
const minOfOwnWords = 0.2;
/** Of an account with more goals, the newest are compared by meaning. */
const maxGoalsCompared = 100;
const maxContextLength = 300;
const maxWordsCompared = 12;

/**
 * The goal that each instruction serves: by the meaning of an English one in its context, and by shared words in other
 * languages, without a sentence model, and where no goal is near.
 */
export async function matchGoals(
  places: readonly Surroundings[],
  goals: readonly Goal[],
  compare: CompareMeanings | null,
): Promise<MatchedGoal[]> {
  const words = goals.map(wordsOfGoal);
  const near = await nearGoals(places, goals, compare);
  return places.map((where, at) => {
    const match = near[at] ?? matchGoal(where, words);
    return match === null ? { goalId: null, reason: null } : { goalId: match.goal.id, reason: goalReason(match) };
  });
}

/** For each instruction the nearest goal by meaning, when it is near enough and the instruction is English. */
async function nearGoals(
  places: readonly Surroundings[],
  goals: readonly Goal[],
  compare: CompareMeanings | null,
): Promise<(GoalMatch | undefined)[]> {
  const compared = goals.slice(0, maxGoalsCompared);
  const english = places.filter(({ isForeign }) => isForeign !== true);
  if (compare === null || compared.length === 0 || english.length === 0) return [];
  const cosines = await compare(
    english.flatMap(({ subject, instruction }) => {
      const context = [subject, instruction].map(shortContext).join('. ');
      return compared.flatMap(({ title, description }) => {
        const described = description === null ? title : `${title}. ${description}`.slice(0, maxContextLength);
        return [title, described].map((text) => ({ title: text, sentences: [context] }));
      });
    }),
  );
  if (cosines === null) return [];
  const found = english.flatMap((where, n) => {
    const first = 2 * n * compared.length;
    const nearness = compared.map((goal, to) => ({
      goal,
      cosine: Math.min(cosines[first + 2 * to] ?? 0, cosines[first + 2 * to + 1] ?? 0),
    }));
    const [best] = nearness.sort((x, y) => y.cosine - x.cosine);
    const least = where.isInsight === true ? minNearnessOfInsight : minNearness;
    if (best === undefined || best.cosine < least) return [];
    const own = where.isInsight === true ? [shortContext(where.instruction)] : [];
    return [{ where, goal: best.goal, texts: [...own, ...contentWords(where)] }];
  });
  // An insight must be near without its place, too. The words that tell why are the nearest of sentence and heading.
  const pairs = found.flatMap(({ goal, texts }) => texts.map((text) => ({ title: goal.title, sentences: [text] })));
  const likeness = pairs.length === 0 ? [] : ((await compare(pairs)) ?? []);
  let read = 0;
  const matches = new Map<Surroundings, GoalMatch>();
  for (const { where, goal, texts } of found) {
    const scored = texts.map((text, at) => ({ text, score: likeness[read + at] ?? 0 }));
    read += texts.length;
    const own = where.isInsight === true ? scored.shift() : undefined;
    if (own !== undefined && own.score < minOfOwnWords) continue;
    scored.sort((x, y) => y.score - x.score);
    matches.set(where, { goal, words: scored.slice(0, 2).map(({ text }) => text) });
  }
  return places.map((where) => matches.get(where));
}

function shortContext(text: string): string {
  return text.trim().slice(0, maxContextLength);
}

function contentWords({ instruction, subject }: Surroundings): string[] {
  const words = new Map<string, string>();
  for (const word of [...wordsOf(instruction), ...wordsOf(subject)])
    for (const stem of contentStems(word)) if (!words.has(stem)) words.set(stem, word);
  return [...words.values()].slice(0, maxWordsCompared);
}
