import { graphemesOf, isBlank, trimSpan, type TextSpan } from './graphemes.ts';

/*
 * Marks of notes and references: [1], [^1] or a superscript. They belong to the sentence before them, but not to its
 * words.
 */

export const raisedDigit = '[⁰¹²³⁴-⁹]';
const raisedDigits = `${raisedDigit}{1,4}`;

/** Pattern of a note mark in Markdown, where it may be a link. */
const noteMark = String.raw`\[\^?\d{1,3}\]|${raisedDigits}|\[(?:\\\[\d{1,3}\\\]|\d{1,3}|${raisedDigits})\]\([^()\s]{0,1000}\)`;

/** A superscript after a short word (m²), a digit or a bracket is an exponent, not a note mark. */
const marks = new RegExp(
  String.raw`(?:(?<=[\p{L}.,;:!?"'”’)])(?:\[[1-9]\d{0,2}\])+|(?<=\p{L}{4}|[.,;:!?"'”’])${raisedDigits})(?=$|[\s\p{P}])`,
  'gu',
);

/** Removes note marks from plain text. */
export function withoutNoteMarks(plain: string): string {
  return plain.replaceAll(marks, '');
}

/**
 * Finds everything that can contain or end a sentence, in one pass. In order: an inline link or image and inline code
 * (full stops in them do not count), a blank line or hard break, a new line that begins a list item, heading, quote,
 * table row or fence, terminators that need a space after them, terminators that do not. Runs are bounded: matching
 * millions of characters at once overflows the stack.
 */
const landmarks = new RegExp(
  [
    String.raw`(?<whole>\[[^\[\]\n]{0,1000}\]\([^()\s]*(?:\s"[^"\n]{0,300}")?\)|${'`'}[^${'`'}\n]{1,1000}${'`'})`,
    String.raw`(?<line>\r?\n(?:[^\S\n]*\n){1,500}|(?:(?<! ) {2,}|\\)\r?\n|\r?\n(?=[ \t]*(?:[-*+]\s|\d{1,9}[.)]\s|#{1,6}\s|[>|]|${'```'}|~~~)))`,
    String.raw`(?<spaced>(?:(?![。！？｡．])[\p{Sentence_Terminal}…]){1,500})(?<closers>(?:["'”’»›)\]*_~」』）】\p{M}‍]|${noteMark}){0,500})`,
    String.raw`(?<wide>[。！？｡．]{1,500})(?<wideClosers>["'”’»)*_」』）】］〉》〞\p{M}‍]{0,500})`,
  ].join('|'),
  'gu',
);

/**
 * Splits a text, plain or Markdown, into sentences. The spans are in order, do not overlap, begin and end with a
 * visible character, and together contain every non-blank character once. They never split a grapheme, a number
 * or an address. A blank line and the start of a list item always end a sentence, other line ends never do.
 */
export function sentences(text: string): TextSpan[] {
  const graphemes = graphemesOf(text);
  const spans: TextSpan[] = [];
  let start = 0;
  const cut = (end: number): void => {
    if (graphemes.floor(end) !== end) return;
    const span = trimSpan(text, start, end, graphemes);
    if (span !== undefined) spans.push(span);
    start = end;
  };
  for (const found of text.matchAll(landmarks)) {
    const { whole, line, spaced, wide, wideClosers = '' } = found.groups ?? {};
    const end = found.index + found[0].length;
    if (whole !== undefined) continue;
    if (line !== undefined) cut(found.index);
    else if (wide !== undefined) {
      if (wideEnds(text, found.index, end, wideClosers)) cut(end);
    } else if (spaced !== undefined && spacedEnds(text, found.index, spaced, end)) cut(end);
  }
  cut(text.length);
  return spans;
}

function wideEnds(text: string, index: number, end: number, closers: string): boolean {
  const next = text.charAt(end);
  if (text.charAt(index) === '．') return !/\p{N}/u.test(next);
  // 「はい。」と言った: quoted speech is part of the sentence around it.
  return !(/[」』]/.test(closers) && /[ぁ-ん]/.test(next));
}

function spacedEnds(text: string, index: number, mark: string, end: number): boolean {
  if (end < text.length && !isBlank(text.charCodeAt(end))) return /^[。።။]/.test(mark);
  const next = nextVisible(text, end);
  if (mark === '.') {
    const from = wordStart(text, index);
    return stopEndsSentence(text.slice(from, index), next, opensLine(text, from));
  }
  // No end before lower case: "What?" she asked. Yahoo! is … Well… maybe.
  return !/^\p{Ll}/u.test(next);
}

/** Up to 20 characters from the next visible one; empty before a blank line, which always ends the sentence. */
function nextVisible(text: string, from: number): string {
  let at = from;
  let lines = 0;
  while (at < text.length && isBlank(text.charCodeAt(at)) && lines < 2) {
    if (text.charCodeAt(at) === 0x0a) lines += 1;
    at += 1;
  }
  return lines >= 2 ? '' : text.slice(at, at + 20);
}

function wordStart(text: string, end: number): number {
  let at = end;
  // No abbreviation is longer; an address may be a megabyte.
  while (at > 0 && end - at < 30 && !isBlank(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

function opensLine(text: string, from: number): boolean {
  let at = from;
  while (at > 0 && /[ \t>*+-]/.test(text.charAt(at - 1))) at -= 1;
  return at === 0 || text.charAt(at - 1) === '\n';
}

/**
 * Decides whether a full stop after a word ends a sentence. The lists are short on purpose: they have the most frequent
 * abbreviations of saved articles, in English and languages with the same punctuation. Rules decide the rest.
 */

/** A name or number follows: "Dr. Who", "e.g. this", "vs. that". */
const neverLast = words(`
  dr mr mrs ms mx messrs prof rev hon gen col sgt capt cpt lt cmdr adm maj gov sen rep pres supt st mt ft
  e.g i.e eg ie vs viz cf esp approx ca incl resp
  z.b d.h u.a bzw hr hrn fr mme mlle p.ej sig dott
`);

/** Abbreviations only before a number: "No. 5", "pp. 3–4". "No." alone is a sentence. */
const beforeNumber = words(
  'no nos nr fig figs vol vols pp p ch sec art eq ref tab app ver op para abs bd s jan feb mar apr jun jul aug sep sept oct nov dec',
);

/** Abbreviations that may also end a sentence, if the next word looks like the start of one. */
const maybeLast = words(`
  etc inc ltd co corp llc bros jr sr esq al dept est assn univ ave blvd rd
  a.m p.m u.s u.k u.n e.u u.s.a d.c ph.d m.d b.a m.a b.c a.d r.d r.d.n usw
  jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri
`);

/** Words that begin sentences far more often than names. */
const starters = words(`
  the a an this that these those it its he she they we you i his her their our your my there here
  in on at for from with by as if when while after before since although though because so but and or yet
  what who where why how which however meanwhile instead then now also still finally first second once
  to of not no all some most many each every both one another according despite during until
  der die das ein eine es er sie wir ich und aber le la les un une il elle el los las
`);

const germanMonth = /^(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b/;

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}

/**
 * Whether a single full stop ends the sentence.
 * @param word the run of characters without white space before the stop
 * @param next what follows after the white space (a few characters are enough)
 * @param opensLine whether `word` is the first on its line, as a list's number is
 */
export function stopEndsSentence(word: string, next: string, opensLine: boolean): boolean {
  if (next === '') return true;
  const bare = word.replace(/^[^\p{L}\p{N}]+/u, '');
  const lower = bare.toLowerCase();
  if (opensLine && /^(?:\d{1,9}|[a-zA-Z])$/.test(bare)) return false;
  if (neverLast.has(lower)) return false;
  const follower = next.replace(/^[^\p{L}\p{N}]+/u, '');
  if (beforeNumber.has(lower) && /^\p{N}/u.test(follower)) return false;
  const abbreviates =
    (maybeLast.has(lower) && (!isMonthOrDay(lower) || /^\p{Lu}/u.test(bare))) ||
    /^(?:\p{L}\.)+\p{L}$|^\p{L}$/u.test(bare);
  if (abbreviates) return starters.has(firstWord(follower)) && /^\p{Lu}/u.test(follower);
  if (/^\d{1,2}$/.test(bare) && germanMonth.test(follower)) return false;
  // Casual writing and captions have no capitals. Unknown abbreviations are short, so a long word ends the sentence.
  if (/^\p{Ll}/u.test(next)) return /^\p{L}[\p{L}’'-]{4,}$/u.test(bare);
  return true;
}

function isMonthOrDay(lower: string): boolean {
  return /^(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|mon|tues?|wed|thu|thurs?|fri)$/.test(lower);
}

function firstWord(text: string): string {
  return (/^\p{L}+/u.exec(text)?.[0] ?? '').toLowerCase();
}
