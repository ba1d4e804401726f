import type { BlockModel } from './block-model.ts';
import type { PageFacts } from './html-scan.ts';
import type { Box, TextBlock } from './page-blocks.ts';
import { blockFeatures } from './page-features.ts';

export interface Choice {
  kept: boolean[];
  /** The word F1 that the model expects of the choice, 0–1. */
  expected: number;
}

/** Chooses the blocks that are a page's content. */
export function chooseBlocks(model: BlockModel, blocks: readonly TextBlock[], facts: PageFacts, url: string): Choice {
  const likely = blockFeatures(blocks, facts, url).map((row) => model.probability(row));
  levelTables(blocks, likely);
  const choice = mostExpected(
    likely,
    blocks.map(({ words }) => words),
  );
  mendGaps(blocks, choice.kept);
  return choice;
}

/** What stands between two kept blocks and belongs to them, for a reader if not for the model: headings, tables of data. */
function mendGaps(blocks: readonly TextBlock[], kept: boolean[]): void {
  for (const cells of dataTables(blocks)) {
    const [first = 0, last = 0] = [cells[0], cells.at(-1)];
    if (kept[first - 1] === true && kept[last + 1] === true) for (const i of cells) kept[i] = true;
  }
  for (const [i, { box }] of blocks.entries()) {
    const heading = /^h[1-6]$/.test(box.tag) || /^h[1-6]$/.test(box.parent?.tag ?? '');
    if (heading && kept[i - 1] === true && kept[i + 1] === true) kept[i] = true;
  }
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
