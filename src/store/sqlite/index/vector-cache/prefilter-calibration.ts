import { candidatesFor, lengthOf } from '../quantize.ts';
import type { RowMask } from './row-mask.ts';
import { readTop, readTopKeys, writeQuery, writeTables, writeTop } from './scan-layout.ts';
import { chooseByBits, chooseByBytes, minShareDivisor } from './scan-rows.ts';
import { type ScratchMemory, rowsPerBlock } from './shared-vector-layout.ts';
import { type VectorRows } from './vector-rows.ts';

/** With fewer rows, comparing all of them is as fast. */
const minRows = 2 * rowsPerBlock;
const growth = 1.25;
/**
 * How many of the account's own vectors serve as test queries, and the most rows they are compared with. Among more
 * rows, a smaller share of them is enough for a list of the same length.
 */
const samples = 24;
const maxRows = 8 * rowsPerBlock;
const minRecall = 0.98;
/**
 * Recall is measured for the best 10, which are shown, and for the best 200, which is how many a search by words and
 * meaning takes from each ranking.
 */
const depths = [10, 200] as const;
const maxRank = 200;
/**
 * When only a part of the rows is compared, it holds only that part of the overall best. These first few are found in a
 * smaller share of the rows than the part's own best 10 or 200. A part never quite represents the whole, so half as
 * many more are required.
 */
const margin = 1.5;
const shares = [256, 128, 64, 32, minShareDivisor] as const;
const everything: RowMask = { items: null, passages: [] };

/**
 * Decides whether rows are preselected by their bits, and how many of them. Decides again once there are a quarter more
 * rows than at the last decision. Call with the lock held. Some of the account's own vectors serve as queries, by bytes
 * and by bits: bits are used when they find .98 of the best 10 and of the best 200 of all rows.
 * @param roomBytes memory that bits may take
 */
export function decideOnBits(rows: VectorRows, roomBytes: number): void {
  const { count, place } = rows;
  if (rows.bits === null || place === null) return;
  if (count < minRows || count <= rows.measured * growth) return;
  const to = count;
  const from = Math.max(0, Math.ceil((to - maxRows) / rowsPerBlock) * rowsPerBlock);
  const hadBits = rows.oneOf > 0;
  if (!hadBits && rows.bytesOfBits(to) > roomBytes) return;
  if (!hadBits) {
    writeCentre(rows);
    rows.encode(from, to);
  }
  const oneOf = smallestShare(rows, { from, to }, place);
  if (oneOf > 0 && !hadBits) rows.encode(0, from);
  rows.setBits({ oneOf, measured: to, coded: oneOf > 0 ? to : to - from });
}

/** Some row numbers, spread evenly over all rows. */
function someRows(count: number, wanted: number): number[] {
  const step = Math.max(1, count / wanted);
  return Array.from({ length: Math.min(count, wanted) }, (_, index) => Math.floor((index + 0.5) * step));
}

/** Relative to the centre, vectors show how they differ instead of what they have in common. */
function writeCentre(rows: VectorRows): void {
  const chosen = someRows(rows.count, rowsPerBlock);
  const sum = new Float64Array(rows.width);
  for (const row of chosen) {
    const components = rows.componentsOf(row);
    const length = lengthOf(components) || 1;
    for (let index = 0; index < components.length; index += 1) {
      sum[index] = (sum[index] ?? 0) + (components[index] ?? 0) / length;
    }
  }
  rows.centre.set(sum.map((component) => component / chosen.length));
}

/** The largest n for which preselecting one of n rows is enough; 0 when no n is. */
function smallestShare(rows: VectorRows, range: { from: number; to: number }, place: ScratchMemory): number {
  const ranks = someRows(rows.count, samples).map((row) => ranksByBits(rows, range, row, place));
  const part = Math.min(1, (margin * (range.to - range.from)) / rows.count);
  const isEnough = (oneOf: number): boolean =>
    depths.every((depth) => {
      const asked = ranks.flatMap((list) => list.slice(0, Math.ceil(depth * part)));
      const found = asked.filter((rank) => rank < (range.to - range.from) / oneOf);
      return found.length >= asked.length * minRecall;
    });
  return shares.find(isEnough) ?? 0;
}

/** The ranks by bits of the rows that are nearest to `row` by bytes; Infinity when bits do not preselect a row. */
function ranksByBits(
  rows: VectorRows,
  range: { from: number; to: number },
  row: number,
  place: ScratchMemory,
): number[] {
  const query = Float32Array.from(rows.componentsOf(row));
  const { memory, width, kernel } = rows;
  writeQuery(memory, place.query, query, width);
  writeTop(memory, place.top, maxRank + 1);
  chooseByBytes(rows, range, everything, candidatesFor(maxRank + 1), place);
  rows.refine(place);
  kernel.finish(place.top);
  const nearest = readTop(memory, place.top)
    .map((hit) => hit.row)
    .filter((other) => other !== row);
  writeTables(memory, place.tables, query, rows.centre, width);
  chooseByBits(rows, range, everything, Math.ceil((range.to - range.from) / minShareDivisor), place);
  const keys = readTopKeys(memory, place.found);
  const sorted = Float64Array.from(keys.values()).sort();
  return nearest.slice(0, maxRank).map((hit) => {
    const key = keys.get(hit);
    return key === undefined ? Infinity : sorted.length - firstFrom(sorted, key) - 1;
  });
}

/** The first index in an ascending list whose value is not below `value`. */
function firstFrom(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
