import { createPaths, isHeadingBox, isWithin, nearestBox, type Box } from './block-elements.ts';
import { dataTables, type TextBlock } from './page-blocks.ts';
import { isProse } from './page-features.ts';

/**
 * Restores blocks between two kept blocks that belong to them although the model left them out: headings, code, formulas, captions, lists,
 * quotations, data tables. Changes `kept` in place.
 */
export function restoreHeadings(blocks: readonly TextBlock[], kept: boolean[]): void {
  for (const cells of dataTables(blocks)) {
    const [first = 0, last = 0] = [cells[0], cells.at(-1)];
    const [before, after] = [nearestKept(kept, first, -1), nearestKept(kept, last, 1)];
    if (before === null || (after === null && !isInPartOf(blocks[first], blocks[before]))) continue;
    for (let i = first; i <= last; i += 1) kept[i] = true;
    for (const i of [first - 1, last + 1]) if (isCaption(blocks[i])) kept[i] = true;
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

/** Whether a table stands in the same part of the page as a text before it. The page as a whole is no part. */
function isInPartOf(cell: TextBlock | undefined, text: TextBlock | undefined): boolean {
  const part = cell === undefined ? null : (nearestBox(cell.box, 'table')?.parent ?? null);
  return part !== null && part.parent !== null && part.tag !== 'body' && isWithin(text?.box ?? null, part);
}

/** Between a table and the text around it stand its caption, its notes and a link to it. */
const maxBesideTable = 3;

function nearestKept(kept: readonly boolean[], from: number, step: 1 | -1): number | null {
  for (let n = 1; n <= maxBesideTable + 1; n += 1) if (kept[from + n * step] === true) return from + n * step;
  return null;
}

/** A shorter caption mostly names a photographer, in words; one with a credit is mostly about the picture alone. */
const minCaption = 6;
const maxCaption = 1_000;
const credit = /photo|credit|courtesy|getty|shutterstock|©|image (?:by|from|via|:)/i;

const captioned = /[.-]caption\b/;

function isCaption(block: TextBlock | undefined): boolean {
  if (block === undefined) return false;
  const { box } = block;
  return (
    nearestBox(box, 'figcaption', 'caption') !== null ||
    [box, box.parent].some((one) => captioned.test(one?.shape ?? ''))
  );
}

/** A longer run of rejected blocks is a part of the page of its own. */
const maxGap = 6;

/** Whether a block is code or a formula, or shares a list or quotation with a kept block next to it. */
function belongsBetween(blocks: readonly TextBlock[], at: number, before: number, behind: number): boolean {
  const block = blocks[at];
  if (block === undefined) return false;
  if (block.inFormula || nearestBox(block.box, 'pre') !== null) return true;
  const own = outermostList(block.box);
  return (
    own !== null &&
    block.linkChars * 2 < block.chars &&
    [before, behind].some((i) => isWithin(blocks[i]?.box ?? null, own))
  );
}

/** Deeper lists are counted as lists of their own: walking up from each item must not take time by the depth. */
const maxListsAround = 8;

/** The list or quotation around a box; of lists inside each other, the one that holds the others. */
function outermostList(box: Box): Box | null {
  let outer = nearestBox(box, 'dl', 'ul', 'ol', 'blockquote');
  for (let n = 0; n < maxListsAround && outer?.parent?.tag === 'li'; n += 1) outer = outer.parent.parent ?? outer;
  return outer;
}

const maxDeclaration = 200;
/** Of what a reference explains below: `pub fn row(&self)`, `boats.row(speed)`. */
const declaration = /^[\p{L}_$][\p{L}\d_$.:<>*&@ -]*\(/u;

/** Keeps headings between kept blocks, those that declare what the kept text below explains, and those above a kept block that are built like a kept heading: a button or a label may stand before them. */
export function keepHeadingsBetween(blocks: readonly TextBlock[], kept: boolean[]): void {
  const pathOf = createPaths();
  const above = blocks.keys().filter((i) => isHeadingBox((blocks[i] as TextBlock).box) && kept[i + 1] === true);
  for (const alike of Map.groupBy(above, (i) => pathOf((blocks[i] as TextBlock).box)).values()) {
    if (alike.some((i) => kept[i] === true)) for (const i of alike) kept[i] = true;
  }
  for (const [i, { box, text }] of blocks.entries()) {
    const isDeclared = declaration.test(text.slice(0, maxDeclaration)) && isProse(blocks[i + 1], 3);
    if (isHeadingBox(box) && (kept[i - 1] === true || isDeclared) && kept[i + 1] === true) kept[i] = true;
  }
}
