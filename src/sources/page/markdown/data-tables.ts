import type { TextBlock } from '../blocks/page-blocks.ts';
import { nearestBox, type Box } from '../blocks/block-elements.ts';

/** Tables inside each other are looked through to this depth. */
const maxNested = 3;

/** The table around a box. If that table is in a cell of a table with heads, the outer one. */
function tableAround(box: Box, headed: ReadonlySet<Box>): Box | null {
  let table = nearestBox(box, 'table');
  for (let n = 0; n < maxNested && table?.parent; n += 1) {
    const outer = nearestBox(table.parent, 'table');
    if (outer === null || !headed.has(outer)) break;
    table = outer;
  }
  return table;
}

/**
 * The block indexes of each data table. A table with fewer than four blocks, with a nested table and no heads, or with more than 30
 * words per block on average is a frame for the page's layout.
 */
export function dataTables(blocks: readonly TextBlock[]): number[][] {
  const tables = new Map<Box, number[]>();
  const headed = new Set<Box>();
  for (const { box } of blocks) {
    const table = box.tag === 'th' ? nearestBox(box, 'table') : null;
    if (table !== null) headed.add(table);
  }
  for (const [i, { box }] of blocks.entries()) {
    const table = tableAround(box, headed);
    if (table === null) continue;
    const cells = tables.get(table) ?? [];
    cells.push(i);
    tables.set(table, cells);
  }
  return [...tables]
    .filter(([table, cells]) => cells.length >= 4 && table.blocks === cells.length && table.words / cells.length <= 30)
    .map(([, cells]) => cells);
}
