import type { PageFacts } from '../html/html-scan.ts';
import { isHeadingBox, nearestBox } from './block-elements.ts';
import type { TextBlock } from './page-blocks.ts';

/** A shorter title may be said again by chance. */
const minTitle = 3;
/** Words that the path to a page has beside its title, at most. */
const maxPath = 10;

/** A time, a number or an id for programs, without a word of a language. */
const machineField =
  /^(?:\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*(?:Z|[+-]\d\d:?\d\d)?|\d{9,20}|(?=[a-z_-]{0,40}\d)(?=[\d_-]{0,40}[a-z])[a-z\d]{1,40}(?:[-_][a-z\d]{1,40}){2,9})$/i;
const meant = ['pre', 'code', 'td', 'th', 'li', 'dd', 'dt', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

/**
 * Leaves out a kept title that is said again, the path that leads to it, and fields that programs read. Changes `kept`
 * in place.
 */
export function leaveOutFields(blocks: readonly TextBlock[], kept: boolean[], facts: PageFacts): void {
  const title = bareText(facts.headings[0] ?? '');
  const heading = blocks.findIndex(({ box, text }) => isHeadingBox(box) && bareText(text) === title);
  const isLong = (blocks[heading]?.words ?? 0) >= minTitle;
  for (const [i, { box, text, words, linkChars }] of blocks.entries()) {
    if (kept[i] !== true || i === heading) continue;
    if (words < 40 && machineField.test(text) && nearestBox(box, ...meant) === null) kept[i] = false;
    if (!isLong || title === '') continue;
    const bare = bareText(text);
    const isPath =
      i < heading && linkChars > 0 && bare.endsWith(title) && words <= (blocks[heading]?.words ?? 0) + maxPath;
    if (bare === title || isPath) {
      kept[i] = false;
      kept[heading] = true;
    }
  }
}

function bareText(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}
