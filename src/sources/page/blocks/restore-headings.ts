import { dataTables } from '../markdown/data-tables.ts';
import type { TextBlock } from './page-blocks.ts';
import { isHeadingBox, isWithin, nearestBox } from './block-elements.ts';

/**
 * Restores blocks between two kept blocks that belong to them although the model left them out: headings, code, lists,
 * quotations, data tables. Changes `kept` in place.
 */
export function restoreHeadings(blocks: readonly TextBlock[], kept: boolean[]): void {
  for (const cells of dataTables(blocks)) {
    const [first = 0, last = 0] = [cells[0], cells.at(-1)];
    if (kept[first - 1] === true && kept[last + 1] === true) for (const i of cells) kept[i] = true;
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
