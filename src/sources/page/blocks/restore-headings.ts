import { dataTables } from '../markdown/data-tables.ts';
import type { TextBlock } from './page-blocks.ts';
import { isHeadingBox, isWithin, nearestBox } from './block-elements.ts';

/**
 * Restores blocks between two kept blocks that belong to them although the model left them out: headings, code, captions, lists,
 * quotations, data tables. Changes `kept` in place.
 */
export function restoreHeadings(blocks: readonly TextBlock[], kept: boolean[]): void {
  for (const cells of dataTables(blocks)) {
    const [first = 0, last = 0] = [cells[0], cells.at(-1)];
    const [before, after] = [
      isCaption(blocks[first - 1]) ? first - 2 : first - 1,
      isCaption(blocks[last + 1]) ? last + 2 : last + 1,
    ];
    if (kept[before] === true && kept[after] === true) for (let i = before; i < after; i += 1) kept[i] = true;
  }
  for (const [i, block] of blocks.entries()) {
    const says = block.words >= minCaption && !credit.test(block.text.slice(0, maxCaption));
    if (says && isCaption(block) && kept[i - 1] === true && kept[i + 1] === true) kept[i] = true;
  }
  keepHeadingsBetween(blocks, kept);
  for (let from = 0; from < blocks.length; from += 1) {
    if (kept[from] === true || kept[from - 1] !== true) continue;
    let to = from;
    while (to < blocks.length && kept[to] !== true) to += 1;
    if (to < blocks.length && to - from <= maxGap) {
      for (let i = from; i < to; i += 1) if (belongsBetween(blocks, i, from - 1, to)) kept[i] = true;
    }
    from = to;
  }
}

/** A shorter caption mostly names a photographer, in words; one with a credit is mostly about the picture alone. */
const minCaption = 6;
const maxCaption = 1_000;
const credit = /photo|credit|courtesy|getty|shutterstock|©|image (?:by|from|via|:)/i;

function isCaption(block: TextBlock | undefined): boolean {
  return block !== undefined && nearestBox(block.box, 'figcaption', 'caption') !== null;
}

/** A longer run of rejected blocks is a part of the page of its own. */
const maxGap = 6;

/** Whether a block is code, or shares a list or quotation with a kept block next to it. */
function belongsBetween(blocks: readonly TextBlock[], at: number, before: number, behind: number): boolean {
  const block = blocks[at];
  if (block === undefined) return false;
  if (nearestBox(block.box, 'pre') !== null) return true;
  const own = nearestBox(block.box, 'dl', 'ul', 'ol', 'blockquote');
  return (
    own !== null &&
    block.linkChars * 2 < block.chars &&
    [before, behind].some((i) => isWithin(blocks[i]?.box ?? null, own))
  );
}

export function keepHeadingsBetween(blocks: readonly TextBlock[], kept: boolean[]): void {
  for (const [i, { box }] of blocks.entries()) {
    if (isHeadingBox(box) && kept[i - 1] === true && kept[i + 1] === true) kept[i] = true;
  }
}
