import { mostActions, type Analysis } from '../../../domain/records/analyses/analysis.ts';
import type { Goal } from '../../../domain/records/analyses/goal.ts';
import { shortened, withoutTrailing } from '../../../domain/text/shortened.ts';
import type { AnalysisInput } from '../analyst.ts';
import type { SourceSentence } from './candidates.ts';
import { matchGoals, subjectOf, type CompareMeanings } from './goals.ts';
import { canBeTickedOff, instructs, speaksInImperative } from './instructions.ts';
import type { InstructionTable } from './languages/tables.ts';
import { likenessToAdvice } from './likeness.ts';
import { announcesAdvice, instructsNobody, isRecipe, ofProperties } from './page-kinds.ts';
import type { Pause } from './pause.ts';
import { leans } from './statements.ts';
import { wordsOf, countShared, termsOf } from './words.ts';

const maxTitleLength = 160;
/** At most this many sentences of a document are checked, evenly spread. */
const maxSentences = 12_000;
/** At most this many English instructions of a text are compared with examples. */
const maxJudged = 60;
/** At most this many useful instructions of a text are compared with the goals. */
const maxCompared = 12;
/** An action that serves a goal comes before all that serve none. */
const forItsGoal = 10;

/** Titles and headings above the steps of one thing. */
const ofSteps =
  /\b(?:how to|steps?|instructions?|method|directions|tutorial|anleitung|schritte?|zubereitung|étapes?|préparation|comment|pasos?|cómo|preparación|passi|come|preparazione|passos?|como|preparo|stappen|bereiding|hoe)(?!\p{L})/iu;
const label = /^[^.!?:]{2,50}: /;
/** Headings that do not name what is made. */
const pointing = /\b(?:this|these)\b|^(?:video|what to know)\b/i;
const ofAdvice = /\b(?:tips?|ways|habits|things|ideas|mistakes|reasons|tipps|conseils|consejos|consigli|dicas)\b/i;

/** The tools that find and judge instructions. `compare` is null without a sentence model. */
export interface ActionTools {
  table: InstructionTable;
  isEnglish: boolean;
  compare: CompareMeanings | null;
}

/** A title of one's own for several sentences, or for one that leans on its heading. */
interface FoundAction {
  title: string;
  sentence: SourceSentence;
  end: number;
  rank: number;
}

/** Finds what a text tells its reader to do: what serves a goal first, then the most useful. */
export async function findActions(
  input: AnalysisInput,
  sentences: readonly SourceSentence[],
  goals: readonly Goal[],
  tools: ActionTools,
  pause: Pause,
): Promise<Analysis['actions']> {
  const { procedures, useful } = await findUseful(input, sentences, tools, pause);
  const found = [...procedures, ...useful].sort((x, y) => y.rank - x.rank).slice(0, maxCompared);
  const places = found.map(({ title, sentence }) => ({
    instruction: title,
    subject: subjectOf(input.title, sentence.heading),
    isForeign: !tools.isEnglish,
  }));
  const served = await matchGoals(places, goals, tools.compare);
  const ranked = found.map((action, at) => {
    const { goalId = null, reason: goalReason = null } = served[at] ?? {};
    return { ...action, goalId, goalReason, rank: action.rank + (goalId === null ? 0 : forItsGoal) };
  });
  return pickUseful(ranked, mostActions(input.title), tools.table.stopWords).map(
    ({ title, sentence, end, goalId, goalReason }) => ({
      title,
      reason: tools.isEnglish ? reasonAfter(sentence, sentences) : null,
      goalReason,
      quote: { start: sentence.start, end },
      goalId,
    }),
  );
}

/**
 * The procedures of a text, and the single instructions that are worth doing: in English by their likeness to examples,
 * without the sentence model, and in other languages, by their form.
 */
export async function findUseful(
  input: AnalysisInput,
  sentences: readonly SourceSentence[],
  tools: ActionTools,
  pause: Pause,
): Promise<{ procedures: FoundAction[]; useful: FoundAction[] }> {
  if (instructsNobody(input, sentences)) return { procedures: [], useful: [] };
  const { table, isEnglish, compare } = tools;
  const instructions = await findInstructions(sentences, tools, pause);
  const { procedures, others } = splitProcedures(input, sentences, instructions, table);
  const repeated = repeatedHeadings(sentences);
  const named = others.flatMap((sentence) => {
    const { plain, heading, end } = sentence;
    const title = titleOf(sentence, tools);
    const isAlone = !isEnglish || !(plain.endsWith('!') || leans(plain, `${input.title ?? ''} ${heading}`, null));
    if (title === null || repeated.has(heading) || !isAlone) return [];
    return [{ title, sentence, end, rank: worthByForm(sentence, input.title, table) }];
  });
  if (!isEnglish) return { procedures, useful: named };
  const judged = named.toSorted((x, y) => y.rank - x.rank).slice(0, maxJudged);
  const placed = judged.map(({ sentence: { plain, heading } }) => ({
    plain,
    subject: subjectOf(input.title, heading),
  }));
  const likeness = await likenessToAdvice(placed, compare);
  const ranked = judged.map((action, at) => ({ ...action, rank: action.rank + (likeness?.[at] ?? 0) }));
  return { procedures, useful: ranked.filter(({ rank }) => rank >= (likeness === null ? leastByForm : leastWorth)) };
}

async function findInstructions(
  sentences: readonly SourceSentence[],
  { table, isEnglish }: ActionTools,
  pause: Pause,
): Promise<SourceSentence[]> {
  const isInstruction = isEnglish ? speaksInImperative : instructs;
  const found: SourceSentence[] = [];
  const stride = Math.max(1, sentences.length / maxSentences);
  for (let n = 0; n * stride < sentences.length; n += 1) {
    await pause();
    const sentence = sentences[Math.floor(n * stride)];
    if (sentence === undefined || (!isEnglish && ofProperties.test(sentence.heading))) continue;
    if (isInstruction(sentence, table)) found.push(sentence);
  }
  return found;
}

/** "Care" under each of several plants names none of them. */
function repeatedHeadings(sentences: readonly SourceSentence[]): ReadonlySet<string> {
  const [seen, repeated] = [new Set<string>(), new Set<string>()];
  for (const [at, { heading }] of sentences.entries()) {
    if (heading === '' || heading === sentences[at - 1]?.heading) continue;
    if (seen.has(heading)) repeated.add(heading);
    seen.add(heading);
  }
  return repeated;
}

/** What an English instruction is worth at least: with its likeness to examples, and without. */
const leastWorth = 0.17;
const leastByForm = 0.05;

/** Higher for a sentence that says when or how often, speaks to the reader, is one of a list, or stands where advice is announced. */
function worthByForm(sentence: SourceSentence, title: string | null, table: InstructionTable): number {
  const { plain, kind, heading } = sentence;
  const signs = [
    kind === 'list',
    /\d|\b(?:once|twice|every|daily|(?:week|month)(?:ly)?|minutes?|hours?|before|after|until|because|today)\b/i.test(
      plain,
    ),
    /\b(?:your|yourself|you)\b/i.test(plain),
  ];
  const inPlace = (announcesAdvice(title, heading) ? 0.05 : 0) - (canBeTickedOff(sentence, table) ? 0 : 0.05);
  return inPlace + 0.02 * signs.filter(Boolean).length;
}

/** Verbs of the kitchen, the workshop and exercises, whose sentences only make sense one after the other. */
const stepVerb =
  /^(?:(?:then|next|now|finally|once|after|when)\b[^,]{0,60},? )?(?:gently |carefully |slowly )?(?:stir|pour|mix|drain|simmer|whisk|fold|knead|bake|fry|saut[ée]|roast|chop|slice|dice|peel|preheat|boil|season|garnish|sprinkle|sift|melt|heat|add|tip|cover|rinse|sand|screw|unscrew|drill|insert|tighten|loosen|attach|slide|press|glue|paint|hold|inhale|exhale|bend|lower|lift|stretch|repeat|release|rotate|lie|place|lay|remove|cut|line up)\b/i;
const numbered = /(?:^|\n)[ \t]*\d{1,2}[.)][ \t]+(?:\*\*)?$/;

/** The steps of a recipe, of a numbered list under a heading that announces steps, and what reads like them are one action. */
function splitProcedures(
  input: AnalysisInput,
  sentences: readonly SourceSentence[],
  instructions: readonly SourceSentence[],
  table: InstructionTable,
): { procedures: FoundAction[]; others: readonly SourceSentence[] } {
  const isStep = ({ plain, start, heading }: SourceSentence): boolean => {
    if (stepVerb.test(plain)) return true;
    const above = heading === '' ? (input.title ?? '') : heading;
    if (ofAdvice.test(above) || label.test(plain)) return false;
    return ofSteps.test(above) && numbered.test(input.text.slice(Math.max(0, start - 20), start));
  };
  const isMeal = isRecipe(input, sentences);
  const steps = isMeal
    ? new Map([['', instructions]])
    : Map.groupBy(instructions.filter(isStep), ({ heading }) => heading);
  const procedures: FoundAction[] = [];
  const done = new Set<SourceSentence>();
  for (const [heading, own] of steps) {
    const [first] = own;
    const last = own.at(-1);
    if (first === undefined || last === undefined || own.length < 3) continue;
    for (const sentence of own) done.add(sentence);
    const named = [heading, input.title ?? ''].find(
      (text) => text !== '' && !isOnlyOfSteps(text) && !pointing.test(text),
    );
    if (named === undefined) continue;
    const title = asTitle(
      `${shortened(named.replace(/^(?:\d+\. )?how (?:to|(?:do|can) (?:you|i|we)) |\?$/gi, ''), maxTitleLength - 20)}, ${own.length} ${table.steps}`,
    );
    const end = last.end - first.start <= maxQuoteLength ? last.end : first.end;
    procedures.push({ title, sentence: first, end, rank: 2 });
  }
  return { procedures, others: isMeal ? [] : instructions.filter((one) => !done.has(one)) };
}

/** A quote that shows all steps may be so long. */
const maxQuoteLength = 1_000;

/** "Method", "Step by step": says nothing of what is made. */
function isOnlyOfSteps(text: string): boolean {
  return ofSteps.test(text) && wordsOf(text).length < 3;
}

/**
 * The instruction as a title: without words that only give its order, a capital first, no full stop. A short one that
 * names no thing takes it from its heading; null when there is none.
 */
function titleOf({ plain, heading }: SourceSentence, { isEnglish }: ActionTools): string | null {
  const whole = plain.replace(order, '');
  if (!isEnglish || wordsOf(whole).length > 4 || named.test(whole)) return asTitle(whole);
  if (heading === '' || heading.length > 60 || ofAdvice.test(heading) || ofSteps.test(heading)) return null;
  return asTitle(`${heading}: ${whole.charAt(0).toLowerCase()}${whole.slice(1)}`);
}

const order =
  /^(?:(?:step|tip|rule)?\s*#?\d{1,2}\s*[.:)–—-]\s*|(?:and|but|so|then|next|also|afterwards|after that|finally|lastly),?\s+|(?:first|firstly|second|secondly|third|last),\s+)+/i;
const named = /(?<!\p{L})(?:an?|the|your|this|that|all|any|each|no)(?!\p{L})|.\p{Lu}|:/u;

function asTitle(text: string): string {
  const title = withoutTrailing(shortened(text, maxTitleLength), '.;,:').trimEnd();
  return title.charAt(0).toUpperCase() + title.slice(1);
}

function reasonAfter({ index, block }: SourceSentence, sentences: readonly SourceSentence[]): string | null {
  const next = sentences[index + 1];
  if (next?.block !== block || next.plain.length > 300) return null;
  return /^(?:because|that is because|this (?:is because|will|way|helps|keeps|makes|lets|prevents)|that way|otherwise|it (?:helps|keeps|prevents))\b/i.test(
    next.plain,
  )
    ? next.plain
    : null;
}

/** The most useful ones, none of which says the same as a better one. */
function pickUseful<Entry extends { title: string; rank: number }>(
  found: readonly Entry[],
  most: number,
  stopWords?: ReadonlySet<string>,
): Entry[] {
  const chosen: { entry: Entry; terms: string[] }[] = [];
  // The sort is stable: of equally useful actions, those that come first in the text win.
  for (const entry of [...found].sort((x, y) => y.rank - x.rank)) {
    if (chosen.length >= most) break;
    const terms = termsOf(entry.title, stopWords);
    const label = labelOf(entry.title);
    const isSame = ({ entry: other, terms: others }: (typeof chosen)[number]) =>
      (label === null || label === (labelOf(other.title) ?? label)) && saysTheSame(terms, others);
    if (!chosen.some(isSame)) chosen.push({ entry, terms });
  }
  return chosen.map(({ entry }) => entry);
}

/**
 * True if two actions say the same: they share most terms, or one contains the beginning of the other ("Wear
 * comfortable shoes for the walk", "Bring water, and wear comfortable shoes").
 */
function saysTheSame(left: readonly string[], right: readonly string[]): boolean {
  const [one, other] = [new Set(left), new Set(right)];
  if (countShared(one, other) > 0.6 * Math.min(one.size, other.size)) return true;
  return beginsWithin(left, right) || beginsWithin(right, left);
}

function beginsWithin(terms: readonly string[], whole: readonly string[]): boolean {
  const beginning = terms.slice(0, 3).join(' ');
  return terms.length >= 3 && ` ${whole.join(' ')} `.includes(` ${beginning} `);
}

/** "Fern" of "Fern: water weekly": the same of two things is not the same. */
function labelOf(title: string): string | null {
  return /^([^:]{1,60}): /.exec(title)?.[1] ?? null;
}
