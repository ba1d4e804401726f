import type { TextSpan } from '../domain/text/graphemes.ts';
import { charactersPerToken, tokensOf } from '../domain/text/token-budget.ts';
import { bestWindow } from '../domain/text/window.ts';
import type { FindTerms, ShownPassage } from './passage-view.ts';
import type { AnsweringPassage } from './item-search.ts';

/*
 * Which part of each passage is shown: all of it, or the window that matches the question best.
 */

/** Minimum length of a window, in characters: two or three sentences. */
const minWindow = 280;
/** A passage that is hardly longer than its window is shown whole: two pieces would cost more than they save. */
const minRest = 80;

/** A part of a passage. An answer gives units in order. */
export interface TextUnit {
  passage: AnsweringPassage;
  span: TextSpan;
}

/** Every passage's window in the order of the passages, then the text outside the windows. */
export function unitsOf(order: readonly AnsweringPassage[], findTerms: FindTerms, window: number): TextUnit[] {
  const rests: TextUnit[] = [];
  const windows = order.map((passage): TextUnit => {
    const { length } = passage.text;
    if (window === 0 || length < window + minRest) return { passage, span: { start: 0, end: length } };
    const span = bestWindow(passage.text, findTerms(passage.text, passage.itemLanguage), window);
    if (span.start > 0) rests.push({ passage, span: { start: 0, end: span.start } });
    if (span.end < length) rests.push({ passage, span: { start: span.end, end: length } });
    return { passage, span };
  });
  return [...windows, ...rests];
}

/** The units whose texts alone fill the budget. Their places are looked up together. */
export function likelyShown(units: readonly TextUnit[], budget: number): TextUnit[] {
  let left = budget * charactersPerToken;
  return units.filter(({ span }) => {
    left -= span.end - span.start;
    return left > 0;
  });
}

/**
 * The window size, in characters, at which every item's best passage fits; 0 when they fit whole.
 * @param best every item's best passage
 * @param left tokens for the passages of all items
 */
export function windowThatFits(
  best: readonly AnsweringPassage[],
  left: number,
  findTerms: FindTerms,
  show: (units: readonly TextUnit[]) => ShownPassage[],
): number {
  let window = 0;
  // Links and highlights change with the window, so a later round is more exact.
  for (let round = 0; round < 3; round += 1) {
    const shown = show(unitsOf(best, findTerms, window).slice(0, best.length));
    const all = shown.reduce((sum, { cost }) => sum + cost, 0);
    if (all <= left) return window;
    const texts = shown.map(({ shown: { text } }) => tokensOf(text));
    const forTexts = left - all + texts.reduce((sum, text) => sum + text, 0);
    window = Math.max(minWindow, Math.floor(fairShare(texts, forTexts) * charactersPerToken));
  }
  return window;
}

/** The largest limit for each at which all fit. Those that need less leave the rest to the others. */
function fairShare(needs: readonly number[], room: number): number {
  let left = room;
  let share = 0;
  for (const [index, need] of needs.toSorted((a, b) => a - b).entries()) {
    share = left / (needs.length - index);
    if (need > share) break;
    left -= need;
  }
  return share;
}
