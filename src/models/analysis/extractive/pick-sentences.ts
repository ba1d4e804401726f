import type { Analysis } from '../../../domain/records/analyses/analysis.ts';
import type { TextSpan } from '../../../domain/text/graphemes.ts';
import { withoutTrailing } from '../../../domain/text/shortened.ts';
import type { AnalysisInput } from '../analyst.ts';
import type { SourceSentence } from './candidates.ts';
import type { CompareMeanings } from './goals.ts';
import { speaksInImperative } from './instructions.ts';
import { callOfPage, english } from './languages/english.ts';
import { answersAmong, discuss, type Chosen } from './discussion.ts';
import { isSentenceLike, listLevel, nameWithin, readOutline } from './outline.ts';
import { countTerms, pickDiverse, similarity, type Alike, type InverseFrequency } from './rank.ts';
import { begins, contains, phrases, wordsOf } from './words.ts';
import type { Pause } from './pause.ts';
import { abstract, labeller, score, titleShare, type Page, type Scored } from './score-sentences.ts';
import type { LanguageTable } from './languages/tables.ts';
import {
  introduces,
  isFurniture,
  isHollow,
  isOfNames,
  isSentence,
  isUnspaced,
  isUnstopped,
  leans,
  stopped,
} from './statements.ts';

const summaryCharacters = 600;
const minListCharacters = 260;
const maxNameListed = 100;
const maxInsights = 5;
const minInsight = 50;
const minScore = 0.3;
/** The heads of a list say what it holds; where meanings are compared, a sentence before them has to say more. */
const minOfList = 2;
const minWorth = 0.6;
/** If few claims are worth that, the best ones are taken that are worth at least this. */
const leastWorth = 0.35;
const fewInsights = 3;
/** Two sentences that are more alike say the same. */
const maxAlike = 0.75;
/** So many candidates each for the summary and the insights: the choice is quadratic in their number. */
const maxCompared = 9;
const fromBeginning = 5;
/** A sentence that instructs nobody gains this. */
const statement = 0.4;
const beforeInstructions = 10;

/** Verbs of a heading that says something. */
const verbsOfClaims = phrases(
  `is, are, was, were, will, won't, isn't, aren't, can, can't, cannot, has, have, does, doesn't, don't, should, must, may, might, means, need, needs, makes, helps, works`,
);
const questioning = phrases('how, what, why, when, where, which, who');

export interface ReadingTools {
  /** Of the text's language; null for English and for languages that have none. */
  table: LanguageTable | null;
  /** Compares by meaning; null where that is not possible: sentences are then compared by their words. */
  compare: CompareMeanings | null;
  isEnglish: boolean;
  /** The places of actions: none of their sentences is an insight as well. */
  tasks: readonly TextSpan[];
  pause: Pause;
}

/**
 * Summarises a text in its own sentences and, where its shape tells it, in a line with its heads, its price, or a question and its
 * answer. Other good sentences and headings become insights with their positions.
 */
export async function extract(
  input: AnalysisInput,
  found: readonly SourceSentence[],
  { table, isEnglish, compare, tasks, pause }: ReadingTools,
): Promise<Pick<Analysis, 'summary' | 'insights'>> {
  const outline = readOutline(input);
  const page: Page = {
    title: input.title ?? '',
    outline,
    table,
    isEnglish,
    label: labeller(input.language),
  };
  const told: SourceSentence[] = [];
  const words = new Set([wordsOf(page.title).join(' ')]);
  for (const sentence of [...found, ...headsThatSay(page)]) {
    await pause();
    if (mayBeTold(sentence, page) && isNew(sentence, words)) told.push(sentence);
  }
  told.sort((x, y) => x.start - y.start);
  const { scored, idf } = await score(told, page, pause);
  // The noun of a text's first sentence can only be its subject.
  const alone = scored.filter(
    ({ sentence: { plain, index } }) => (index === 0 && plain.startsWith('The ')) || !leans(plain, page.title, table),
  );
  const saying = alone.filter(({ sentence: { plain } }) => !introduces(plain));
  const answers = outline.isDiscussion ? answersAmong(saying, found) : [];
  const any = outline.isShelf || outline.isDiscussion ? [] : [saying, alone, scored];
  const [telling = []] = [answers, ofAbstract(saying), ofWhole(saying, page), ofWhole(alone, page), ...any].filter(
    (some) => some.length > 0,
  );
  const instructions = table ?? (isEnglish ? english : null);
  const stating = ({ sentence }: Scored): boolean =>
    (instructions === null || !speaksInImperative(sentence, instructions)) &&
    !(isEnglish && callOfPage.test(sentence.plain));
  if (!outline.isDiscussion) for (const one of scored) if (stating(one)) one.score += statement;
  // A text says at its beginning what it is about, even where other sentences have more of its words.
  const beginning = telling
    .filter(({ lead, sentence: { plain } }) => lead > 0 && plain.length >= minInsight && !isHollow(plain))
    .slice(0, fromBeginning);
  const forSummary = [...new Set([...beginning, ...best(telling, ({ score, lead }) => score + lead / 2)])];
  const claims = (outline.isDiscussion ? telling : saying).filter(
    (one) => !tasks.some((task) => isWithin(one.sentence, task)) && mayBeInsight(one, page),
  );
  const forInsights = best(claims, (one) => one.worth + (stating(one) ? beforeInstructions : 0));
  const alike = await readMeanings([...new Set([...forSummary, ...forInsights])], page, idf, compare);

  const { text, picked } = outline.isDiscussion
    ? discuss(found, scored, forSummary, page, summaryCharacters)
    : summarise(forSummary, page, alike, compare === null ? minScore : minOfList);
  // Advice is no claim, but better than nothing.
  const [insightful = []] = [forInsights.filter(stating), forInsights]
    .map((some) => insights(some, picked, page, alike))
    .filter((some) => some.length > 0);
  return {
    summary: text,
    insights: insightful.map(({ sentence: { plain, start, end } }) => ({ text: plain, quote: { start, end } })),
  };
}

/** The sentences of the abstract of a paper; none when it has no abstract. */
function ofAbstract(scored: readonly Scored[]): readonly Scored[] {
  const first = scored.find(({ sentence: { plain, heading } }) => abstract.test(heading) || abstract.test(plain));
  if (first === undefined) return [];
  const { heading, block } = first.sentence;
  return scored.filter(({ sentence }) => sentence.heading === heading && sentence.block >= block);
}

/** Sentences before the first item of a list are about the whole; on a shelf or a front page, those that speak of its title. */
function ofWhole(scored: readonly Scored[], { outline, title }: Page): readonly Scored[] {
  if (!outline.isShelf && outline.list?.kind !== 'lists') return scored;
  const names = new Set(outline.list?.names);
  const first = outline.heads.find(({ name }) => names.has(name))?.start ?? Infinity;
  const items = new Set(outline.heads.map(({ plain }) => plain));
  const ofTitle = countTerms(title);
  return scored.filter(({ sentence: { kind, start, heading, plain }, terms }) =>
    outline.isShelf
      ? kind === 'paragraph' && !items.has(heading) && !isUnstopped(plain) && titleShare(terms, ofTitle) > 0
      : start < first,
  );
}

function best(scored: readonly Scored[], by: (one: Scored) => number, limit = maxCompared): Scored[] {
  return scored.toSorted((x, y) => by(y) - by(x)).slice(0, limit);
}

/** Compares candidates, 0–1: by meaning if a model tells it, otherwise by their words. Adds to the scores what a model tells. */
async function readMeanings(
  candidates: readonly Scored[],
  { title }: Page,
  idf: InverseFrequency,
  compare: CompareMeanings | null,
): Promise<Alike<Scored>> {
  const byWords: Alike<Scored> = (one, other) => similarity(one.terms, other.terms, idf);
  if (compare === null || candidates.length < 2) return byWords;
  const texts = candidates.map(({ sentence }) => sentence.plain);
  const pairs = texts.flatMap((text, i) => [
    { title, sentences: [text] },
    ...texts.slice(i + 1).map((other) => ({ title: text, sentences: [other] })),
  ]);
  const cosines = await compare(title === '' ? pairs.filter(({ title }) => title !== '') : pairs);
  if (cosines === null) return byWords;
  const near = new Map<Scored, Map<Scored, number>>(candidates.map((one) => [one, new Map<Scored, number>()]));
  let at = 0;
  for (const [i, one] of candidates.entries()) {
    const toTitle = title === '' ? 0 : (cosines[at++] ?? 0);
    one.score += 0.8 * toTitle;
    one.worth += 0.4 * toTitle;
    for (const other of candidates.slice(i + 1)) {
      const cosine = cosines[at++] ?? 0;
      near.get(one)?.set(other, cosine);
      near.get(other)?.set(one, cosine);
    }
  }
  for (const [one, others] of near) {
    const mean = [...others.values()].reduce((sum, cosine) => sum + cosine, 0) / others.size;
    one.score += mean;
    one.worth += mean;
  }
  return (one, other) => near.get(one)?.get(other) ?? byWords(one, other);
}

function summarise(candidates: readonly Scored[], page: Page, alike: Alike<Scored>, leastOfList: number): Chosen {
  const { outline, label } = page;
  const isPaper = candidates.some(({ sentence: { heading, plain } }) => abstract.test(heading) || abstract.test(plain));
  const list = isPaper ? null : outline.list;
  const price = outline.price === null ? '' : `${label('price')}${outline.price}.`;
  const room = summaryCharacters - (list === null ? 0 : minListCharacters) - price.length - 2;
  // The first as news and reference begin, the others from the whole text.
  const isNamed = list?.kind === 'lists';
  const opening = best(candidates, ({ score, lead }) => score + lead, 1).filter(
    ({ score, lead }) => !isNamed || (lead > 0 && score >= leastOfList),
  );
  // Of a short text something is left to be an insight.
  const most = list === null ? Math.max(2, Math.min(3, candidates.length - 2)) : 2;
  const limit = isNamed ? opening.length : list?.kind === 'chapters' || list?.kind === 'refutes' ? 1 : most;
  const others = pickDiverse(candidates, alike, {
    limit: limit - opening.length,
    score: ({ score }) => score,
    penalty: 0.4,
    before: opening,
    accept: (one, before) =>
      one.score >= minScore &&
      [...opening, ...before].every((other) => other !== one && alike(one, other) < maxAlike) &&
      [...opening, ...before, one].reduce((sum, { sentence }) => sum + stopped(sentence.plain).length + 1, 0) <= room,
  });
  const picked = [...opening, ...others].toSorted((x, y) => x.sentence.start - y.sentence.start);
  const said = picked.map(({ sentence }) => stopped(sentence.plain.replace(/^abstract\s?[—–:.-]\s?/i, '')));
  const before = [...said, price].filter((part) => part !== '').join(' ');
  const line = list === null ? '' : listLine(label(list.kind), list.names, summaryCharacters - before.length - 1);
  const text = [before, line].filter((part) => part !== '').join(' ');
  return { text: text === '' ? null : text, picked };
}

/** The heads of a list in one sentence, as many as there is room for; with their number if there are more. */
function listLine(label: string, names: readonly string[], room: number): string {
  const shown: string[] = [];
  let length = label.length + ' (999)'.length;
  for (const name of names) {
    const short = nameWithin(withoutTrailing(name, '.;!'), maxNameListed);
    length += short.length + 2;
    if (length > room) break;
    shown.push(short);
  }
  const isCut = shown.length < names.length;
  return `${isCut ? label.replace(/(?=: $)/, ` (${names.length})`) : label}${shown.join('; ')}${isCut ? '; …' : '.'}`;
}

function insights(
  candidates: readonly Scored[],
  summary: readonly Scored[],
  page: Page,
  alike: Alike<Scored>,
): Scored[] {
  const sections = new Set(candidates.map(({ sentence }) => sentence.heading));
  const least = page.outline.isShelf ? minWorth : leastWorth;
  const open = candidates.filter((one) => !summary.includes(one) && one.worth >= least);
  return pickDiverse(open, alike, {
    limit: maxInsights,
    score: ({ worth }) => worth,
    penalty: 1,
    before: summary,
    accept: (one, before) =>
      (one.worth >= minWorth || before.length < fewInsights) &&
      [...summary, ...before].every((other) => alike(one, other) < maxAlike) &&
      before.filter(({ sentence }) => sentence.heading === one.sentence.heading).length <
        (sections.size < 4 ? maxInsights : 2),
  }).toSorted((x, y) => x.sentence.start - y.sentence.start);
}

function mayBeInsight(one: Scored, page: Page): boolean {
  const { plain, kind } = one.sentence;
  if (kind === 'heading') return true;
  return (
    (plain.length >= minInsight || isUnspaced(plain)) &&
    plain.length <= 320 &&
    !/^[([$€£]/.test(plain) &&
    /(?<!\.)[.!。！।]["'”’»)\]]*$/u.test(plain) &&
    (page.table !== null || !isHollow(plain)) &&
    namesItsThing(one, page)
  );
}

/** In a list, a sentence has to name the thing of its section, or the subject of the page; "the brand" may be any of them. */
function namesItsThing({ sentence: { plain, heading }, terms }: Scored, { outline, title, table }: Page): boolean {
  if (outline.list?.kind !== 'lists' || /^\p{Lu}[^.:]{3,60}: /u.test(plain)) return true;
  if (heading !== '' && leans(plain, heading, table)) return false;
  return [...countTerms(`${heading} ${title}`).counts.keys()].some((term) => terms.counts.has(term));
}

/** Headings that say something by themselves, when the summary does not list them. */
function headsThatSay({ outline }: Page): SourceSentence[] {
  if (outline.isDiscussion || outline.isShelf) return [];
  const names = new Set(outline.list?.names);
  return outline.heads
    .filter(
      ({ name, level }) =>
        level < listLevel &&
        !names.has(name) &&
        (isSentenceLike(name) ||
          (contains(wordsOf(name), verbsOfClaims) &&
            wordsOf(name).length >= 4 &&
            !/[?:]$/.test(name) &&
            !begins(wordsOf(name), questioning))),
    )
    .map(({ plain, start, end, block }) => {
      return { start, end, plain, index: -1, block, place: 0, kind: 'heading', heading: '', quoted: false, linked: 0 };
    });
}

function isWithin({ start }: TextSpan, span: TextSpan): boolean {
  return start >= span.start && start < span.end;
}

function mayBeTold(sentence: SourceSentence, { table }: Page): boolean {
  const { plain, kind } = sentence;
  if (kind !== 'heading' && !isSentence(sentence)) return false;
  if (kind !== 'heading' && table === null && isOfNames(plain)) return false;
  return !isFurniture(plain, table);
}

/** Pages of shops and lists say the same in several places. */
function isNew({ plain }: SourceSentence, said: Set<string>): boolean {
  const words = wordsOf(plain).join(' ');
  const isKnown = said.has(words);
  said.add(words);
  return words === '' || !isKnown;
}
