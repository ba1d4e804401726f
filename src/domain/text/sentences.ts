import { graphemesOf, isBlank, trimSpan, type TextSpan } from './graphemes.ts';
import { stopEndsSentence } from './sentence-ends.ts';

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
