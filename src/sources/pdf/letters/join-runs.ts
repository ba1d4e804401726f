/*
 * Pieces of a page's text with their positions. Coordinates are those of the displayed page: x to the right, y down, in points,
 * rotated so that the text runs from left to right (or, in right-to-left scripts, from right to left).
 */

export interface TextItem {
  str: string;
  dir: string;
  width: number;
  height: number;
  transform: number[];
  fontName: string;
  hasEOL: boolean;
}

/** Text on one baseline without a wide gap in it. */
export interface TextSegment {
  text: string;
  x0: number;
  x1: number;
  /** Position of the baseline. */
  y: number;
  /** Font size of most of the text. */
  size: number;
  /** pdf.js's name of the font of most of the text. */
  font: string;
  isRightToLeft: boolean;
  /** Quarter turns clockwise from upright, 0–3. */
  turn: number;
  /** The cells of a table, row by row, where the segment represents all of them. */
  table?: string[][];
}

/** The span from the leftmost left end to the rightmost right end. */
export function spanOf(pieces: readonly { x0: number; x1: number }[]): { x0: number; x1: number } {
  let [x0, x1] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const piece of pieces) [x0, x1] = [Math.min(x0, piece.x0), Math.max(x1, piece.x1)];
  return { x0, x1 };
}

/** Full-width Latin letters and digits are written with spaces between words. */
const unspacedStart =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uffef]/u;
const unspacedEnd =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uffef]$/u;

/** Scripts without spaces get none, whatever the gap between the glyphs. */
export function isUnspaced(before: string, after: string): boolean {
  return unspacedEnd.test(before.slice(-2)) && unspacedStart.test(after.slice(0, 2));
}

/** A run of glyphs with its position on the page. */
export type TextRun = Omit<TextSegment, 'table'>;

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/** At the border of a word, or behind a letter that never joins the next one. */
const needlessJoiner = /(?<![ئبتثجحخسشصضطظعغفقكلمنهيپچڤکگہھی])\u200c|\u200c(?![\u0620-\u06d5])/g;

/** The segment of runs in one line without a wide gap; null when they have no text. */
export function joinRuns(runs: TextRun[]): TextSegment | null {
  const main = runs.reduce<TextRun | null>(
    (most, run) => (most === null || run.text.length > most.text.length ? run : most),
    null,
  );
  if (main === null) return null;
  let letters = 0;
  for (const run of runs) letters += run.isRightToLeft ? run.text.length : -run.text.trim().length;
  const isRightToLeft = letters > 0;
  const ordered = isRightToLeft ? inReadingOrder(runs) : withTurnedWords(runs);
  const parts: string[] = [];
  for (const run of ordered) {
    const raised = run.size < main.size * 0.85 && main.y - run.y > main.size * 0.15 && /^\d{1,3}\s*$/.test(run.text);
    if (raised) trimParts(parts);
    parts.push(raised ? raisedText(lastCharacters(parts), run.text) : run.text);
  }
  let text = parts
    .join('')
    .replaceAll(/[\p{Cc}\ufffe\uffff]+/gu, '')
    .replaceAll(/[^\S\u00a0]+/g, ' ')
    .replaceAll(/\u200c+/g, '\u200c')
    .replaceAll(needlessJoiner, '')
    // Full-width Latin letters and digits, which people do not type in searches.
    .replaceAll(/[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]/g, (wide) => wide.normalize('NFKC'))
    .trim();
  if (text === '') return null;
  if (isRightToLeft) text = withBrackets(text);
  return {
    text,
    ...spanOf(runs),
    y: main.y,
    size: main.size,
    font: main.font,
    isRightToLeft,
    turn: main.turn,
  };
}

function trimParts(parts: string[]): void {
  for (let last = parts.pop(); last !== undefined; last = parts.pop()) {
    const rest = last.trimEnd();
    if (rest === '') continue;
    parts.push(rest);
    return;
  }
}

/** The last characters of the text (at least 8, if it has as many), which show what a superscript follows. */
function lastCharacters(parts: readonly string[]): string {
  let end = '';
  for (let i = parts.length - 1; i >= 0 && end.length < 8; i -= 1) end = (parts[i] ?? '').slice(-8) + end;
  return end;
}

/**
 * Orders the runs of a right-to-left line for reading: from right to left, but words of other scripts, with the numbers
 * between them, from left to right. The text inside each run is unchanged.
 */
function inReadingOrder(runs: TextRun[]): TextRun[] {
  const ordered: TextRun[] = [];
  let foreign: TextRun[] = [];
  const flush = (): void => {
    const last = foreign.findLastIndex(({ text }) => leftToRight.test(text));
    ordered.push(...foreign.slice(0, last + 1).toReversed(), ...foreign.slice(last + 1));
    foreign = [];
  };
  for (const run of fromTheRight(runs)) {
    const isForeign =
      !run.isRightToLeft && (leftToRight.test(run.text) || (foreign.length > 0 && !rightToLeft.test(run.text)));
    if (isForeign) foreign.push(run);
    else {
      flush();
      ordered.push(run);
    }
  }
  flush();
  return ordered;
}

function fromTheRight(runs: readonly TextRun[]): TextRun[] {
  return runs.toSorted((a, b) => b.x0 - a.x0);
}

/** In a left-to-right line, reverses right-to-left words whose letters are separate runs. */
function withTurnedWords(runs: readonly TextRun[]): readonly TextRun[] {
  if (!runs.some((run) => run.isRightToLeft)) return runs;
  const ordered: TextRun[] = [];
  let words: TextRun[] = [];
  const flush = (): void => {
    const last = words.findLastIndex((run) => run.isRightToLeft);
    ordered.push(...fromTheRight(words.slice(0, last + 1)), ...words.slice(last + 1));
    words = [];
  };
  for (const run of runs) {
    if (run.isRightToLeft || (words.length > 0 && run.text.trim() === '')) words.push(run);
    else {
      flush();
      ordered.push(run);
    }
  }
  flush();
  return ordered;
}

const leftToRight = /[^\P{L}\u0590-\u08ff]/u;
const rightToLeft = /[\u0590-\u08ff]/;

/** Some files store brackets by their appearance. In reversed text most of these then open behind a word, so they are swapped. */
function withBrackets(text: string): string {
  const wrong = text.match(/(?:^|\s)[)\]}»](?=[^\s([{«)\]}»])|[^\s([{«)\]}»][([{«](?=\s|$)/gu)?.length ?? 0;
  const right = text.match(/(?:^|\s)[([{«](?=[^\s([{«)\]}»])|[^\s([{«)\]}»][)\]}»](?=\s|$)/gu)?.length ?? 0;
  const [opening, closing] = [text.search(/[([{«]/), text.search(/[)\]}»]/)];
  const isTurned = wrong === right ? opening !== -1 && closing !== -1 && closing < opening : wrong > right;
  return isTurned
    ? text.replaceAll(/[()[\]{}«»]/g, (bracket) => brackets[brackets.indexOf(bracket) ^ 1] ?? bracket)
    : text;
}

const brackets = '()[]{}«»';

/** A superscript number after a word marks a footnote; after a symbol or a single letter it is an exponent. */
function raisedText(before: string, digits: string): string {
  const mark = digits.trim();
  const space = digits.endsWith(' ') ? ' ' : '';
  if (/(?:\p{L}{3}|[.,;:!?)”"’'])\s?$/u.test(before)) return `[^${mark}]${space}`;
  if (before === '') return `${mark} `;
  return [...mark].map((digit) => superscripts[Number(digit)]).join('') + space;
}
