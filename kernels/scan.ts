/*
 * An exact scan over rows of signed bytes, compiled by AssemblyScript to WebAssembly with SIMD. The memory is imported and may be
 * shared: several threads scan it at once, each with a `query` and a `top` of its own, and nothing else is written. All arguments
 * are addresses, which the caller chooses; from 1024 to 2048 there are constants. A row is `width` bytes, a multiple of 16; components are −127..127.
 *
 * `query` is: 16 bytes with eight 16-bit ones; an int32, the sum of the sizes of the query's negative components, in 16 bytes; the
 * query's components, their sizes (0..127), and their signs (0, or −1 for negative ones), `width` bytes each; finally its components
 * once more in 16 bits, small enough that the sum of their products with any row fits into 32.
 * `top` is described in hits.ts.
 */

import { keysAt, filledAt, leastAt, put } from './hits';
import { fusedDot, pairs, widen } from './simd';

export { finish } from './hits';

const turnedAt: usize = 16;
const queryAt: usize = 32;

/**
 * The relaxed products need one side as 7 bits without a sign, but a signed byte has 8. So the query's signs are applied to the row: −x is
 * (x ^ −1) + 1. The ones that this leaves out add up to the same sum for every row.
 */
@inline
function relaxedProducts(row: v128, size: v128, sign: v128, one: v128, sum: v128): v128 {
  const turned = v128.xor(row, sign);
  return FUSED_DOT ? fusedDot(turned, size, sum) : widen(pairs(turned, size), one, sum);
}

@inline
function plainProducts(row: usize, low: v128, high: v128, sum: v128): v128 {
  const first = i32x4.dot_i16x8_s(v128.load8x8_s(row), low);
  return i32x4.add(sum, i32x4.add(first, i32x4.dot_i16x8_s(v128.load8x8_s(row, 8), high)));
}

/** The sums of the lanes of four vectors. */
@inline
function sums(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = i32x4.add(v128.shuffle<i32>(a, b, 0, 1, 4, 5), v128.shuffle<i32>(a, b, 2, 3, 6, 7));
  const cd = i32x4.add(v128.shuffle<i32>(c, d, 0, 1, 4, 5), v128.shuffle<i32>(c, d, 2, 3, 6, 7));
  return i32x4.add(v128.shuffle<i32>(ab, cd, 0, 2, 4, 6), v128.shuffle<i32>(ab, cd, 1, 3, 5, 7));
}

/** The products of four rows with the query. */
@inline
function dots(row: usize, width: usize, query: usize): v128 {
  let a = i32x4.splat(0);
  let b = i32x4.splat(0);
  let c = i32x4.splat(0);
  let d = i32x4.splat(0);
  let q = query + queryAt;
  const end = row + width;
  if (ASC_FEATURE_RELAXED_SIMD) {
    const one = v128.load(query);
    q += width;
    for (; row < end; row += 16, q += 16) {
      const size = v128.load(q);
      const sign = v128.load(q + width);
      a = relaxedProducts(v128.load(row), size, sign, one, a);
      b = relaxedProducts(v128.load(row + width), size, sign, one, b);
      c = relaxedProducts(v128.load(row + 2 * width), size, sign, one, c);
      d = relaxedProducts(v128.load(row + 3 * width), size, sign, one, d);
    }
    return i32x4.add(sums(a, b, c, d), v128.load32_splat(query + turnedAt));
  }
  for (; row < end; row += 16, q += 16) {
    const low = v128.load8x8_s(q);
    const high = v128.load8x8_s(q, 8);
    a = plainProducts(row, low, high, a);
    b = plainProducts(row + width, low, high, b);
    c = plainProducts(row + 2 * width, low, high, c);
    d = plainProducts(row + 3 * width, low, high, d);
  }
  return sums(a, b, c, d);
}

/**
 * Adds to `top` those of `count` rows that are better than what it holds. A row's score is its product with the query times its
 * factor (float32). `mask` has a byte for each row, 0 for those to pass over; `mask` 0 is all of them. Rows are read by fours: up to three
 * behind the last one have to be readable. In `top` the first row is called `first`.
 */
export function scan(rows: usize, factors: usize, mask: usize, first: i32, count: i32, width: usize, query: usize, top: usize): void {
  for (let at = 0; at < count; at += 4) {
    if (mask !== 0 && load<u32>(mask + at) === 0) continue;
    const products = f32x4.convert_i32x4_s(dots(rows + <usize>at * width, width, query));
    const scores = f32x4.mul(products, v128.load(factors + (<usize>at << 2)));
    const better = i32x4.bitmask(f32x4.gt(scores, v128.load32_splat(top + leastAt)));
    if (better === 0) continue;
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
}

@inline
function fineProducts(row: usize, low: v128, high: v128, sum: v128): v128 {
  const bytes = v128.load(row);
  const products = i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(bytes), low);
  return i32x4.add(i32x4.add(sum, products), i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(bytes), high));
}

@inline
function rowOf(found: usize, at: i32): u32 {
  return ~load<u32>(found + keysAt + (<usize>at << 3));
}

@inline
function addressOf(row: u32, blocks: usize, blockBytes: usize, width: usize): usize {
  return blocks + <usize>(row >> 12) * blockBytes + <usize>(row & 4095) * width;
}

@inline
function putFine(top: usize, row: u32, product: i32, blocks: usize, blockBytes: usize, width: usize): void {
  const factors = blocks + <usize>(row >> 12) * blockBytes + 4096 * width;
  const score = <f32>product * load<f32>(factors + (<usize>(row & 4095) << 2));
  if (score > load<f32>(top + leastAt)) put(top, row, score);
}

/**
 * Adds to `top` the rows that are in `found`, another list of hits, by their products with the query in 16 bits. Rows lie in blocks of
 * 4,096, `blockBytes` from one to the next, each followed by its factors.
 */
export function refine(found: usize, blocks: usize, blockBytes: usize, width: usize, query: usize, top: usize): void {
  const count = load<i32>(found + filledAt);
  const fine = query + queryAt + 3 * width;
  // Four at once, because each is waited for; the last row stands in for those that are missing.
  for (let at = 0; at < count; at += 4) {
    const r0 = rowOf(found, at);
    const r1 = rowOf(found, min(at + 1, count - 1));
    const r2 = rowOf(found, min(at + 2, count - 1));
    const r3 = rowOf(found, min(at + 3, count - 1));
    const p0 = addressOf(r0, blocks, blockBytes, width);
    const p1 = addressOf(r1, blocks, blockBytes, width);
    const p2 = addressOf(r2, blocks, blockBytes, width);
    const p3 = addressOf(r3, blocks, blockBytes, width);
    let a = i32x4.splat(0);
    let b = i32x4.splat(0);
    let c = i32x4.splat(0);
    let d = i32x4.splat(0);
    for (let column: usize = 0; column < width; column += 16) {
      const low = v128.load(fine + 2 * column);
      const high = v128.load(fine + 2 * column, 16);
      a = fineProducts(p0 + column, low, high, a);
      b = fineProducts(p1 + column, low, high, b);
      c = fineProducts(p2 + column, low, high, c);
      d = fineProducts(p3 + column, low, high, d);
    }
    const products = sums(a, b, c, d);
    putFine(top, r0, i32x4.extract_lane(products, 0), blocks, blockBytes, width);
    if (at + 1 < count) putFine(top, r1, i32x4.extract_lane(products, 1), blocks, blockBytes, width);
    if (at + 2 < count) putFine(top, r2, i32x4.extract_lane(products, 2), blocks, blockBytes, width);
    if (at + 3 < count) putFine(top, r3, i32x4.extract_lane(products, 3), blocks, blockBytes, width);
  }
}

/** Writes one over the length of each row to `factors`; 0 for a row of zeros. */
export function measure(rows: usize, factors: usize, count: i32, width: usize): void {
  for (let row = 0; row < count; row += 1) {
    let squares = i32x4.splat(0);
    let at = rows + <usize>row * width;
    for (const end = at + width; at < end; at += 8) {
      const bytes = v128.load8x8_s(at);
      squares = i32x4.add(squares, i32x4.dot_i16x8_s(bytes, bytes));
    }
    const sum = i32x4.extract_lane(squares, 0) + i32x4.extract_lane(squares, 1) + (i32x4.extract_lane(squares, 2) + i32x4.extract_lane(squares, 3));
    store<f32>(factors + (<usize>row << 2), sum === 0 ? 0 : <f32>(1 / sqrt<f64>(<f64>sum)));
  }
}
