import { bestFirst } from '../../../../domain/records/passage.ts';
import { candidatesFor } from '../quantize.ts';
import { type RowMask, writeMask } from './row-mask.ts';
import { readTop, writeQuery, writeTop } from './scan-layout.ts';
import type { ScratchMemory } from './shared-vector-layout.ts';
import { type VectorRows } from './vector-rows.ts';

export interface RankedRow {
  row: number;
  passageId: number;
  item: number;
  /** The cosine. */
  score: number;
}

/**
 * The nearest of the rows that `mask` lets through, best first. All rows are compared with the query in 8 bits, and the
 * best of them again with the query in 16 bits.
 */
export function scanRows(
  rows: VectorRows,
  query: Float32Array,
  mask: RowMask,
  limit: number,
  place: ScratchMemory,
): RankedRow[] {
  const { count, kernel, memory, width } = rows;
  const length = writeQuery(memory, place.query, query, width);
  writeTop(memory, place.top, limit);
  writeTop(memory, place.found, candidatesFor(limit));
  const isMasked = mask.items !== null || mask.passages.length > 0;
  const areMarked = rows.marked > 0;
  for (const block of rows.blocks(count)) {
    if (isMasked) writeMask(memory, place.mask, block, mask);
    const counts = isMasked ? place.mask : areMarked ? block.counts : 0;
    kernel.scan(block.rows, block.factors, counts, block.first, block.count, width, place.query, place.found);
  }
  kernel.finish(place.found);
  rows.refine(place);
  kernel.finish(place.top);
  const best = new Map<number, RankedRow>();
  for (const found of rows.owned(readTop(rows.memory, place.top))) {
    const before = best.get(found.passageId);
    found.score = length === 0 ? 0 : found.score / length;
    // A passage is found twice only while another thread replaces its vector; the later row is the newer one.
    if (before === undefined || found.row > before.row) best.set(found.passageId, found);
  }
  return [...best.values()].sort(bestFirst);
}
