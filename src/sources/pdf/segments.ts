/*
 * Pieces of a page's text with their positions. Coordinates are those of the displayed page: x to the right, y down, in
 * points, rotated so that the text runs from left to right (or, in right-to-left scripts, from right to left).
 */

/** The text item of pdf.js for a run of glyphs. */
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
export interface Segment {
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
}

interface Run {
  text: string;
  x0: number;
  x1: number;
  y: number;
  size: number;
  font: string;
  isRightToLeft: boolean;
  turn: number;
}

/** A wider gap than this separates two segments, in font sizes. Justified lines of narrow columns have gaps up to 1. */
const partingGap = 1.5;
/** A wider gap than this counts as a space even if the file has none, in font sizes. */
const spaceGap = 0.25;
/** Maximum distance of superscripts and other marks above or below their line, in font sizes. */
const sameLine = 0.45;

/**
 * Joins pdf.js's items to segments, in the given order.
 * @param view the page's viewport transform at scale 1, which includes the page's rotation
 */
export function readSegments(
  items: readonly TextItem[],
  view: readonly number[],
  isVertical: (font: string) => boolean,
) {
  const segments: Segment[] = [];
  let runs: Run[] = [];
  let extent: Extent | null = null;
  let isSpaced = false;
  const flush = (): void => {
    const segment = joinRuns(runs);
    if (segment !== null) segments.push(segment);
    runs = [];
    extent = null;
    isSpaced = false;
  };
  for (const item of items) {
    if (item.str.trim() === '') {
      if (item.str !== '') isSpaced = true;
      continue;
    }
    const run = place(item, view, isVertical(item.fontName));
    if (run === null) continue;
    const last = runs.at(-1);
    if (last !== undefined && extent !== null) {
      const gap = gapBetween(last, extent, run);
      if (gap === null) flush();
      else if (!isRepeated(last, run)) {
        if (isSpaced || gap > spaceGap * Math.min(last.size, run.size)) addSpace(last, run);
      } else continue;
    }
    runs.push(run);
    extent = extended(extent, run);
    isSpaced = false;
  }
  flush();
  return segments;
}

function place(item: TextItem, view: readonly number[], isVertical: boolean): Run | null {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = item.transform;
  const [va = 1, vb = 0, vc = 0, vd = 1, ve = 0, vf = 0] = view;
  const along = [va * a + vc * b, vb * a + vd * b] as const;
  const up = [va * c + vc * d, vb * c + vd * d] as const;
  const [x, y] = [va * e + vc * f + ve, vb * e + vd * f + vf];
  const size = Math.hypot(up[0], up[1]) || Math.hypot(along[0], along[1]);
  if (![x, y, size, item.width].every(Number.isFinite) || size === 0) return null;
  const angle = Math.atan2(along[1], along[0]);
  // Vertical text runs downwards, with its columns from right to left, so it counts as turned once more.
  const turn = (((Math.round(angle / (Math.PI / 2)) + (isVertical ? 1 : 0)) % 4) + 4) % 4;
  const [px, py] = turnBack(x, y, turn);
  const length = isVertical ? Math.abs(item.height) || size * item.str.length : Math.abs(item.width);
  return {
    text: item.str,
    x0: px,
    x1: px + length,
    y: py,
    size,
    font: item.fontName,
    isRightToLeft: item.dir === 'rtl',
    turn,
  };
}

function turnBack(x: number, y: number, turn: number): [number, number] {
  if (turn === 1) return [y, -x];
  if (turn === 2) return [-x, -y];
  return turn === 3 ? [-y, x] : [x, y];
}

/**
 * Summary of the runs of a line. It is updated with each run, since a page may draw each letter of a long line
 * separately.
 */
interface Extent {
  x0: number;
  /** The widest run; the first one if several are equally wide. */
  widest: Run;
  isRightToLeft: boolean;
}

function extended(extent: Extent | null, run: Run): Extent {
  if (extent === null) return { x0: run.x0, widest: run, isRightToLeft: run.isRightToLeft };
  const { widest } = extent;
  return {
    x0: Math.min(extent.x0, run.x0),
    widest: run.x1 - run.x0 > widest.x1 - widest.x0 ? run : widest,
    isRightToLeft: extent.isRightToLeft || run.isRightToLeft,
  };
}

/** The gap between a line and a run that may continue it; null when the run is elsewhere. */
function gapBetween(last: Run, extent: Extent, run: Run): number | null {
  if (last.turn !== run.turn) return null;
  const size = Math.max(last.size, run.size);
  // If the last run is as wide as the widest, compare with the last one.
  const isLast = last.x1 - last.x0 >= extent.widest.x1 - extent.widest.x0;
  const base = isLast ? last : extent.widest;
  if (Math.abs(run.y - base.y) > sameLine * Math.max(size, base.size)) return null;
  const right = run.x0 - last.x1;
  const limit = partingGap * size;
  if (right > -0.5 * size && right <= limit) return right;
  const left = extent.x0 - run.x1;
  if ((run.isRightToLeft || extent.isRightToLeft) && left > -0.5 * size && left <= limit) return left;
  return isRepeated(last, run) ? 0 : null;
}

/** Whether the same text is printed twice in one place to look bold. */
function isRepeated(last: Run, run: Run): boolean {
  return last.text === run.text && Math.abs(last.x0 - run.x0) < last.size * 0.3 && Math.abs(last.y - run.y) < 1;
}

const unspacedStart = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u;
const unspacedEnd = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]$/u;

/**
 * Whether both sides are in scripts that are written without spaces. No space is then added, whatever the gap between
 * the glyphs.
 */
export function isUnspaced(before: string, after: string): boolean {
  return unspacedEnd.test(before.slice(-2)) && unspacedStart.test(after.slice(0, 2));
}

function addSpace(last: Run, run: Run): void {
  if (!/\s$/.test(last.text) && !/^\s/.test(run.text) && !isUnspaced(last.text, run.text)) last.text += ' ';
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

function joinRuns(runs: Run[]): Segment | null {
  const main = runs.reduce<Run | null>(
    (most, run) => (most === null || run.text.length > most.text.length ? run : most),
    null,
  );
  if (main === null) return null;
  const isRightToLeft =
    runs.filter((run) => run.isRightToLeft).reduce((sum, run) => sum + run.text.length, 0) * 2 >
    runs.reduce((sum, run) => sum + run.text.length, 0);
  const ordered = isRightToLeft ? inReadingOrder(runs) : runs;
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

/** The span from the leftmost left end to the rightmost right end. */
export function spanOf(pieces: readonly { x0: number; x1: number }[]): { x0: number; x1: number } {
  let [x0, x1] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const piece of pieces) [x0, x1] = [Math.min(x0, piece.x0), Math.max(x1, piece.x1)];
  return { x0, x1 };
}

/** Removes trailing white space from a text that is split into parts. */
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
function inReadingOrder(runs: Run[]): Run[] {
  const ordered: Run[] = [];
  let foreign: Run[] = [];
  const flush = (): void => {
    const last = foreign.findLastIndex(({ text }) => leftToRight.test(text));
    ordered.push(...foreign.slice(0, last + 1).toReversed(), ...foreign.slice(last + 1));
    foreign = [];
  };
  for (const run of runs.toSorted((a, b) => b.x0 - a.x0)) {
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

const leftToRight = /[^\P{L}\u0590-\u08ff]/u;
const rightToLeft = /[\u0590-\u08ff]/;

/** Some files store brackets by their appearance. In reversed text these point the wrong way, so they are swapped. */
function withBrackets(text: string): string {
  const [opening, closing] = [text.search(/[([{]/), text.search(/[)\]}]/)];
  if (opening === -1 || closing === -1 || opening < closing) return text;
  return text.replaceAll(/[()[\]{}]/g, (bracket) => turned[bracket] ?? bracket);
}

const turned: Readonly<Record<string, string>> = { '(': ')', ')': '(', '[': ']', ']': '[', '{': '}', '}': '{' };

/** A superscript number after a word marks a footnote; after a symbol or a single letter it is an exponent. */
function raisedText(before: string, digits: string): string {
  const mark = digits.trim();
  const space = digits.endsWith(' ') ? ' ' : '';
  if (/(?:\p{L}{3}|[.,;:!?)”"’'])\s?$/u.test(before)) return `[^${mark}]${space}`;
  if (before === '') return `${mark} `;
  return [...mark].map((digit) => superscripts[Number(digit)]).join('') + space;
}
