import type { TextRun } from './join-runs.ts';

/** Accents that stand alone, with the combining characters for the same. */
const combining: Readonly<Record<string, string>> = {
  '`': '\u0300',
  '´': '\u0301',
  ˆ: '\u0302',
  '˜': '\u0303',
  '¯': '\u0304',
  '˘': '\u0306',
  '˙': '\u0307',
  '¨': '\u0308',
  '˚': '\u030a',
  '˝': '\u030b',
  ˇ: '\u030c',
  '¸': '\u0327',
  '˛': '\u0328',
};
const dotless: Readonly<Record<string, string>> = { ı: 'i', ȷ: 'j' };

/**
 * Makes one letter of an accent at the end of `last` and the letter at the start of `run` that is drawn over it, as TeX
 * does in fonts without accented letters ("Schr¨" and "odinger"). Returns false if these are no such pair.
 */
export function joinAccent(last: TextRun, run: TextRun): boolean {
  const mark = combining[last.text.at(-1) ?? ''];
  if (mark === undefined || last.turn !== run.turn || run.isRightToLeft) return false;
  const size = Math.max(last.size, run.size);
  const isOver = run.x0 < last.x1 - minOverlap * size && run.x0 > last.x1 - size && Math.abs(run.y - last.y) < size / 2;
  const first = run.text.charAt(0);
  const letter = `${dotless[first] ?? first}${mark}`.normalize('NFC');
  if (!isOver || letter.length !== 1) return false;
  last.text = last.text.slice(0, -1);
  run.text = letter + run.text.slice(1);
  return true;
}

/** An accent lies within the width of its letter; letters that are merely set close overlap less. In font sizes. */
const minOverlap = 0.15;
