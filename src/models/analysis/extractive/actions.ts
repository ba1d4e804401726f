import { mostActions } from '../../../domain/records/analysis-rules.ts';
import type { Analysis } from '../../../domain/records/analysis.ts';
import type { Goal } from '../../../domain/records/goal.ts';
import { shortened } from '../../../domain/text/shortened.ts';
import { withoutTrailing } from '../../../domain/text/trailing.ts';
import type { AnalysisInput } from '../analyst.ts';
import type { SourceSentence } from './candidates.ts';
import { matchGoals, subjectOf, type CompareMeanings } from './goals.ts';
import { instructs } from './instructions.ts';
import type { InstructionTable } from './languages/language-table.ts';
import { announcesAdvice, givesAdvice, instructsNobody, isRecipe, ofProperties } from './page-kinds.ts';
import type { Pause } from './pause.ts';
import { pickUseful } from './pick-useful.ts';
import { wordsOf } from './words.ts';

const maxTitleLength = 160;
/** At most this many sentences of a document are checked, evenly spread. */
const maxSentences = 12_000;
/** Only so many are compared with the goals. */
const maxCompared = 12;
/** An action that serves a goal comes before all that serve none. */
const forItsGoal = 10;

/** Titles and headings above the steps of one thing. */
const ofSteps =
  /\b(?:how to|steps?|instructions?|method|directions|tutorial|anleitung|schritte?|zubereitung|étapes?|préparation|comment|pasos?|cómo|preparación|passi|come|preparazione|passos?|como|preparo|stappen|bereiding|hoe)(?!\p{L})/iu;
const ofAdvice = /\b(?:tips?|ways|habits|things|ideas|mistakes|reasons|tipps|conseils|consejos|consigli|dicas)\b/i;

/** An instruction that a person may want to do; `score` is at least 0. */
interface UsefulSentence {
  sentence: SourceSentence;
  score: number;
}

/** What finds and judges instructions. `compare` is null without a sentence model. */
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

/** All sentences that may become actions, for measuring. */
export async function usefulSentences(
  input: AnalysisInput,
  sentences: readonly SourceSentence[],
  tools: ActionTools,
): Promise<SourceSentence[]> {
  if (instructsNobody(input, sentences)) return [];
  const { others } = splitProcedures(
    input,
    sentences,
    await findInstructions(sentences, tools.table, () => undefined),
    tools.table,
  );
  return usefulOf(input.title, sentences, others, tools.isEnglish).flatMap(({ sentence }) =>
    titleOf(sentence, tools) === null ? [] : [sentence],
  );
}

/** Finds what a text tells its reader to do: what serves a goal first, then the most useful. */
export async function findActions(
  input: AnalysisInput,
  sentences: readonly SourceSentence[],
  goals: readonly Goal[],
  tools: ActionTools,
  pause: Pause,
): Promise<Analysis['actions']> {
  if (instructsNobody(input, sentences)) return [];
  const instructions = await findInstructions(sentences, tools.table, pause);
  const { procedures, others } = splitProcedures(input, sentences, instructions, tools.table);
  const useful = usefulOf(input.title, sentences, others, tools.isEnglish).flatMap(({ sentence, score }) => {
    const title = titleOf(sentence, tools);
    return title === null ? [] : [{ title, sentence, end: sentence.end, rank: score }];
  });
  const found = [...procedures, ...useful].sort((x, y) => y.rank - x.rank).slice(0, maxCompared);
  const places = found.map(({ title, sentence }) => ({
    instruction: title,
    paragraph: '',
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

async function findInstructions(
  sentences: readonly SourceSentence[],
  table: InstructionTable,
  pause: Pause,
): Promise<SourceSentence[]> {
  const found: SourceSentence[] = [];
  const stride = Math.max(1, sentences.length / maxSentences);
  for (let n = 0; n * stride < sentences.length; n += 1) {
    await pause();
    const sentence = sentences[Math.floor(n * stride)];
    if (sentence !== undefined && !ofProperties.test(sentence.heading) && instructs(sentence, table))
      found.push(sentence);
  }
  return found;
}

/**
 * The instructions that are worth doing by their form. In English the title, the heading or the text as a whole has to
 * give advice: shops, services, news and programs speak in the imperative, too.
 * @param all the sentences of the text
 */
function usefulOf(
  title: string | null,
  all: readonly SourceSentence[],
  instructions: readonly SourceSentence[],
  isEnglish: boolean,
): UsefulSentence[] {
  const isAdvice = !isEnglish || givesAdvice(all, instructions.length);
  return instructions.flatMap((sentence) => {
    const score = usefulness(sentence) - (isEnglish ? leastUseful : 0);
    return score >= 0 && (isAdvice || announcesAdvice(title, sentence.heading)) ? [{ sentence, score }] : [];
  });
}

/** An English instruction must be so useful by its form. */
const leastUseful = 0.5;

const exact = /\d|\b(?:once|twice|every|daily|weekly|monthly|week|month|minutes?|hours?|before|after|until|because)\b/i;

/** Higher for a sentence that says enough without being long, says when or how often, and speaks to the reader. */
function usefulness({ plain, kind }: SourceSentence): number {
  let score = kind === 'list' ? 0.5 : 0;
  if (exact.test(plain)) score += 0.5;
  if (/\b(?:your|yourself|you)\b/i.test(plain)) score += 0.5;
  if (plain.length >= 30 && plain.length <= 160) score += 1;
  return plain.endsWith('!') ? score - 1 : score;
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
    const above = `${input.title ?? ''} ${heading}`;
    return (
      ofSteps.test(above) && !ofAdvice.test(above) && numbered.test(input.text.slice(Math.max(0, start - 20), start))
    );
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
    const named = [heading, input.title ?? ''].find((text) => text !== '' && !isOnlyOfSteps(text));
    if (named === undefined) continue;
    const title = asTitle(
      `${shortened(named.replace(/^(?:\d+\. )?how to /i, ''), maxTitleLength - 20)}, ${own.length} ${table.steps}`,
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
  /^(?:(?:step|tip|rule)?\s*#?\d{1,2}\s*[.:)–—-]\s*|(?:and|but|so|then|next|first|firstly|second|secondly|third|finally|lastly|also|afterwards|after that|last),?\s+)+/i;
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
