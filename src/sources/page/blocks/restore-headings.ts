import { dataTables } from '../markdown/data-tables.ts';
import type { TextBlock } from './page-blocks.ts';
import { isHeadingBox, isWithin, nearestBox } from './block-elements.ts';

/** What stands between two kept blocks and belongs to them, for a reader if not for the model: headings, code, lists, quotations, tables of data. */
export function mendBetween(blocks: readonly TextBlock[], kept: boolean[]): void {
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

/** More blocks in a row that the model wants to be left out are a part of the page of their own. */
const maxGap = 6;

/** Code, and what is of one list or quotation with a kept block beside it. */
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
