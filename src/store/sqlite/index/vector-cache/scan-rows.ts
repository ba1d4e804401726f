import { bestFirst } from '../../../../domain/records/passage.ts';
import { candidatesFor } from '../quantize.ts';
import { type RowMask, writeMask } from './row-mask.ts';
import type { MemoryAddress } from './kernel-interface.ts';
import { readTop, writeQuery, writeTables, writeTop } from './scan-layout.ts';
import { maxFound, type ScratchMemory, rowsPerBlock } from './shared-vector-layout.ts';
import { type VectorRows } from './vector-rows.ts';

export interface RankedRow {
  row: number;
  passageId: number;
  item: number;
  /** The cosine. */
  score: number;
}

/** At least one of this many rows, the nearest by their bits, is compared more closely. */
export const minShareDivisor = 16;
/** Rows are preselected in groups of this size: the list of preselected rows has no room for more. */
const rowsPerChoice = Math.floor((maxFound * minShareDivisor) / rowsPerBlock) * rowsPerBlock;

/**
 * The nearest of the rows that `mask` lets through, best first. All rows are compared by their bits where that is known
 * to lose next to nothing, otherwise with the query in 8 bits. The best of them are then compared with the query in 16
 * bits.
 */
export function scanRows(
  rows: VectorRows,
  query: Float32Array,
  mask: RowMask,
  limit: number,
  place: ScratchMemory,
): RankedRow[] {
  // Read `count` before `oneOf`: while bits are in use, rows get their bits before they are counted.
  const { count } = rows;
  const { oneOf } = rows;
  const length = writeQuery(rows.memory, place.query, query, rows.width);
  writeTop(rows.memory, place.top, limit);
  if (oneOf === 0) {
    chooseByBytes(rows, { from: 0, to: count }, mask, candidatesFor(limit), place);
    rows.refine(place);
  } else {
    writeTables(rows.memory, place.tables, query, rows.centre, rows.width);
    for (let from = 0; from < count; from += rowsPerChoice) {
      const to = Math.min(count, from + rowsPerChoice);
      chooseByBits(rows, { from, to }, mask, Math.max(candidatesFor(limit), Math.ceil((to - from) / oneOf)), place);
      rows.refine(place);
    }
  }
  rows.kernel.finish(place.top);
  const best = new Map<number, RankedRow>();
  for (const found of rows.owned(readTop(rows.memory, place.top))) {
    const before = best.get(found.passageId);
    found.score = length === 0 ? 0 : found.score / length;
    // A passage is found twice only while another thread replaces its vector; the later row is the newer one.
    if (before === undefined || found.row > before.row) best.set(found.passageId, found);
  }
  return [...best.values()].sort(bestFirst);
}

/** Rows from `from`, the start of a block, to `to` (exclusive). */
interface RowRange {
  from: number;
  to: number;
}

/** Lists at `found` the rows nearest to the query in 8 bits, which must have been written before. */
export function chooseByBytes(
  rows: VectorRows,
  range: RowRange,
  mask: RowMask,
  limit: number,
  place: ScratchMemory,
): void {
  const { kernel, width } = rows;
  choose(rows, range, mask, limit, place, (block, counts) =>
    kernel.scan(block.rows, block.factors, counts, block.first, block.count, width, place.query, place.found),
  );
}

/**
 * Lists at `found` the rows that are nearest as far as their bits tell; the query's tables must have been written
 * before.
 */
export function chooseByBits(
  rows: VectorRows,
  range: RowRange,
  mask: RowMask,
  limit: number,
  place: ScratchMemory,
): void {
  const { bits, width } = rows;
  choose(rows, range, mask, limit, place, ({ codes, slopes, offsets, first, count }, counts) =>
    bits?.scanBits(codes, slopes, offsets, counts, first, count, width, place.tables, place.found),
  );
}

type BlockOfRows = ReturnType<VectorRows['blocks']> extends Generator<infer B> ? B : never;

function choose(
  rows: VectorRows,
  { from, to }: RowRange,
  mask: RowMask,
  limit: number,
  place: ScratchMemory,
  scan: (block: BlockOfRows, counts: MemoryAddress) => void,
): void {
  const isMasked = mask.items !== null || mask.passages.length > 0;
  const areMarked = rows.marked > 0;
  writeTop(rows.memory, place.found, limit);
  for (const block of rows.blocks(to, from)) {
    if (isMasked) writeMask(rows.memory, place.mask, block, mask);
    scan(block, isMasked ? place.mask : areMarked ? block.counts : 0);
  }
  rows.kernel.finish(place.found);
}
