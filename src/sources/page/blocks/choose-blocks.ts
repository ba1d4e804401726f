import { lowerBesideArticle } from './demote-related-links.ts';
import type { BlockModel } from './block-model.ts';
import type { PageFacts } from '../html/html-scan.ts';
import { dataTables } from '../markdown/data-tables.ts';
import { restoreHeadings } from './restore-headings.ts';
import { restoreBlocks } from './restore-blocks.ts';
import type { TextBlock } from './page-blocks.ts';
import { blockFeatures } from './page-features.ts';

export interface Choice {
  kept: boolean[];
  /** Word F1 that the model expects of this choice, 0–1. */
  expected: number;
}

/** Chooses the blocks that are a page's content. */
export function chooseBlocks(model: BlockModel, blocks: readonly TextBlock[], facts: PageFacts, url: string): Choice {
  const likely = blockFeatures(blocks, facts, url).map((row) => model.probability(row));
  lowerBesideArticle(blocks, likely, facts);
  levelTables(blocks, likely);
  const choice = bestExpected(
    likely,
    blocks.map(({ words }) => words),
  );
  restoreHeadings(blocks, choice.kept);
  restoreBlocks(blocks, likely, choice.kept);
  return choice;
}

/**
 * Finds the choice with the greatest expected F1, `2·Σ p·w over the kept ÷ (Σ w over the kept + Σ p·w over all)`. It
 * consists of the most probable blocks down to some probability. So a page of doubtful blocks still gives some text,
 * and a page of clear blocks gives no others.
 */
export function bestExpected(likely: readonly number[], words: readonly number[]): Choice {
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

/** Gives all cells of a data table their mean probability, so that the table is kept or dropped as a whole. */
function levelTables(blocks: readonly TextBlock[], likely: number[]): void {
  for (const cells of dataTables(blocks)) {
    const mean = cells.reduce((sum, i) => sum + (likely[i] ?? 0), 0) / cells.length;
    for (const i of cells) likely[i] = mean;
  }
}
