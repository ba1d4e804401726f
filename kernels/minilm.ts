/*
 * The arithmetic of a small BERT, compiled by AssemblyScript to WebAssembly with SIMD. All arguments are addresses in the
 * module's memory, which the caller lays out; matrices are row-major, activations float32, and every `rows` is a multiple
 * of 4 (rows beyond the text are computed and not used).
 *
 * Weights are int8 with a scale for each output. Activations are quantised to 0..127 with a scale and a zero point for
 * each row: seven bits, because the relaxed dot products are the same on every processor only for those. Sums of eight
 * products are kept in 16 bits: the export scales each output's weights so that they fit (scripts/export-model/quantise.py).
 *
 * Neighbouring values are computed by two chains of the same instructions, which end in two stores 16 bytes apart with nothing between
 * them. V8 can combine such chains into one of 256-bit instructions (`useWideInstructions` in kernel.ts); a test says for
 * which functions it does.
 */

import { dot4, largestLane, madd, ones, rounding, roundingAt, splat, sumOf } from './simd';

export { attend } from './attention';

/**
 * Packs int8 weights (`outputs` × `inputs`, multiples of 8 and 16) as `linear` reads them: for eight outputs together,
 * four inputs of each in turn. Writes each output's sum of weights to `sums` (int32).
 */
export function pack(source: usize, target: usize, sums: usize, outputs: i32, inputs: i32): void {
  for (let first = 0; first < outputs; first += 8) {
    for (let input = 0; input < inputs; input += 4) {
      for (let output = 0; output < 8; output += 1) {
        store<i32>(target, load<i32>(source + (first + output) * inputs + input));
        target += 4;
      }
    }
  }
  for (let output = 0; output < outputs; output += 1) {
    // The model waits for this: it runs before the engine has optimised anything.
    let sum = i32x4.splat(0);
    for (let input = 0; input < inputs; input += 16) {
      const pairs = i16x8.extadd_pairwise_i8x16_s(v128.load(source + output * inputs + input));
      sum = i32x4.add(sum, i32x4.extadd_pairwise_i16x8_s(pairs));
    }
    const lanes = i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + i32x4.extract_lane(sum, 2) + i32x4.extract_lane(sum, 3);
    store<i32>(sums + output * 4, lanes);
  }
}

/** Word vectors (int8, one float scale each) of `count` int32 ids plus position vectors, 384 wide. */
export function embed(ids: usize, words: usize, scales: usize, positions: usize, output: usize, count: i32): void {
  for (let row = 0; row < count; row += 1) {
    const id = load<i32>(ids + row * 4);
    const scale = splat(load<f32>(scales + id * 4));
    const word = words + id * 384;
    for (let column = 0; column < 384; column += 4) {
      const value = f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(i16x8.extend_low_i8x16_s(v128.load32_zero(word + column))));
      const at = (row * 384 + column) * 4;
      v128.store(output + at, f32x4.add(f32x4.mul(value, scale), v128.load(positions + at)));
    }
  }
}

const mostByte = memory.data<u8>([127, 127, 127, 127], 16);

@inline
function toInteger(value: usize, factor: usize, inverse: v128, shift: v128, round: v128): v128 {
  const scaled = f32x4.mul(f32x4.mul(v128.load(value), v128.load(factor)), inverse);
  return i32x4.sub(f32x4.add(scaled, shift), round);
}

/**
 * Multiplies each row by `factors` and quantises it to 0..127. `rowScales` (float32) and `zeros` (int32) get what `linear`
 * needs to undo it: value ≈ (byte − zero) · scale.
 */
export function quantise(x: usize, factors: usize, output: usize, rowScales: usize, zeros: usize, rows: i32, width: i32): void {
  const round = v128.load32_splat(roundingAt);
  const limit = v128.load32_splat(mostByte);
  for (let row = 0; row < rows; row += 1) {
    const from = x + row * width * 4;
    let low = splat(0);
    let high = splat(0);
    for (let at = 0; at < width * 4; at += 16) {
      const value = f32x4.mul(v128.load(from + at), v128.load(factors + at));
      low = f32x4.pmin(low, value);
      high = f32x4.pmax(high, value);
    }
    const least = -largestLane(f32x4.neg(low));
    const most = largestLane(high);
    const scale = max<f32>((most - least) / 127, 1e-30);
    const zero = nearest(-least / scale);
    store<f32>(rowScales + row * 4, scale);
    store<i32>(zeros + row * 4, i32(zero));
    const inverse = splat(1 / scale);
    const shift = splat(rounding + zero);
    const to = output + row * width;
    for (let at = 0; at < width; at += 16) {
      const here = from + at * 4;
      const factor = factors + at * 4;
      const a = toInteger(here, factor, inverse, shift, round);
      const b = toInteger(here + 16, factor + 16, inverse, shift, round);
      const c = toInteger(here + 32, factor + 32, inverse, shift, round);
      const d = toInteger(here + 48, factor + 48, inverse, shift, round);
      const bytes = i8x16.narrow_i16x8_u(i16x8.narrow_i32x4_s(a, b), i16x8.narrow_i32x4_s(c, d));
      v128.store(to + at, i8x16.min_u(bytes, limit));
    }
  }
}

@inline
function finish(sum: v128, zero: i32, rowScale: f32, sums: v128, scale: v128, bias: v128): v128 {
  const exact = i32x4.sub(sum, i32x4.mul(i32x4.splat(zero), sums));
  return f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(exact), f32x4.mul(splat(rowScale), scale)), bias);
}

/** Adds to `sum`, four outputs, the products of sixteen inputs. */
@inline
function times(x: usize, w0: v128, w1: v128, w2: v128, w3: v128, one: v128, sum: v128): v128 {
  const x0 = v128.load32_splat(x);
  const x1 = v128.load32_splat(x, 4);
  const x2 = v128.load32_splat(x, 8);
  const x3 = v128.load32_splat(x, 12);
  return dot4(w0, w1, w2, w3, x0, x1, x2, x3, one, sum);
}

/** y = x · weightsᵀ + bias: `x` as `quantise` and `weights` as `pack` left them; `y` has `outputs` columns. */
export function linear(
  x: usize,
  rowScales: usize,
  zeros: usize,
  weights: usize,
  sums: usize,
  scales: usize,
  bias: usize,
  y: usize,
  rows: i32,
  inputs: i32,
  outputs: i32,
): void {
  const one = v128.load(ones);
  for (let output = 0; output < outputs; output += 8) {
    const panel = weights + output * inputs;
    const sumsLow = v128.load(sums + output * 4);
    const sumsHigh = v128.load(sums + output * 4, 16);
    const scaleLow = v128.load(scales + output * 4);
    const scaleHigh = v128.load(scales + output * 4, 16);
    const biasLow = v128.load(bias + output * 4);
    const biasHigh = v128.load(bias + output * 4, 16);
    // With 256 bits four rows by eight outputs are what fits into the sixteen registers of x86; with 128 they are as fast as two.
    for (let row = 0; row < rows; row += 4) {
      let a0 = i32x4.splat(0);
      let b0 = i32x4.splat(0);
      let a1 = i32x4.splat(0);
      let b1 = i32x4.splat(0);
      let a2 = i32x4.splat(0);
      let b2 = i32x4.splat(0);
      let a3 = i32x4.splat(0);
      let b3 = i32x4.splat(0);
      let x0 = x + row * inputs;
      let x1 = x0 + inputs;
      let x2 = x1 + inputs;
      let x3 = x2 + inputs;
      let w = panel;
      for (let end = x1; x0 < end; x0 += 16, x1 += 16, x2 += 16, x3 += 16, w += 128) {
        const low0 = v128.load(w);
        const high0 = v128.load(w, 16);
        const low1 = v128.load(w, 32);
        const high1 = v128.load(w, 48);
        const low2 = v128.load(w, 64);
        const high2 = v128.load(w, 80);
        const low3 = v128.load(w, 96);
        const high3 = v128.load(w, 112);
        a0 = times(x0, low0, low1, low2, low3, one, a0);
        b0 = times(x0, high0, high1, high2, high3, one, b0);
        a1 = times(x1, low0, low1, low2, low3, one, a1);
        b1 = times(x1, high0, high1, high2, high3, one, b1);
        a2 = times(x2, low0, low1, low2, low3, one, a2);
        b2 = times(x2, high0, high1, high2, high3, one, b2);
        a3 = times(x3, low0, low1, low2, low3, one, a3);
        b3 = times(x3, high0, high1, high2, high3, one, b3);
      }
      const zero = zeros + row * 4;
      const rowScale = rowScales + row * 4;
      const zero0 = load<i32>(zero);
      const scale0 = load<f32>(rowScale);
      const zero1 = load<i32>(zero, 4);
      const scale1 = load<f32>(rowScale, 4);
      const zero2 = load<i32>(zero, 8);
      const scale2 = load<f32>(rowScale, 8);
      const zero3 = load<i32>(zero, 12);
      const scale3 = load<f32>(rowScale, 12);
      const to = y + (row * outputs + output) * 4;
      const stride = outputs * 4;
      const c0 = finish(a0, zero0, scale0, sumsLow, scaleLow, biasLow);
      const d0 = finish(b0, zero0, scale0, sumsHigh, scaleHigh, biasHigh);
      v128.store(to, c0);
      v128.store(to, d0, 16);
      const c1 = finish(a1, zero1, scale1, sumsLow, scaleLow, biasLow);
      const d1 = finish(b1, zero1, scale1, sumsHigh, scaleHigh, biasHigh);
      v128.store(to + stride, c1);
      v128.store(to + stride, d1, 16);
      const c2 = finish(a2, zero2, scale2, sumsLow, scaleLow, biasLow);
      const d2 = finish(b2, zero2, scale2, sumsHigh, scaleHigh, biasHigh);
      v128.store(to + 2 * stride, c2);
      v128.store(to + 2 * stride, d2, 16);
      const c3 = finish(a3, zero3, scale3, sumsLow, scaleLow, biasLow);
      const d3 = finish(b3, zero3, scale3, sumsHigh, scaleHigh, biasHigh);
      v128.store(to + 3 * stride, c3);
      v128.store(to + 3 * stride, d3, 16);
    }
  }
}

/** x = layerNorm(x + added), 384 wide, epsilon 1e-12. `added` may be 0: nothing is added. */
export function addAndNorm(x: usize, added: usize, weight: usize, bias: usize, rows: i32): void {
  for (let row = 0; row < rows; row += 1) {
    const at = x + row * 1536;
    let sum = splat(0);
    for (let offset: usize = 0; offset < 1536; offset += 16) {
      let value = v128.load(at + offset);
      if (added !== 0) {
        value = f32x4.add(value, v128.load(added + row * 1536 + offset));
        v128.store(at + offset, value);
      }
      sum = f32x4.add(sum, value);
    }
    const mean = splat(sumOf(sum) / 384);
    let squares = splat(0);
    for (let offset: usize = 0; offset < 1536; offset += 16) {
      const value = f32x4.sub(v128.load(at + offset), mean);
      squares = f32x4.add(squares, f32x4.mul(value, value));
    }
    const inverse = splat(1 / sqrt<f32>(sumOf(squares) / 384 + 1e-12));
    for (let offset: usize = 0; offset < 1536; offset += 32) {
      const low = f32x4.mul(f32x4.sub(v128.load(at + offset), mean), inverse);
      const high = f32x4.mul(f32x4.sub(v128.load(at + offset, 16), mean), inverse);
      const y = f32x4.add(f32x4.mul(low, v128.load(weight + offset)), v128.load(bias + offset));
      const z = f32x4.add(f32x4.mul(high, v128.load(weight + offset, 16)), v128.load(bias + offset, 16));
      v128.store(at + offset, y);
      v128.store(at + offset, z, 16);
    }
  }
}

/** P(x²) below, the highest power first. */
const geluTerms = memory.data<f32>(
  [
    3.5724114638702176e-11, -3.756443156532896e-9, 1.7416419950677664e-7, -4.726276529254392e-6, 8.430737216258422e-5,
    -0.001055076951161027, 0.009643299505114555, -0.0660768449306488, 0.3987618088722229, 0.5, 4.4, -4.4,
  ],
  16,
);

@inline
function geluOf(
  value: v128,
  p8: v128,
  p7: v128,
  p6: v128,
  p5: v128,
  p4: v128,
  p3: v128,
  p2: v128,
  p1: v128,
  p0: v128,
  half: v128,
  limit: v128,
  least: v128,
): v128 {
  const near = f32x4.pmin(f32x4.pmax(value, least), limit);
  const square = f32x4.mul(near, near);
  let p = madd(p8, square, p7);
  p = madd(p, square, p6);
  p = madd(p, square, p5);
  p = madd(p, square, p4);
  p = madd(p, square, p3);
  p = madd(p, square, p2);
  p = madd(p, square, p1);
  p = madd(p, square, p0);
  return f32x4.mul(value, madd(near, p, half));
}

/** x = gelu(x), exact but for 0.00005: x · (½ + x · P(x²)), P fitted to the normal distribution on |x| ≤ 4.4. */
export function gelu(x: usize, count: i32): void {
  const p8 = v128.load32_splat(geluTerms);
  const p7 = v128.load32_splat(geluTerms, 4);
  const p6 = v128.load32_splat(geluTerms, 8);
  const p5 = v128.load32_splat(geluTerms, 12);
  const p4 = v128.load32_splat(geluTerms, 16);
  const p3 = v128.load32_splat(geluTerms, 20);
  const p2 = v128.load32_splat(geluTerms, 24);
  const p1 = v128.load32_splat(geluTerms, 28);
  const p0 = v128.load32_splat(geluTerms, 32);
  const half = v128.load32_splat(geluTerms, 36);
  const limit = v128.load32_splat(geluTerms, 40);
  const least = v128.load32_splat(geluTerms, 44);
  for (const end = x + count * 4; x < end; x += 32) {
    const low = geluOf(v128.load(x), p8, p7, p6, p5, p4, p3, p2, p1, p0, half, limit, least);
    const high = geluOf(v128.load(x, 16), p8, p7, p6, p5, p4, p3, p2, p1, p0, half, limit, least);
    v128.store(x, low);
    v128.store(x, high, 16);
  }
}

/** The mean of the first `count` rows of 384, brought to unit length. */
export function pool(x: usize, output: usize, count: i32): void {
  let squares = splat(0);
  for (let column: usize = 0; column < 1536; column += 16) {
    let sum = splat(0);
    for (let row = 0; row < count; row += 1) sum = f32x4.add(sum, v128.load(x + row * 1536 + column));
    v128.store(output + column, sum);
    squares = f32x4.add(squares, f32x4.mul(sum, sum));
  }
  const inverse = splat(1 / max<f32>(sqrt<f32>(sumOf(squares)), 1e-30));
  for (let column: usize = 0; column < 1536; column += 16) {
    v128.store(output + column, f32x4.mul(v128.load(output + column), inverse));
  }
}
