/*
 * Codes of two bits for each component of a row: which of four steps it is away from the component of a centre. From its codes the
 * product of a row with a query is estimated to within some hundredths, much faster than it is computed. That is enough to leave out most rows.
 *
 * Let c be the centre, r = x − c the difference between a row x (of unit length) and the centre, and b the steps of r: ±.5 for components up to
 * the root of their mean square, ±1.5 for larger ones. For a query q (of unit length) and p = q − c, ⟨q, x⟩ = ⟨p, r⟩ + ⟨c, x⟩ + a number
 * that is the same for all rows, and ⟨p, r⟩ is about ⟨p, b⟩ · ‖r‖² / ⟨r, b⟩: the part of r in the direction of b is taken for all of r
 * (as in RaBitQ, Gao and Long 2024, which rotates vectors at random before).
 *
 * Two components of sixteen rows are looked up at once. `codes` consists of groups of 32 rows, 8·width bytes each: 16 bytes for every two
 * components, in order. The lower four bits of a byte belong to one of rows 0..15, the upper four to one of rows 16..31.
 */

import { leastAt, put } from './hits';

const nibbles = memory.data<u8>([15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15], 16);

@inline
function sumOf(v: v128): f32 {
  return f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1) + (f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3));
}

/** Four components of a row of unit length. */
@inline
function componentsAt(bytes: usize, factor: v128): v128 {
  const wide = i32x4.extend_low_i16x8_s(i16x8.extend_low_i8x16_s(v128.load32_zero(bytes)));
  return f32x4.mul(f32x4.convert_i32x4_s(wide), factor);
}

/**
 * Writes the codes of `count` rows, beginning with row `from` of the block. For each row it also writes the factor and the summand (float32 each) that
 * turn the sum over its codes into a score. `rows` and `factors` are those of the block; `centre` is `width` floats.
 */
export function encode(
  rows: usize,
  factors: usize,
  from: i32,
  count: i32,
  width: usize,
  centre: usize,
  codes: usize,
  slopes: usize,
  offsets: usize,
): void {
  for (let row = <usize>from, end = <usize>(from + count); row < end; row += 1) {
    const bytes = rows + row * width;
    const factor = f32x4.splat(load<f32>(factors + (row << 2)));
    const code = codes + (row >> 5) * (width << 3) + (row & 15);
    const shift: u32 = (row & 16) === 0 ? 0 : 4;
    let squares = f32x4.splat(0);
    let along = f32x4.splat(0);
    for (let column: usize = 0; column < width; column += 4) {
      const x = componentsAt(bytes + column, factor);
      const c = v128.load(centre + (column << 2));
      const r = f32x4.sub(x, c);
      squares = f32x4.add(squares, f32x4.mul(r, r));
      along = f32x4.add(along, f32x4.mul(x, c));
    }
    const square = sumOf(squares);
    const far = f32x4.splat(sqrt<f32>(square / <f32>width));
    const half = f32x4.splat(1.5);
    let steps = f32x4.splat(0);
    for (let column: usize = 0; column < width; column += 4) {
      const r = f32x4.sub(componentsAt(bytes + column, factor), v128.load(centre + (column << 2)));
      // What is true is −1.
      const above = i32x4.add(f32x4.gt(r, f32x4.splat(0)), i32x4.add(f32x4.gt(r, far), f32x4.gt(r, f32x4.neg(far))));
      const step = i32x4.neg(above);
      steps = f32x4.add(steps, f32x4.mul(r, f32x4.sub(f32x4.convert_i32x4_s(step), half)));
      // Two steps side by side become four bits.
      const nibbles = v128.or(step, i64x2.shr_u(step, 30));
      const first = i32x4.extract_lane(nibbles, 0) & 15;
      const second = i32x4.extract_lane(nibbles, 2) & 15;
      const place = code + (column << 3);
      // The other half of a byte is another row's, which a thread may be reading.
      store<u8>(place, (<u32>load<u8>(place) & (0xf0 >> shift)) | (first << shift));
      store<u8>(place, (<u32>load<u8>(place, 16) & (0xf0 >> shift)) | (second << shift), 16);
    }
    const size = sumOf(steps);
    store<f32>(slopes + (row << 2), size === 0 ? 0 : square / size);
    store<f32>(offsets + (row << 2), sumOf(along));
  }
}

@inline
function lookUp(table: v128, index: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return i8x16.relaxed_swizzle(table, index);
  return i8x16.swizzle(table, index);
}

@inline
function keep(sums: v128, at: i32, slopes: usize, offsets: usize, mask: usize, first: i32, count: i32, step: v128, base: v128, top: usize): void {
  const products = f32x4.add(f32x4.mul(f32x4.convert_i32x4_u(sums), step), base);
  const scores = f32x4.add(f32x4.mul(products, v128.load(slopes + (<usize>at << 2))), v128.load(offsets + (<usize>at << 2)));
  const better = i32x4.bitmask(f32x4.gt(scores, v128.load32_splat(top + leastAt)));
  if (better !== 0) putBetter(scores, better, at, mask, first, count, top);
}

function putBetter(scores: v128, better: i32, at: i32, mask: usize, first: i32, count: i32, top: usize): void {
  for (let lane = 0; lane < 4; lane += 1) {
    const row = at + lane;
    if ((better & (1 << lane)) === 0 || row >= count || (mask !== 0 && load<u8>(mask + row) === 0)) continue;
    let score = f32x4.extract_lane(scores, 0);
    if (lane === 1) score = f32x4.extract_lane(scores, 1);
    if (lane === 2) score = f32x4.extract_lane(scores, 2);
    if (lane === 3) score = f32x4.extract_lane(scores, 3);
    // An earlier lane may have raised it.
    if (score > load<f32>(top + leastAt)) put(top, first + row, score);
  }
}

/**
 * Adds to `top` those of `count` rows whose estimated scores exceed the lowest one in it. `tables` holds the step of its numbers and the
 * score of a sum of 0 (float32 each), 8 unused bytes, and for every two components 16 bytes (0..63), of which a row's four bits
 * choose one. `mask` is as in `scan`. Rows are read in groups of 32: up to 31 rows after the last one must be readable.
 */
export function scanBits(
  codes: usize,
  slopes: usize,
  offsets: usize,
  mask: usize,
  first: i32,
  count: i32,
  width: usize,
  tables: usize,
  top: usize,
): void {
  const nibble = v128.load(nibbles);
  const step = v128.load32_splat(tables);
  const base = v128.load32_splat(tables, 4);
  const bytes = width << 3;
  for (let at = 0; at < count; at += 32, codes += bytes) {
    // Sums of four numbers fit into a byte, two bytes lie in 16 bits: all of them, and the upper ones alone.
    let low = i16x8.splat(0);
    let lowOdd = i16x8.splat(0);
    let high = i16x8.splat(0);
    let highOdd = i16x8.splat(0);
    let table = tables + 16;
    for (let code = codes, end = codes + bytes; code < end; code += 64, table += 64) {
      const c0 = v128.load(code);
      const c1 = v128.load(code, 16);
      const c2 = v128.load(code, 32);
      const c3 = v128.load(code, 48);
      const t0 = v128.load(table);
      const t1 = v128.load(table, 16);
      const t2 = v128.load(table, 32);
      const t3 = v128.load(table, 48);
      const below = i8x16.add(
        i8x16.add(lookUp(t0, v128.and(c0, nibble)), lookUp(t1, v128.and(c1, nibble))),
        i8x16.add(lookUp(t2, v128.and(c2, nibble)), lookUp(t3, v128.and(c3, nibble))),
      );
      const above = i8x16.add(
        i8x16.add(lookUp(t0, v128.and(i16x8.shr_u(c0, 4), nibble)), lookUp(t1, v128.and(i16x8.shr_u(c1, 4), nibble))),
        i8x16.add(lookUp(t2, v128.and(i16x8.shr_u(c2, 4), nibble)), lookUp(t3, v128.and(i16x8.shr_u(c3, 4), nibble))),
      );
      low = i16x8.add(low, below);
      lowOdd = i16x8.add(lowOdd, i16x8.shr_u(below, 8));
      high = i16x8.add(high, above);
      highOdd = i16x8.add(highOdd, i16x8.shr_u(above, 8));
    }
    const lowEven = i16x8.sub(low, i16x8.shl(lowOdd, 8));
    const highEven = i16x8.sub(high, i16x8.shl(highOdd, 8));
    const rows0 = v128.shuffle<i16>(lowEven, lowOdd, 0, 8, 1, 9, 2, 10, 3, 11);
    const rows8 = v128.shuffle<i16>(lowEven, lowOdd, 4, 12, 5, 13, 6, 14, 7, 15);
    const rows16 = v128.shuffle<i16>(highEven, highOdd, 0, 8, 1, 9, 2, 10, 3, 11);
    const rows24 = v128.shuffle<i16>(highEven, highOdd, 4, 12, 5, 13, 6, 14, 7, 15);
    keep(i32x4.extend_low_i16x8_u(rows0), at, slopes, offsets, mask, first, count, step, base, top);
    keep(i32x4.extend_high_i16x8_u(rows0), at + 4, slopes, offsets, mask, first, count, step, base, top);
    keep(i32x4.extend_low_i16x8_u(rows8), at + 8, slopes, offsets, mask, first, count, step, base, top);
    keep(i32x4.extend_high_i16x8_u(rows8), at + 12, slopes, offsets, mask, first, count, step, base, top);
    keep(i32x4.extend_low_i16x8_u(rows16), at + 16, slopes, offsets, mask, first, count, step, base, top);
    keep(i32x4.extend_high_i16x8_u(rows16), at + 20, slopes, offsets, mask, first, count, step, base, top);
    keep(i32x4.extend_low_i16x8_u(rows24), at + 24, slopes, offsets, mask, first, count, step, base, top);
    keep(i32x4.extend_high_i16x8_u(rows24), at + 28, slopes, offsets, mask, first, count, step, base, top);
  }
}
