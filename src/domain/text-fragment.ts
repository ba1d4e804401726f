import { plainBlocks } from './plain-text.ts';

/*
 * Text fragments after https://wicg.github.io/scroll-to-text-fragment/: `[prefix-,]textStart[,textEnd]`. A browser
 * finds the first place that matches, without regard to case; each term must begin and end at a word's
 * boundary and stand within one block of the page.
 */

/** Words of a term; a range of two terms is sturdier than one long quote, which any inline note would break. */
const termWords = 6;
const longestTermWords = 16;
/** Characters of a term in scripts that are written without spaces. */
const termCharacters = 14;
/** Cutting into words is the cost of a link; more than this of a block's beginning or end is never part of a term. */
const enoughCharacters = 400;
/** A passage in one block of at most this many words is quoted whole. */
const wholeWords = 10;

interface Word {
  start: number;
  end: number;
  /** How much of a term it makes up, out of 1. */
  weight: number;
}

/**
 * What stands behind `:~:text=` for a passage, percent-encoded; null when there is no word to look for.
 * @param passage Markdown of the passage.
 * @param before Markdown of the transcript in front of it, where the same words would be found first.
 */
export function textDirective(passage: string, before: string): string | null {
  const blocks = plainBlocks(passage);
  const last = blocks.findLastIndex((text) => segment(text.slice(-enoughCharacters)).length > 0);
  // A one-word heading or cell says too little to begin with.
  const telling = blocks.findIndex((text) => weigh(segment(text.slice(0, enoughCharacters))) >= 3 / termWords);
  const first =
    telling === -1 ? blocks.findIndex((text) => segment(text.slice(0, enoughCharacters)).length > 0) : telling;
  const [opening, closing] = [blocks[first], blocks[last]];
  if (opening === undefined || closing === undefined) return null;
  const words = segment(opening.slice(0, enoughCharacters));

  const earlier = before.toLowerCase();
  const standsEarlier = (term: string): boolean => earlier.includes(term.toLowerCase());
  const whole = first === last && opening.length < enoughCharacters && weigh(words) <= wholeWords / termWords;
  let start = head(opening, words, whole ? Number.POSITIVE_INFINITY : 1);
  if (!whole && standsEarlier(start)) start = head(opening, words, longestTermWords / termWords);
  const prefix = standsEarlier(start) ? lastTerm(before) : null;
  const end = whole ? null : tail(first === last ? closing.slice(opening.indexOf(start) + start.length) : closing);
  return (
    (prefix === null ? '' : `${encodeTerm(prefix)}-,`) + encodeTerm(start) + (end === null ? '' : `,${encodeTerm(end)}`)
  );
}

function lastTerm(before: string): string | null {
  // The last lines are enough, and the whole may be a book.
  const text = plainBlocks(before.slice(-2_000)).at(-1);
  return text === undefined ? null : tail(text);
}

const spaceless =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

// Making one takes 60 ms, more than starting the program: it waits for the first link.
let segmenter: Intl.Segmenter | undefined;

/** Words as browsers cut them (both use ICU), also where a script has no spaces. */
function segment(text: string): Word[] {
  const words: Word[] = [];
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  for (const { segment: word, index, isWordLike } of segmenter.segment(text)) {
    if (isWordLike !== true) continue;
    const weight = spaceless.test(word) ? word.length / termCharacters : 1 / termWords;
    words.push({ start: index, end: index + word.length, weight });
  }
  return words;
}

function weigh(words: readonly Word[]): number {
  return words.reduce((sum, word) => sum + word.weight, 0);
}

function head(text: string, words: readonly Word[], limit: number): string {
  let weight = 0;
  let end = words[0]?.end ?? 0;
  for (const word of words) {
    if (weight >= limit - 1e-9) break;
    weight += word.weight;
    end = word.end;
  }
  return text.slice(words[0]?.start ?? 0, end);
}

/** The last words of a block, one term long; null when it has none. */
function tail(block: string): string | null {
  // A cut inside a word would make half of it the first one: a space before is enough to begin with a whole one.
  const from = block.length <= enoughCharacters ? 0 : block.indexOf(' ', block.length - enoughCharacters) + 1;
  const text = block.slice(from);
  const words = segment(text);
  const last = words.at(-1);
  if (last === undefined) return null;
  let weight = 0;
  let start = last.start;
  for (const word of words.toReversed()) {
    if (weight >= 1 - 1e-9) break;
    weight += word.weight;
    start = word.start;
  }
  return text.slice(start, last.end);
}

/** `-`, `,` and `&` are syntax of a directive; the rest would end a link in running text. */
function encodeTerm(term: string): string {
  return encodeURIComponent(term.toWellFormed()).replaceAll(
    /[-!'()*_~]/g,
    (character) => `%${character.codePointAt(0)?.toString(16).toUpperCase()}`,
  );
}
