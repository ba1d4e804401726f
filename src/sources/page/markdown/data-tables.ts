import type { TextBlock } from '../blocks/page-blocks.ts';
import { nearestBox, type Box } from '../blocks/block-elements.ts';

/**
 * The block indexes of each data table. A table with fewer than four blocks, with a nested table, or with more than 30
 * words per block on average is a frame for the page's layout.
 */
export function dataTables(blocks: readonly TextBlock[]): number[][] {
  const tables = new Map<Box, number[]>();
  for (const [i, { box }] of blocks.entries()) {
    const table = nearestBox(box, 'table');
    if (table === null) continue;
    const cells = tables.get(table) ?? [];
    cells.push(i);
    tables.set(table, cells);
  }
  return [...tables]
    .filter(([table, cells]) => cells.length >= 4 && table.blocks === cells.length && table.words / cells.length <= 30)
    .map(([, cells]) => cells);
}
