/* What both halves of the kernel are made of: products of bytes, and constants. */

// `FUSED_DOT` (0 or 1) comes from the build: whether to use the dot product that adds to 32 bits.

@inline
export function splat(value: f32): v128 {
  return f32x4.splat(value);
}

/** 1.5·2^23: added to a small float, it leaves the nearest integer in the low bits. */
export const rounding: f32 = 12582912;
export const roundingAt = memory.data<f32>([12582912], 16);

/** `sum + a * b`. */
@inline
export function madd(a: v128, b: v128, sum: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return f32x4.relaxed_madd(a, b, sum);
  return f32x4.add(f32x4.mul(a, b), sum);
}

/** In each 16-bit lane the sum of two products of bytes: `weights` signed, `activations` 0..127. */
@inline
export function pairs(weights: v128, activations: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return i16x8.relaxed_dot_i8x16_i7x16_s(weights, activations);
  const low = i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(weights), i16x8.extend_low_i8x16_s(activations));
  const high = i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(weights), i16x8.extend_high_i8x16_s(activations));
  return i16x8.narrow_i32x4_s(low, high);
}

/*
 * Constants of loops are kept in memory and loaded before the loop: of a constant vector in the code the engine makes three
 * instructions at every use.
 */

/** Eight 16-bit ones. */
export const ones = memory.data<i16>([1, 1, 1, 1, 1, 1, 1, 1], 16);

@inline
export function fusedDot(weights: v128, activations: v128, sum: v128): v128 {
  return i32x4.relaxed_dot_i8x16_i7x16_add_s(weights, activations, sum);
}

/** Adds to each 32-bit lane of `sum` two neighbouring 16-bit lanes; `one` is what `ones` points to. */
@inline
export function widen(short: v128, one: v128, sum: v128): v128 {
  return i32x4.add(i32x4.dot_i16x8_s(short, one), sum);
}

/** Adds to each 32-bit lane of `sum` the products of four bytes from each of two pairs of vectors. */
@inline
export function dot2(w0: v128, w1: v128, a0: v128, a1: v128, one: v128, sum: v128): v128 {
  // One instruction each on ARM, many on most x86 processors.
  if (ASC_FEATURE_RELAXED_SIMD && FUSED_DOT) return fusedDot(w1, a1, fusedDot(w0, a0, sum));
  return widen(i16x8.add(pairs(w0, a0), pairs(w1, a1)), one, sum);
}

/** The same for four pairs of vectors. */
@inline
export function dot4(w0: v128, w1: v128, w2: v128, w3: v128, a0: v128, a1: v128, a2: v128, a3: v128, one: v128, sum: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD && FUSED_DOT) return dot2(w2, w3, a2, a3, one, dot2(w0, w1, a0, a1, one, sum));
  const short = i16x8.add(i16x8.add(pairs(w0, a0), pairs(w1, a1)), i16x8.add(pairs(w2, a2), pairs(w3, a3)));
  return widen(short, one, sum);
}

@inline
export function sumOf(v: v128): f32 {
  return (
    f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1) + (f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3))
  );
}

/** The largest of four lanes. Without branches, which `max` of two numbers has for the sake of NaN and which nothing predicts. */
@inline
export function largestLane(v: v128): f32 {
  const twos = f32x4.pmax(v, i8x16.shuffle(v, v, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
  return f32x4.extract_lane(f32x4.pmax(twos, i8x16.shuffle(twos, twos, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11)), 0);
}
