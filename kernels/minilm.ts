/*
 * The arithmetic of a small BERT, compiled by AssemblyScript to WebAssembly with SIMD. All arguments are addresses in the
 * module's memory, which the caller lays out; matrices are row-major, activations float32, and every `rows` is a multiple
 * of 4 (rows beyond the text are computed and not used).
 *
 * Weights are int8 with a scale for each output. Activations are quantised to 0..127 with a scale and a zero point for
 * each row: seven bits, because the relaxed dot products are the same on every processor only for those. Sums of eight
 * products are kept in 16 bits: the export scales each output's weights so that they fit (scripts/export-model/quantise.py).
 */

// `FUSED_DOT` (0 or 1) comes from the build: whether to use the dot product that adds to 32 bits.

@inline
function splat(value: f32): v128 {
  return f32x4.splat(value);
}

/** 1.5·2^23: added to a small float, it leaves the nearest integer in the low bits. */
const rounding: f32 = 12582912;

/** `sum + a * b`. */
@inline
function madd(a: v128, b: v128, sum: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return f32x4.relaxed_madd(a, b, sum);
  return f32x4.add(f32x4.mul(a, b), sum);
}

/** In each 16-bit lane the sum of two products of bytes: `weights` signed, `activations` 0..127. */
@inline
function pairs(weights: v128, activations: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return i16x8.relaxed_dot_i8x16_i7x16_s(weights, activations);
  const low = i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(weights), i16x8.extend_low_i8x16_s(activations));
  const high = i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(weights), i16x8.extend_high_i8x16_s(activations));
  return i16x8.narrow_i32x4_s(low, high);
}

/** Adds to each 32-bit lane of `sum` the products of four bytes from each of four pairs of vectors. */
@inline
function dot(w0: v128, w1: v128, w2: v128, w3: v128, a0: v128, a1: v128, a2: v128, a3: v128, sum: v128): v128 {
  // One instruction each on ARM, many on most x86 processors.
  if (ASC_FEATURE_RELAXED_SIMD && FUSED_DOT) {
    sum = i32x4.relaxed_dot_i8x16_i7x16_add_s(w0, a0, sum);
    sum = i32x4.relaxed_dot_i8x16_i7x16_add_s(w1, a1, sum);
    sum = i32x4.relaxed_dot_i8x16_i7x16_add_s(w2, a2, sum);
    return i32x4.relaxed_dot_i8x16_i7x16_add_s(w3, a3, sum);
  }
  const short = i16x8.add(i16x8.add(pairs(w0, a0), pairs(w1, a1)), i16x8.add(pairs(w2, a2), pairs(w3, a3)));
  return i32x4.add(i32x4.extadd_pairwise_i16x8_s(short), sum);
}

@inline
function sumOf(v: v128): f32 {
  return (
    f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1) + (f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3))
  );
}

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
    let sum = 0;
    for (let input = 0; input < inputs; input += 1) sum += load<i8>(source + output * inputs + input);
    store<i32>(sums + output * 4, sum);
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

@inline
function toInteger(value: usize, factor: usize, inverse: v128, shift: v128): v128 {
  const scaled = f32x4.mul(f32x4.mul(v128.load(value), v128.load(factor)), inverse);
  return i32x4.sub(f32x4.add(scaled, shift), i32x4.splat(0x4b400000));
}

/**
 * Multiplies each row by `factors` and quantises it to 0..127. `rowScales` (float32) and `zeros` (int32) get what `linear`
 * needs to undo it: value ≈ (byte − zero) · scale.
 */
export function quantise(x: usize, factors: usize, output: usize, rowScales: usize, zeros: usize, rows: i32, width: i32): void {
  for (let row = 0; row < rows; row += 1) {
    const from = x + row * width * 4;
    let low = splat(0);
    let high = splat(0);
    for (let at = 0; at < width * 4; at += 16) {
      const value = f32x4.mul(v128.load(from + at), v128.load(factors + at));
      low = f32x4.pmin(low, value);
      high = f32x4.pmax(high, value);
    }
    const least = min(
      min(f32x4.extract_lane(low, 0), f32x4.extract_lane(low, 1)),
      min(f32x4.extract_lane(low, 2), f32x4.extract_lane(low, 3)),
    );
    const most = max(
      max(f32x4.extract_lane(high, 0), f32x4.extract_lane(high, 1)),
      max(f32x4.extract_lane(high, 2), f32x4.extract_lane(high, 3)),
    );
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
      const a = toInteger(here, factor, inverse, shift);
      const b = toInteger(here + 16, factor + 16, inverse, shift);
      const c = toInteger(here + 32, factor + 32, inverse, shift);
      const d = toInteger(here + 48, factor + 48, inverse, shift);
      const bytes = i8x16.narrow_i16x8_u(i16x8.narrow_i32x4_s(a, b), i16x8.narrow_i32x4_s(c, d));
      v128.store(to + at, i8x16.min_u(bytes, i8x16.splat(127)));
    }
  }
}

@inline
function finish(sum: v128, zero: i32, rowScale: f32, sums: v128, scale: v128, bias: v128): v128 {
  const exact = i32x4.sub(sum, i32x4.mul(i32x4.splat(zero), sums));
  return f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(exact), f32x4.mul(splat(rowScale), scale)), bias);
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
  for (let output = 0; output < outputs; output += 8) {
    const panel = weights + output * inputs;
    const sumsLow = v128.load(sums + output * 4);
    const sumsHigh = v128.load(sums + output * 4, 16);
    const scaleLow = v128.load(scales + output * 4);
    const scaleHigh = v128.load(scales + output * 4, 16);
    const biasLow = v128.load(bias + output * 4);
    const biasHigh = v128.load(bias + output * 4, 16);
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
      for (let end = x0 + inputs; x0 < end; x0 += 16, x1 += 16, x2 += 16, x3 += 16, w += 128) {
        const low0 = v128.load(w);
        const high0 = v128.load(w, 16);
        const low1 = v128.load(w, 32);
        const high1 = v128.load(w, 48);
        const low2 = v128.load(w, 64);
        const high2 = v128.load(w, 80);
        const low3 = v128.load(w, 96);
        const high3 = v128.load(w, 112);
        const e0 = v128.load32_splat(x0);
        const e1 = v128.load32_splat(x0, 4);
        const e2 = v128.load32_splat(x0, 8);
        const e3 = v128.load32_splat(x0, 12);
        a0 = dot(low0, low1, low2, low3, e0, e1, e2, e3, a0);
        b0 = dot(high0, high1, high2, high3, e0, e1, e2, e3, b0);
        const f0 = v128.load32_splat(x1);
        const f1 = v128.load32_splat(x1, 4);
        const f2 = v128.load32_splat(x1, 8);
        const f3 = v128.load32_splat(x1, 12);
        a1 = dot(low0, low1, low2, low3, f0, f1, f2, f3, a1);
        b1 = dot(high0, high1, high2, high3, f0, f1, f2, f3, b1);
        const g0 = v128.load32_splat(x2);
        const g1 = v128.load32_splat(x2, 4);
        const g2 = v128.load32_splat(x2, 8);
        const g3 = v128.load32_splat(x2, 12);
        a2 = dot(low0, low1, low2, low3, g0, g1, g2, g3, a2);
        b2 = dot(high0, high1, high2, high3, g0, g1, g2, g3, b2);
        const h0 = v128.load32_splat(x3);
        const h1 = v128.load32_splat(x3, 4);
        const h2 = v128.load32_splat(x3, 8);
        const h3 = v128.load32_splat(x3, 12);
        a3 = dot(low0, low1, low2, low3, h0, h1, h2, h3, a3);
        b3 = dot(high0, high1, high2, high3, h0, h1, h2, h3, b3);
      }
      const zero = zeros + row * 4;
      const rowScale = rowScales + row * 4;
      let to = y + (row * outputs + output) * 4;
      v128.store(to, finish(a0, load<i32>(zero), load<f32>(rowScale), sumsLow, scaleLow, biasLow));
      v128.store(to, finish(b0, load<i32>(zero), load<f32>(rowScale), sumsHigh, scaleHigh, biasHigh), 16);
      to += outputs * 4;
      v128.store(to, finish(a1, load<i32>(zero, 4), load<f32>(rowScale, 4), sumsLow, scaleLow, biasLow));
      v128.store(to, finish(b1, load<i32>(zero, 4), load<f32>(rowScale, 4), sumsHigh, scaleHigh, biasHigh), 16);
      to += outputs * 4;
      v128.store(to, finish(a2, load<i32>(zero, 8), load<f32>(rowScale, 8), sumsLow, scaleLow, biasLow));
      v128.store(to, finish(b2, load<i32>(zero, 8), load<f32>(rowScale, 8), sumsHigh, scaleHigh, biasHigh), 16);
      to += outputs * 4;
      v128.store(to, finish(a3, load<i32>(zero, 12), load<f32>(rowScale, 12), sumsLow, scaleLow, biasLow));
      v128.store(to, finish(b3, load<i32>(zero, 12), load<f32>(rowScale, 12), sumsHigh, scaleHigh, biasHigh), 16);
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
    for (let offset: usize = 0; offset < 1536; offset += 16) {
      const value = f32x4.mul(f32x4.sub(v128.load(at + offset), mean), inverse);
      v128.store(at + offset, f32x4.add(f32x4.mul(value, v128.load(weight + offset)), v128.load(bias + offset)));
    }
  }
}

/** x = gelu(x), exact but for 0.00005: x · (½ + x · P(x²)), P fitted to the normal distribution on |x| ≤ 4.4. */
export function gelu(x: usize, count: i32): void {
  const limit = splat(4.4);
  const least = splat(-4.4);
  for (const end = x + count * 4; x < end; x += 16) {
    const value = v128.load(x);
    const near = f32x4.pmin(f32x4.pmax(value, least), limit);
    const square = f32x4.mul(near, near);
    let p = madd(splat(3.5724114638702176e-11), square, splat(-3.756443156532896e-09));
    p = madd(p, square, splat(1.7416419950677664e-07));
    p = madd(p, square, splat(-4.726276529254392e-06));
    p = madd(p, square, splat(8.430737216258422e-05));
    p = madd(p, square, splat(-0.001055076951161027));
    p = madd(p, square, splat(0.009643299505114555));
    p = madd(p, square, splat(-0.0660768449306488));
    p = madd(p, square, splat(0.3987618088722229));
    v128.store(x, f32x4.mul(value, madd(near, p, splat(0.5))));
  }
}

/** e^x for x ≤ 0, to 0.000003 of its size. */
@inline
function exp(x: v128): v128 {
  const power = f32x4.pmax(f32x4.mul(x, splat(1.4426950408889634)), splat(-120));
  const shifted = f32x4.add(power, splat(rounding));
  const part = f32x4.sub(power, f32x4.sub(shifted, splat(rounding)));
  let p = madd(splat(0.009570091962814331), part, splat(0.05591786280274391));
  p = madd(p, part, splat(0.2402474582195282));
  p = madd(p, part, splat(0.6931217908859253));
  p = madd(p, part, splat(0.9999992847442627));
  return i32x4.add(p, i32x4.shl(shifted, 23));
}

/** Softmax over the first `count` of `columns` values, the rest becomes 0; `columns` is a multiple of 8. */
@inline
function softmaxRow(at: usize, count: i32, columns: i32): void {
  const end = at + columns * 4;
  for (let column = at + count * 4; column < end; column += 4) store<f32>(column, -1e30);
  let high = v128.load(at);
  for (let column = at; column < end; column += 16) high = f32x4.pmax(high, v128.load(column));
  const most = splat(
    max(
      max(f32x4.extract_lane(high, 0), f32x4.extract_lane(high, 1)),
      max(f32x4.extract_lane(high, 2), f32x4.extract_lane(high, 3)),
    ),
  );
  let sum = splat(0);
  for (let column = at; column < end; column += 16) {
    const odds = exp(f32x4.sub(v128.load(column), most));
    v128.store(column, odds);
    sum = f32x4.add(sum, odds);
  }
  const inverse = splat(1 / sumOf(sum));
  for (let column = at; column < end; column += 16) v128.store(column, f32x4.mul(v128.load(column), inverse));
}

export function softmax(x: usize, rows: i32, count: i32, columns: i32): void {
  for (let row = 0; row < rows; row += 1) softmaxRow(x + row * columns * 4, count, columns);
}

/**
 * Self-attention of 12 heads, 32 wide, over `count` tokens. `qkv` holds queries (scaled already), keys and values in rows of
 * 1152; `output` gets rows of 384. `room` is for one head: (64 + 4) · 4 bytes for each of `count` tokens, rounded up to 8.
 */
export function attend(qkv: usize, room: usize, output: usize, count: i32, rows: i32): void {
  const columns = (count + 7) & ~7;
  const stride = columns * 4;
  const keys = room;
  const values = keys + stride * 32;
  const scores = values + stride * 32;
  for (let head = 0; head < 12; head += 1) {
    const from = qkv + head * 128;
    memory.fill(room, 0, stride * 64);
    for (let token = 0; token < count; token += 1) {
      const key = from + token * 4608 + 1536;
      for (let d = 0; d < 32; d += 1) store<f32>(keys + d * stride + token * 4, load<f32>(key + d * 4));
      memory.copy(values + token * 128, key + 1536, 128);
    }
    for (let row = 0; row < rows; row += 4) {
      scoresOf(from + row * 4608, keys, scores, stride);
      softmax(scores, 4, count, columns);
      mix(scores, values, output + row * 1536 + head * 128, columns);
    }
  }
}

/** Four queries times all keys. */
function scoresOf(query: usize, keys: usize, scores: usize, stride: usize): void {
  for (let column: usize = 0; column < stride; column += 32) {
    let a0 = splat(0);
    let b0 = splat(0);
    let a1 = splat(0);
    let b1 = splat(0);
    let a2 = splat(0);
    let b2 = splat(0);
    let a3 = splat(0);
    let b3 = splat(0);
    let key = keys + column;
    for (let q = query, end = query + 128; q < end; q += 4, key += stride) {
      const low = v128.load(key);
      const high = v128.load(key, 16);
      const v0 = v128.load32_splat(q);
      a0 = madd(low, v0, a0);
      b0 = madd(high, v0, b0);
      const v1 = v128.load32_splat(q, 4608);
      a1 = madd(low, v1, a1);
      b1 = madd(high, v1, b1);
      const v2 = v128.load32_splat(q, 9216);
      a2 = madd(low, v2, a2);
      b2 = madd(high, v2, b2);
      const v3 = v128.load32_splat(q, 13824);
      a3 = madd(low, v3, a3);
      b3 = madd(high, v3, b3);
    }
    let to = scores + column;
    v128.store(to, a0);
    v128.store(to, b0, 16);
    to += stride;
    v128.store(to, a1);
    v128.store(to, b1, 16);
    to += stride;
    v128.store(to, a2);
    v128.store(to, b2, 16);
    to += stride;
    v128.store(to, a3);
    v128.store(to, b3, 16);
  }
}

/** Four rows of weights times the values of one head. */
function mix(weights: usize, values: usize, output: usize, columns: i32): void {
  const stride = columns * 4;
  for (let part: usize = 0; part < 128; part += 32) {
    let a0 = splat(0);
    let b0 = splat(0);
    let a1 = splat(0);
    let b1 = splat(0);
    let a2 = splat(0);
    let b2 = splat(0);
    let a3 = splat(0);
    let b3 = splat(0);
    let value = values + part;
    let w0 = weights;
    let w1 = w0 + stride;
    let w2 = w1 + stride;
    let w3 = w2 + stride;
    for (let end = w0 + stride; w0 < end; w0 += 4, w1 += 4, w2 += 4, w3 += 4, value += 128) {
      const low = v128.load(value);
      const high = v128.load(value, 16);
      const v0 = v128.load32_splat(w0);
      a0 = madd(low, v0, a0);
      b0 = madd(high, v0, b0);
      const v1 = v128.load32_splat(w1);
      a1 = madd(low, v1, a1);
      b1 = madd(high, v1, b1);
      const v2 = v128.load32_splat(w2);
      a2 = madd(low, v2, a2);
      b2 = madd(high, v2, b2);
      const v3 = v128.load32_splat(w3);
      a3 = madd(low, v3, a3);
      b3 = madd(high, v3, b3);
    }
    const to = output + part;
    v128.store(to, a0);
    v128.store(to, b0, 16);
    v128.store(to, a1, 1536);
    v128.store(to, b1, 1552);
    v128.store(to, a2, 3072);
    v128.store(to, b2, 3088);
    v128.store(to, a3, 4608);
    v128.store(to, b3, 4624);
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
