import { lowerBesideArticle } from './beside-article.ts';
import type { BlockModel } from './block-model.ts';
import type { PageFacts } from './html-scan.ts';
import type { Box, TextBlock } from './page-blocks.ts';
import { mendGaps } from './mend-gaps.ts';
import { blockFeatures } from './page-features.ts';

export interface Choice {
  kept: boolean[];
  /** The word F1 that the model expects of the choice, 0–1. */
  expected: number;
}

/** Chooses the blocks that are a page's content. */
export function chooseBlocks(model: BlockModel, blocks: readonly TextBlock[], facts: PageFacts, url: string): Choice {
  const likely = blockFeatures(blocks, facts, url).map((row) => model.probability(row));
  lowerBesideArticle(blocks, likely, facts);
  levelTables(blocks, likely);
  const choice = mostExpected(
    likely,
    blocks.map(({ words }) => words),
  );
  mendBetween(blocks, choice.kept);
  mendGaps(blocks, likely, choice.kept);
  return choice;
}

/** What stands between two kept blocks and belongs to them, for a reader if not for the model: headings, code, lists, quotations, tables of data. */
function mendBetween(blocks: readonly TextBlock[], kept: boolean[]): void {
  for (const cells of dataTables(blocks)) {
    const [first = 0, last = 0] = [cells[0], cells.at(-1)];
    if (kept[first - 1] === true && kept[last + 1] === true) for (const i of cells) kept[i] = true;
  }
  for (const [i, { box }] of blocks.entries()) {
    const heading = /^h[1-6]$/.test(box.tag) || /^h[1-6]$/.test(box.parent?.tag ?? '');
    if (heading && kept[i - 1] === true && kept[i + 1] === true) kept[i] = true;
  }
  for (let from = 0; from < blocks.length; from += 1) {
    if (kept[from] === true || kept[from - 1] !== true) continue;
    let to = from;
    while (to < blocks.length && kept[to] !== true) to += 1;
    if (to < blocks.length && to - from <= longestGap) {
      for (let i = from; i < to; i += 1) if (belongsBetween(blocks, i, from - 1, to)) kept[i] = true;
    }
    from = to;
  }
}

/** More blocks in a row that the model wants to be left out are a part of the page of their own. */
const longestGap = 6;

/** Code, and what is of one list or quotation with a kept block beside it. */
function belongsBetween(blocks: readonly TextBlock[], at: number, before: number, behind: number): boolean {
  const block = blocks[at];
  if (block === undefined) return false;
  if (boxOf(block.box, 'pre') !== null) return true;
  const own = boxOf(block.box, 'dl', 'ul', 'ol', 'blockquote');
  return (
    own !== null &&
    block.linkChars * 2 < block.chars &&
    [before, behind].some((i) => isInside(blocks[i]?.box ?? null, own))
  );
}

function boxOf(box: Box, ...tags: string[]): Box | null {
  let at: Box | null = box;
  while (at !== null && !tags.includes(at.tag)) at = at.parent;
  return at;
}

function isInside(box: Box | null, outer: Box): boolean {
  let at = box;
  while (at !== null && at !== outer) at = at.parent;
  return at === outer;
}

/**
 * Of all choices the one with the greatest expected F1, `2·Σ p·w over the kept ÷ (Σ w over the kept + Σ p·w over all)`: the
 * likeliest blocks down to some likelihood, so that a page of doubtful blocks gives some text and a page of clear ones no others.
 */
export function mostExpected(likely: readonly number[], words: readonly number[]): Choice {
  const order = likely.map((_, i) => i).toSorted((a, b) => (likely[b] ?? 0) - (likely[a] ?? 0));
  const all = likely.reduce((sum, p, i) => sum + p * (words[i] ?? 0), 0);
  let found = 0;
  let taken = 0;
  let best = { expected: 0, count: 0 };
  for (const [n, i] of order.entries()) {
    found += (likely[i] ?? 0) * (words[i] ?? 0);
    taken += words[i] ?? 0;
    const expected = taken === 0 ? 0 : (2 * found) / (taken + all);
    if (expected >= best.expected && expected > 0) best = { expected, count: n + 1 };
  }
  const kept = likely.map(() => false);
  for (const i of order.slice(0, best.count)) kept[i] = true;
  return { kept, expected: best.expected };
}

/** A table stays or goes as one. */
function levelTables(blocks: readonly TextBlock[], likely: number[]): void {
  for (const cells of dataTables(blocks)) {
    const mean = cells.reduce((sum, i) => sum + (likely[i] ?? 0), 0) / cells.length;
    for (const i of cells) likely[i] = mean;
  }
}

/** The blocks of each table; cells that hold more than a cell's text make it a frame for the page's layout. */
function dataTables(blocks: readonly TextBlock[]): number[][] {
  const tables = new Map<Box, number[]>();
  for (const [i, { box }] of blocks.entries()) {
    let at: Box | null = box;
    while (at !== null && at.tag !== 'table') at = at.parent;
    if (at !== null) {
      const cells = tables.get(at) ?? [];
      cells.push(i);
      tables.set(at, cells);
    }
  }
  return [...tables]
    .filter(([table, cells]) => cells.length >= 4 && table.blocks === cells.length && table.words / cells.length <= 30)
    .map(([, cells]) => cells);
}
