import type { SourceSentence } from './candidates.ts';
import { isAboutCode } from './audience/code.ts';
import type { Imperative } from './grammar/imperatives.ts';
import { kindsOfDoing, subjectsOf } from './lexicon.ts';
import { isAboutThePage, isFigureOfSpeech } from './audience/phrases.ts';
import { isPitch } from './audience/pitch.ts';
import { countSelling, isTradeTitle, speaksOfTrade } from './audience/sellers.ts';
import { wordsOf } from './words.ts';

/*
 * The features of the action model. A change here needs a new model (`scripts/actions/train.ts`); a test checks this.
 */

/** Named features with their strength, 0–1; most are 1. */
export type Marks = ReadonlyMap<string, number>;

/** What a document is like as a whole, and each of its sections by the heading above it. */
export interface Profile {
  page: Marks;
  sections: ReadonlyMap<string, Marks>;
}

/** Only this many sentences are profiled: the beginning of a longer document shows what kind it is. */
const profiledSentences = 250;
/** Sentences after this many belong to no profiled section. */
const sectionedSentences = 2_000;

const seller = /^(?:our|us|we)$/;
const prices = /[$€£¥]\s?\d|\d\s?(?:€|EUR|USD)\b/u;

/**
 * The features that describe a document as a whole.
 * @param codeShare share of the document's characters that are in code blocks, 0–1
 */
export function profileOf(title: string | null, sentences: readonly SourceSentence[], codeShare: number): Profile {
  let headed = false;
  const counts = {
    we: 0,
    i: 0,
    you: 0,
    stopped: 0,
    linked: 0,
    list: 0,
    price: 0,
    short: 0,
    code: 0,
    past: 0,
    long: 0,
    sells: 0,
    trade: 0,
  };
  const looked = sentences.slice(0, profiledSentences);
  for (const { plain, linked, kind, heading } of looked) {
    headed ||= heading !== '';
    const own = wordsOf(plain);
    const has = (test: RegExp): boolean => own.some((word) => test.test(word));
    if (has(seller)) counts.we += 1;
    if (has(/^(?:i|my|me|i'm|i've)$/)) counts.i += 1;
    if (has(/^(?:you|your|you're|yourself)$/)) counts.you += 1;
    if (has(/^(?:was|were|had|said|did)$/)) counts.past += 1;
    if (/[.!?]["”’)\]]?$/.test(plain)) counts.stopped += 1;
    if (linked > 0.5) counts.linked += 1;
    if (kind === 'list') counts.list += 1;
    if (prices.test(plain)) counts.price += 1;
    if (own.length < 6) counts.short += 1;
    if (own.length > 20) counts.long += 1;
    if (isAboutCode(plain)) counts.code += 1;
    if (countSelling(plain) > 0) counts.sells += 1;
    if (speaksOfTrade(plain)) counts.trade += 1;
  }
  const total = Math.max(1, looked.length);
  const marks = new Map<string, number>();
  for (const [name, count] of Object.entries(counts)) {
    const share = count / total;
    // The square root stresses small shares: the difference between never and seldom says more than that between often
    // and always.
    marks.set(`page ${name}`, Math.sqrt(share));
  }
  marks.set('page', 1);
  if (headed) marks.set('page headed', 1);
  marks.set('page size', Math.min(1, Math.log(total) / 6));
  marks.set('page code blocks', Math.min(1, codeShare * 4));
  for (const [name, test] of titleKinds) if (test.test(title ?? '')) marks.set(`title ${name}`, 1);
  if (isTradeTitle(title ?? '')) marks.set('title trade', 1);
  return { page: marks, sections: sectionsOf(sentences.slice(0, sectionedSentences)) };
}

function sectionsOf(sentences: readonly SourceSentence[]): ReadonlyMap<string, Marks> {
  const sections = new Map<string, Marks>();
  for (const [heading, own] of Map.groupBy(sentences, (sentence) => sentence.heading)) {
    const marks = new Map<string, number>();
    const share = (name: string, has: (sentence: SourceSentence) => boolean): void => {
      marks.set(`section ${name}`, Math.sqrt(own.filter(has).length / own.length));
    };
    share('sells', ({ plain }) => countSelling(plain) > 0);
    share('trade', ({ plain }) => speaksOfTrade(plain));
    share('short', ({ plain }) => wordsOf(plain).length < 6);
    share('price', ({ plain }) => prices.test(plain));
    sections.set(heading, marks);
  }
  return sections;
}

const titleKinds: [name: string, test: RegExp][] = [
  ['how', /\bhow to\b|\bguide\b|\bfor beginners\b/i],
  ['tips', /\b(?:tips|ways|steps|habits|rules|lessons|hacks|mistakes|things|advice|checklist)\b/i],
  ['best', /\b(?:best|top|review|reviews|vs|deals|price|pricing|cost)\b/i],
  ['recipe', /\brecipes?\b/i],
  ['program', /\b(?:api|docs|documentation|tutorial|install|sdk|github|code|app|software|platform)\b/i],
];

const units = /^(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|percent|times|inch(?:es)?|cups?|miles?|feet)$/;
const often = /^(?:once|twice|every|each|daily|weekly|monthly|always|never|regularly|often)$/;
const when = /^(?:before|after|until|when|while|if|unless|because|instead|without|so|since|as|than|whether|where|how)$/;

/** Headings above steps and advice. */
export const instructs =
  /\b(?:what (?:to|you can) do|steps?|how to|tips?|instructions|method|directions|checklist|to[- ]do|action|advice|recommendations?)\b/i;

/** @param profile the document's profile, or null for a sentence that stands by itself */
export function featuresOf(
  sentence: Pick<SourceSentence, 'plain' | 'kind' | 'heading' | 'linked' | 'place'>,
  { start, clause, verb, sure, bare }: Imperative,
  profile: Profile | null,
): Marks {
  const { plain } = sentence;
  const words = wordsOf(plain);
  const clauseWords = wordsOf(bare);
  const marks = new Map<string, number>();
  const mark = (name: string, strength = 1): void => {
    marks.set(name, strength);
  };
  const [, next = '', second = '', third = ''] = /^(?:do not|don't|never)\b/i.test(bare)
    ? clauseWords.slice(Math.max(0, clauseWords.indexOf(verb)))
    : clauseWords;

  const size = words.length;
  mark(`size ${size < 5 ? 4 : size < 7 ? 6 : size < 10 ? 9 : size < 15 ? 14 : size < 22 ? 21 : size < 32 ? 31 : 99}`);
  mark(`end ${/[.!;:…]/.exec(plain.slice(-2))?.[0] ?? 'none'}`);
  if (clause > start) mark(`opening ${wordsOf(plain.slice(start))[0] ?? ''}`);
  if (start > 0) mark('turn');
  if (/^[^.,!?;]+(?::|\s[–—-])\s/u.test(plain.slice(start, clause))) mark('labelled');
  if (!sure) mark('unsure');
  if (/^(?:do not|don't|never)\b/i.test(bare)) mark('negated');
  if (plain.slice(clause).length > bare.length) mark(`manner ${wordsOf(plain.slice(clause))[0] ?? ''}`);
  mark(`verb ${verb}`);
  mark(`verb ${verb} ${next}`);
  mark(`next ${next}`);
  mark(`pair ${next} ${second}`);
  if (third !== '') mark(`triple ${next} ${second} ${third}`);
  mark(`last ${words.at(-1) ?? ''}`);
  for (const word of new Set(words)) {
    mark(`word ${word}`);
    if (units.test(word)) mark('unit');
    if (often.test(word)) mark('often');
    if (when.test(word)) mark('when');
  }
  const kinds = kindsOfDoing(verb);
  if (kinds.length === 0) mark('doing unknown');
  for (const kind of kinds) mark(`doing ${kind}`);
  const subjects = new Map<string, number>();
  const from = Math.max(0, words.indexOf(verb)) + 1;
  for (const word of words.slice(from))
    for (const subject of subjectsOf(word)) subjects.set(subject, (subjects.get(subject) ?? 0) + 1);
  if (subjects.size === 0) mark('about unknown');
  for (const [subject, count] of subjects) {
    mark(`about ${subject}`);
    if (count > 1) mark(`much about ${subject}`);
    for (const kind of kinds) mark(`doing ${kind} about ${subject}`);
  }
  const parts = [plain, plain.slice(start), plain.slice(clause), bare];
  if (parts.some(isAboutThePage)) mark('phrase of a page');
  if (parts.some(isPitch)) mark('phrase of a seller');
  if (parts.some(isFigureOfSpeech)) mark('figure of speech');
  for (let i = 0; i + 1 < words.length; i += 1) mark(`two ${words[i] ?? ''} ${words[i + 1] ?? ''}`);
  if (words.some((word) => /^(?:you|your|yourself|yours|you're|you've|you'll)$/.test(word))) mark('you');
  if (words.some((word) => /^(?:we|our|us|we'll|we're)$/.test(word))) mark('we');
  if (words.some((word) => /^(?:i|my|me|i'm)$/.test(word))) mark('i');
  if (/\d/.test(plain)) mark('digit');
  if (prices.test(plain) || /\d\s?%/.test(plain)) mark('price');
  if (/https?:|www\.|\w@\w|#\p{L}|\.\w{2,4}\/|\b\w+\.(?:com|org|net|io)\b/u.test(plain)) mark('address');
  if (/[`{}<>=|\\]|\w\(\)|_\w|\p{Ll}\p{Lu}|->|::/u.test(plain)) mark('written code');
  if (isAboutCode(plain)) mark('about code');
  // The input of this pattern is bounded: an instruction has at most 400 characters (`instructions.ts`).
  const names = plain.slice(1).match(/(?<![.:!?]\s)(?<=[\s“"(])\p{Lu}[\p{L}\d]+/gu)?.length ?? 0;
  mark(`names ${Math.min(names, 3)}`);
  if (/\b\p{Lu}{2,}\b/u.test(plain)) mark('capitals');
  if (/["“”]/.test(plain)) mark('quotation');
  if (/[()[\]]/.test(plain)) mark('brackets');
  if (/:/.test(plain.slice(0, -1))) mark('colon');
  if (/\s[—–-]\s|—/.test(plain)) mark('dash');
  mark(`commas ${Math.min(3, plain.split(',').length - 1)}`);
  if (speaksOfTrade(plain)) mark('trade');
  if (profile !== null) {
    const { page, sections } = profile;
    if (sentence.kind === 'list') mark('list');
    if (sentence.linked > 0) mark('linked', sentence.linked);
    if (sentence.heading === '' && page.has('page headed')) mark('no heading');
    for (const word of new Set(wordsOf(sentence.heading))) mark(`heading ${word}`);
    if (sentence.heading.endsWith('?')) mark('heading asks');
    if (instructs.test(sentence.heading)) mark('heading instructs');
    mark(`place ${Math.min(3, sentence.place)}`);
    for (const [name, strength] of page) mark(name, strength);
    for (const [name, strength] of sections.get(sentence.heading) ?? []) mark(name, strength);
  }
  return marks;
}
