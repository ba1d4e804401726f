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
  /** The cells of a table, row by row, where the segment stands for all of them. */
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

/**
 * Whether both sides are in scripts that are written without spaces. No space is then added, whatever the gap between
 * the glyphs.
 */
export function isUnspaced(before: string, after: string): boolean {
  return unspacedEnd.test(before.slice(-2)) && unspacedStart.test(after.slice(0, 2));
}
