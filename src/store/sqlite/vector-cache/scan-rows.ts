import { candidatesFor } from '../quantize.ts';
import { type RowMask, writeMask } from './row-mask.ts';
import { readTop, writeQuery, writeTop } from './scan-layout.ts';
import type { Place, VectorRows } from './vector-rows.ts';

export interface RankedRow {
  row: number;
  passageId: number;
  item: number;
  /** The cosine. */
  score: number;
}

/** The nearest of the rows that `mask` lets through, best first. All are compared with the query in 8 bits, the best once more with it in 16. */
export function scanRows(
  rows: VectorRows,
  query: Float32Array,
  mask: RowMask,
  limit: number,
  place: Place,
): RankedRow[] {
  const { memory, kernel, width } = rows;
  const isMasked = mask.items !== null || mask.passages.length > 0;
  const count = rows.count;
  const areMarked = rows.marked > 0;
  const length = writeQuery(memory, place.query, query, width);
  writeTop(memory, place.found, candidatesFor(limit));
  writeTop(memory, place.top, limit);
  for (const block of rows.blocks(count)) {
    if (isMasked) writeMask(memory, place.mask, block, mask);
    const counts = isMasked ? place.mask : areMarked ? block.counts : 0;
    kernel.scan(block.rows, block.factors, counts, block.first, block.count, width, place.query, place.found);
  }
  kernel.finish(place.found);
  rows.refine(place);
  kernel.finish(place.top);
  const best = new Map<number, RankedRow>();
  for (const { row, score } of readTop(memory, place.top)) {
    const { passageId, item } = rows.ownerOf(row);
    const before = best.get(passageId);
    // Twice only while another thread replaces it: the later row is the newer one.
    if (before === undefined || row > before.row)
      best.set(passageId, { row, passageId, item, score: length === 0 ? 0 : score / length });
  }
  return [...best.values()].sort((a, b) => b.score - a.score || a.passageId - b.passageId);
}
