import { graphemesOf, trimSpan, type Graphemes, type TextSpan } from '../../domain/text/graphemes.ts';
import { seams, type PassageLimits } from './chunk.ts';

/** A part of a sentence. */
export interface SentencePart extends TextSpan {
  tokens: number;
  seam: number;
}

/**
 * Ends of clauses: after a mark (and what closes behind it) before white space; after the marks of scripts without
 * spaces; after the space before a dash or an opening bracket. The pattern finds the white space first and then looks
 * behind, so that a run of brackets is read only once.
 */
const clauseEnd = /(?=\s)(?<=[,;:)\]—–]["'”’*_)\]]*)|[、，；：]|\s(?=[—–(])/gu;

/**
 * Splits a sentence (or line) that is too long for a passage at clauses, a clause that is still too long between words,
 * and a word that is too long (a script without spaces, base64) between graphemes. The parts are about a quarter of a
 * passage or smaller, so that packing can choose where a passage ends. Linear in the span.
 */
export function splitOversized(
  text: string,
  span: TextSpan,
  limits: PassageLimits,
  graphemes: Graphemes,
): SentencePart[] {
  const small: PassageLimits = {
    ...limits,
    maxTokens: Math.max(1, limits.maxTokens / 4),
    maxChars: Math.ceil(limits.maxChars / 4),
  };
  const parts: SentencePart[] = [];
  for (const clause of spansBetween(text, span, clauseEnd, graphemes)) {
    const tokens = limits.countTokens(clause.start, clause.end);
    if (tokens <= small.maxTokens && clause.end - clause.start <= small.maxChars) {
      parts.push({ ...clause, tokens, seam: seams.clause });
    } else {
      for (const part of splitWords(text, clause, small, graphemes)) parts.push(part);
    }
  }
  return parts;
}

/** Splits `span` after each match of `mark`; blank parts are left out. */
function spansBetween(text: string, span: TextSpan, mark: RegExp, graphemes: Graphemes): TextSpan[] {
  const spans: TextSpan[] = [];
  let start = span.start;
  const add = (end: number): void => {
    if (graphemes.floor(end) !== end) return;
    const part = trimSpan(text, start, end, graphemes);
    if (part !== undefined) spans.push(part);
    start = end;
  };
  for (const found of text.slice(span.start, span.end).matchAll(mark)) add(span.start + found.index + found[0].length);
  add(span.end);
  return spans;
}

/** Groups words into runs that fit into `limits`. A longer word is split between graphemes. */
function splitWords(text: string, span: TextSpan, limits: PassageLimits, graphemes: Graphemes): SentencePart[] {
  const parts: SentencePart[] = [];
  let run: SentencePart | undefined;
  for (const word of spansBetween(text, span, /\s+/gu, graphemes)) {
    const tokens = limits.countTokens(word.start, word.end);
    if (run !== undefined && run.tokens + tokens <= limits.maxTokens && word.end - run.start <= limits.maxChars) {
      run.end = word.end;
      run.tokens += tokens;
      continue;
    }
    if (run !== undefined) parts.push(run);
    run = undefined;
    if (tokens <= limits.maxTokens && word.end - word.start <= limits.maxChars) {
      run = { ...word, tokens, seam: parts.length === 0 ? seams.clause : seams.word };
    } else {
      for (const part of splitGraphemes(text, word, limits)) parts.push(part);
    }
  }
  if (run !== undefined) parts.push(run);
  return parts;
}

function splitGraphemes(text: string, span: TextSpan, limits: PassageLimits): SentencePart[] {
  const parts: SentencePart[] = [];
  let guess = Math.min(limits.maxChars, Math.ceil(limits.maxTokens));
  for (let start = span.start; start < span.end;) {
    // The segmenter looks back to the start of a run of flag emoji, however long, so it gets only a short slice.
    const ahead = text.slice(start, Math.min(span.end, codePointFloor(text, start + 2 * limits.maxChars)));
    let length = fittingLength(
      Math.min(limits.maxChars, ahead.length),
      guess,
      (size) => limits.countTokens(start, start + size) / limits.maxTokens,
    );
    guess = length;
    if (length < ahead.length) {
      const graphemes = graphemesOf(ahead);
      length = graphemes.floor(wordEnd(ahead, length));
      // A grapheme longer than a chunk is kept whole up to the end of the slice, which limits endless combining marks.
      if (length === 0) length = graphemes.ceil(1);
    }
    const end = start + length;
    parts.push({ start, end, tokens: limits.countTokens(start, end), seam: seams.grapheme });
    start = end;
  }
  return parts;
}

/**
 * Finds a size in 1–`max` that fills a chunk to three quarters or more, by a galloping search from `guess`; else the
 * largest that fits, or 1.
 */
function fittingLength(max: number, guess: number, share: (size: number) => number): number {
  let low = 1;
  let high = max + 1;
  for (let size = guess; low + 1 < high;) {
    const tried = Math.min(Math.max(size, low + 1), high - 1);
    const filled = share(tried);
    if (filled <= 1) low = tried;
    else high = tried;
    if (filled >= 0.75 && filled <= 1) break;
    size = high > max ? low * 2 : (low + high) >> 1;
  }
  return low;
}

const unspaced =
  /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const wordSegmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** The end of a word at or shortly before `end`, in scripts that are written without spaces. */
function wordEnd(text: string, end: number): number {
  const from = codePointFloor(text, Math.max(0, end - 60));
  const near = text.slice(from, end + 20);
  if (!unspaced.test(near)) return end;
  const word = from + (wordSegmenter.segment(near).containing(end - from)?.index ?? 0);
  return word > 0 ? word : end;
}

function codePointFloor(text: string, offset: number): number {
  const code = text.charCodeAt(offset);
  return code >= 0xdc00 && code <= 0xdfff ? offset - 1 : offset;
}
