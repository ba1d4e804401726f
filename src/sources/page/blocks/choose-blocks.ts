import { demoteRelatedLinks } from './demote-related-links.ts';
import type { BlockModel } from './block-model.ts';
import type { PageFacts } from '../html/html-scan.ts';
import { dataTables, type TextBlock } from './page-blocks.ts';
import { restoreBlocks } from './restore-blocks.ts';
import { restoreDeclared } from './restore-declared.ts';
import { createPaths } from './block-elements.ts';
import { blockFeatures } from './page-features.ts';

export interface Choice {
  kept: boolean[];
  /** Likelihood of each block, 0–1. */
  likely: readonly number[];
  /** Word F1 that the model expects of this choice, 0–1. */
  expected: number;
}

/** Chooses the blocks that are a page's content. */
export function chooseBlocks(model: BlockModel, blocks: readonly TextBlock[], facts: PageFacts, url: string): Choice {
  const likely = blockFeatures(blocks, facts, url).map((row) => model.probability(row));
  demoteRelatedLinks(blocks, likely, facts);
  levelTables(blocks, likely);
  levelAlike(blocks, likely);
  const choice = bestExpected(
    likely,
    blocks.map(({ words }) => words),
  );
  restoreBlocks(blocks, likely, choice.kept);
  restoreDeclared(blocks, choice.kept, facts);
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
  return { kept, likely, expected: best.expected };
}

/** Gives all cells of a data table their mean probability, so that the table is kept or dropped as a whole. */
function levelTables(blocks: readonly TextBlock[], likely: number[]): void {
  for (const cells of dataTables(blocks)) {
    const mean = cells.reduce((sum, i) => sum + (likely[i] ?? 0), 0) / cells.length;
    for (const i of cells) likely[i] = mean;
  }
}

/** Fewer blocks that are built alike tell nothing of each other. */
const minAlike = 4;
/** Blocks with more words are prose, of which each is judged for itself. */
const maxShort = 20;
/** A page with a larger share of its words in prose is no list of tiles. */
const maxProse = 0.2;

/**
 * On pages of tiles, gives short blocks that are built alike up to the page's root (the prices of all tiles, the items of a menu) their mean probability, by words,
 * so that they are kept or dropped together.
 */
function levelAlike(blocks: readonly TextBlock[], likely: number[]): void {
  let [prose, whole] = [0, 0];
  for (const { words } of blocks) {
    whole += words;
    if (words > maxShort) prose += words;
  }
  if (prose >= whole * maxProse) return;
  const pathOf = createPaths();
  for (const own of Map.groupBy(blocks.keys(), (i) => pathOf((blocks[i] as TextBlock).box)).values()) {
    const words = own.reduce((sum, i) => sum + (blocks[i]?.words ?? 0), 0);
    if (own.length < minAlike || words > own.length * maxShort) continue;
    let [sum, all] = [0, 0];
    for (const i of own) {
      const weight = (blocks[i]?.words ?? 0) + 0.5;
      sum += (likely[i] ?? 0) * weight;
      all += weight;
    }
    for (const i of own) likely[i] = sum / all;
  }
}
