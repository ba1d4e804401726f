import { firstIndex, isSameRow, median } from './reading-order.ts';
import type { TextSegment } from './letters/text-segment.ts';

/*
 * Text beside the text of a page: stamps along its side (of arXiv, of a publisher) and the numbers of lines.
 */

/** A page with less text, in characters, may be a drawing whose labels stand at its sides. */
const minText = 200;
/** The labels of a map or a drawing are shorter than lines of prose, in characters. */
const minProse = 25;
/** Fewer numbers below each other are not the numbers of lines. */
const minNumbers = 5;
/** Minimum characters in half of the numbered lines: such lines are prose. */
const minLineLength = 30;

export function withoutMarginText(segments: readonly TextSegment[]): TextSegment[] {
  const upright = segments.filter(({ turn }) => turn === 0);
  if (upright.reduce((sum, { text }) => sum + text.length, 0) < minText) return [...segments];
  if (median(upright.map(({ text }) => text.length)) < minProse) return [...segments];
  const numbers = lineNumbers(upright);
  const [left, right] = [
    Math.min(...upright.flatMap((segment) => (numbers.has(segment) ? [] : [segment.x0]))),
    Math.max(...upright.map(({ x1 }) => x1)),
  ];
  return segments.filter((segment) => {
    if (numbers.has(segment)) return false;
    // Turned text has turned coordinates.
    const x = segment.turn === 3 ? segment.y : segment.turn === 1 ? -segment.y : null;
    return x === null || (x > left && x < right + segment.size);
  });
}

/** The numbers that stand left of the lines of a text and count them, every one or every fifth. */
function lineNumbers(upright: readonly TextSegment[]): ReadonlySet<TextSegment> {
  const [counts, texts] = [[] as TextSegment[], [] as TextSegment[]];
  for (const segment of upright) (/^\d{1,4}$/.test(segment.text) ? counts : texts).push(segment);
  const none = new Set<TextSegment>();
  if (counts.length < minNumbers || texts.length < minNumbers) return none;
  const starts = texts.map(({ x0 }) => x0).toSorted((a, b) => a - b);
  const left = starts[Math.floor(starts.length / 10)] ?? 0;
  const beside = counts.filter(({ x1 }) => x1 < left).toSorted((a, b) => a.y - b.y);
  if (beside.length < minNumbers) return none;
  const steps = beside.slice(1).map(({ text }, i) => Number(text) - Number(beside[i]?.text));
  const step = median(steps);
  if ((step !== 1 && step !== 5) || steps.filter((one) => one !== step).length > steps.length * 0.1) return none;
  const down = texts.toSorted((a, b) => a.y - b.y);
  const lengths = beside.map((number) => {
    const near = firstIndex(down, ({ y }) => y > number.y - number.size);
    const line = down.slice(near, near + 4).find((text) => isSameRow(number, text));
    return line?.text.length ?? 0;
  });
  return median(lengths) < minLineLength ? none : new Set(beside);
}
