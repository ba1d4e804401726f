import { dot2, largestLane, madd, ones, roundingAt, splat } from './simd';

/** Coefficients of 2^x on |x| ≤ ½, the highest power first; then the smallest x that matters. */
const powerTerms = memory.data<f32>([0.055088683807489366, 0.24260405145947544, 0.6932762416819658, 0.9999289403695127, -100], 16);

/** 2^x for −120 ≤ x ≤ 127, to 0.0001 of its size. */
@inline
function power(x: v128, round: v128, p3: v128, p2: v128, p1: v128, p0: v128): v128 {
  const shifted = f32x4.add(x, round);
  const part = f32x4.sub(x, f32x4.sub(shifted, round));
  const p = madd(madd(madd(p3, part, p2), part, p1), part, p0);
  return i32x4.add(p, i32x4.shl(shifted, 23));
}

/** The largest magnitude of 32 numbers. */
@inline
function largest(at: usize): f32 {
  let most = splat(0);
  for (let offset: usize = 0; offset < 128; offset += 16) most = f32x4.pmax(most, f32x4.abs(v128.load(at + offset)));
  return largestLane(most);
}

/** Sixteen numbers as bytes, of −63..63. */
@inline
function sixteen(at: usize, inverse: v128, round: v128): v128 {
  return i8x16.narrow_i16x8_s(
    i16x8.narrow_i32x4_s(toNearest(at, inverse, round), toNearest(at + 16, inverse, round)),
    i16x8.narrow_i32x4_s(toNearest(at + 32, inverse, round), toNearest(at + 48, inverse, round)),
  );
}

@inline
function toNearest(at: usize, inverse: v128, round: v128): v128 {
  return i32x4.sub(f32x4.add(f32x4.mul(v128.load(at), inverse), round), round);
}

/** In attention both sides are quantised to seven bits, so that two products of pairs fit into 16 bits: 4 · 63 · 127 < 2^15. */
const levels: f32 = 63;

/**
 * Self-attention of 12 heads, 32 wide, over `count` tokens. `qkv` holds queries (scaled already), keys and values in rows of
 * 1152; `output` gets rows of 384. `room` is for one head: 80 bytes for each of `count` tokens, rounded up to 8, and 256 more.
 */
export function attend(qkv: usize, room: usize, output: usize, count: i32, rows: i32): void {
  const columns = (count + 7) & ~7;
  const keys = room;
  const values = keys + columns * 32;
  const starts = values + columns * 32;
  const keyScales = starts + columns * 4;
  const scores = keyScales + columns * 4;
  const odds = scores + columns * 4;
  const query = odds + columns * 2;
  const valueScales = query + 32;
  const totals = valueScales + 128;
  for (let head = 0; head < 12; head += 1) {
    const from = qkv + head * 128;
    quantiseKeys(from + 1536, keys, starts, keyScales, count, columns);
    quantiseValues(from + 3072, values, valueScales, count, columns);
    for (let row = 0; row < rows; row += 2) {
      for (let half = 0; half < 2; half += 1) {
        const most = score(from + (row + half) * 4608, query, keys, starts, keyScales, scores, columns);
        weigh(scores, most, odds + half * columns, totals + half * 4, columns);
      }
      mix(odds, totals, values, valueScales, output + row * 1536 + head * 128, columns);
    }
  }
}

/** Keys as `score` reads them: for eight tokens together, four of the 32 numbers of each in turn; a scale for each token. */
function quantiseKeys(from: usize, keys: usize, starts: usize, scales: usize, count: i32, columns: i32): void {
  const round = v128.load32_splat(roundingAt);
  for (let token = 0; token < columns; token += 1) {
    const to = keys + (token >> 3) * 256 + (token & 7) * 4;
    if (token >= count) {
      for (let part: usize = 0; part < 256; part += 32) store<i32>(to + part, 0);
      // Their odds become 0.
      store<i32>(starts + token * 4, -1000000000);
      store<f32>(scales + token * 4, 1e20);
      continue;
    }
    const key = from + token * 4608;
    const scale = max<f32>(largest(key) / levels, 1e-9);
    const inverse = splat(1 / scale);
    const low = sixteen(key, inverse, round);
    const high = sixteen(key + 64, inverse, round);
    v128.store_lane<i32>(to, low, 0);
    v128.store_lane<i32>(to, low, 1, 32);
    v128.store_lane<i32>(to, low, 2, 64);
    v128.store_lane<i32>(to, low, 3, 96);
    v128.store_lane<i32>(to, high, 0, 128);
    v128.store_lane<i32>(to, high, 1, 160);
    v128.store_lane<i32>(to, high, 2, 192);
    v128.store_lane<i32>(to, high, 3, 224);
    const sums = i32x4.extadd_pairwise_i16x8_s(
      i16x8.add(i16x8.extadd_pairwise_i8x16_s(low), i16x8.extadd_pairwise_i8x16_s(high)),
    );
    const sum =
      i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1) + i32x4.extract_lane(sums, 2) + i32x4.extract_lane(sums, 3);
    // Queries are stored 64 too high.
    store<i32>(starts + token * 4, -64 * sum);
    store<f32>(scales + token * 4, scale);
  }
}

/** Values as `mix` reads them: four tokens together, one byte of each in turn; a scale for each of the 32 numbers. */
function quantiseValues(from: usize, values: usize, scales: usize, count: i32, columns: i32): void {
  const round = v128.load32_splat(roundingAt);
  for (let part: usize = 0; part < 128; part += 16) {
    let most = splat(1e-9);
    for (let token = 0; token < count; token += 1) {
      most = f32x4.pmax(most, f32x4.abs(v128.load(from + part + token * 4608)));
    }
    const scale = f32x4.div(most, splat(levels));
    const inverse = f32x4.div(splat(1), scale);
    v128.store(scales + part, scale);
    for (let token = 0; token < columns; token += 4) {
      let bytes = i32x4.splat(0);
      for (let at = min(token + 3, count - 1); at >= token; at -= 1) {
        const byte = v128.and(toNearest(from + part + at * 4608, inverse, round), i32x4.splat(255));
        bytes = v128.or(bytes, i32x4.shl(byte, (at - token) * 8));
      }
      v128.store(values + token * 32 + part, bytes);
    }
  }
}

/** A query times all keys, as powers of two; returns the largest. */
function score(query: usize, bytes: usize, keys: usize, starts: usize, keyScales: usize, scores: usize, columns: i32): f32 {
  const round = v128.load32_splat(roundingAt);
  const step = max<f32>(largest(query) / levels, 1e-9);
  const inverse = splat(1 / step);
  v128.store(bytes, i8x16.add(sixteen(query, inverse, round), i8x16.splat(64)));
  v128.store(bytes, i8x16.add(sixteen(query + 64, inverse, round), i8x16.splat(64)), 16);
  const scale = splat(step * 1.4426950408889634);
  const one = v128.load(ones);
  const q0 = v128.load32_splat(bytes);
  const q1 = v128.load32_splat(bytes, 4);
  const q2 = v128.load32_splat(bytes, 8);
  const q3 = v128.load32_splat(bytes, 12);
  const q4 = v128.load32_splat(bytes, 16);
  const q5 = v128.load32_splat(bytes, 20);
  const q6 = v128.load32_splat(bytes, 24);
  const q7 = v128.load32_splat(bytes, 28);
  let mostLow = splat(-1e30);
  let mostHigh = splat(-1e30);
  for (let at: usize = 0, end: usize = columns * 4; at < end; at += 32, keys += 256) {
    let low = v128.load(starts + at);
    let high = v128.load(starts + at, 16);
    low = dot2(v128.load(keys), v128.load(keys, 32), q0, q1, one, low);
    high = dot2(v128.load(keys, 16), v128.load(keys, 48), q0, q1, one, high);
    low = dot2(v128.load(keys, 64), v128.load(keys, 96), q2, q3, one, low);
    high = dot2(v128.load(keys, 80), v128.load(keys, 112), q2, q3, one, high);
    low = dot2(v128.load(keys, 128), v128.load(keys, 160), q4, q5, one, low);
    high = dot2(v128.load(keys, 144), v128.load(keys, 176), q4, q5, one, high);
    low = dot2(v128.load(keys, 192), v128.load(keys, 224), q6, q7, one, low);
    high = dot2(v128.load(keys, 208), v128.load(keys, 240), q6, q7, one, high);
    const x = f32x4.mul(f32x4.mul(f32x4.convert_i32x4_s(low), v128.load(keyScales + at)), scale);
    const y = f32x4.mul(f32x4.mul(f32x4.convert_i32x4_s(high), v128.load(keyScales + at, 16)), scale);
    v128.store(scores + at, x);
    v128.store(scores + at, y, 16);
    mostLow = f32x4.pmax(mostLow, x);
    mostHigh = f32x4.pmax(mostHigh, y);
  }
  return largestLane(f32x4.pmax(mostLow, mostHigh));
}

/** 2^score relative to the largest, in 127ths, as bytes; `total` gets their sum. */
function weigh(scores: usize, most: f32, odds: usize, total: usize, columns: i32): void {
  const high = splat(most - 6.9886846867721655);
  const least = v128.load32_splat(powerTerms, 16);
  const round = v128.load32_splat(roundingAt);
  const p3 = v128.load32_splat(powerTerms);
  const p2 = v128.load32_splat(powerTerms, 4);
  const p1 = v128.load32_splat(powerTerms, 8);
  const p0 = v128.load32_splat(powerTerms, 12);
  let sum = i32x4.splat(0);
  for (const end = scores + columns * 4; scores < end; scores += 32, odds += 8) {
    const x = power(f32x4.pmax(f32x4.sub(v128.load(scores), high), least), round, p3, p2, p1, p0);
    const y = power(f32x4.pmax(f32x4.sub(v128.load(scores, 16), high), least), round, p3, p2, p1, p0);
    const p = i32x4.sub(f32x4.add(x, round), round);
    const q = i32x4.sub(f32x4.add(y, round), round);
    sum = i32x4.add(sum, i32x4.add(p, q));
    const short = i16x8.narrow_i32x4_s(p, q);
    v128.store_lane<i64>(odds, i8x16.narrow_i16x8_u(short, short), 0);
  }
  const all =
    i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + i32x4.extract_lane(sum, 2) + i32x4.extract_lane(sum, 3);
  store<f32>(total, 1 / f32(all));
}

/** Two rows of odds times the values of one head. */
function mix(odds: usize, totals: usize, values: usize, scales: usize, output: usize, columns: i32): void {
  const share0 = splat(load<f32>(totals));
  const share1 = splat(load<f32>(totals, 4));
  const one = v128.load(ones);
  for (let part: usize = 0; part < 128; part += 32) {
    let a0 = i32x4.splat(0);
    let b0 = i32x4.splat(0);
    let a1 = i32x4.splat(0);
    let b1 = i32x4.splat(0);
    let value = values + part;
    let p = odds;
    for (const end = odds + columns; p < end; p += 8, value += 256) {
      const low0 = v128.load(value);
      const low1 = v128.load(value, 128);
      const e0 = v128.load32_splat(p);
      const e1 = v128.load32_splat(p, 4);
      a0 = dot2(low0, low1, e0, e1, one, a0);
      const high0 = v128.load(value, 16);
      const high1 = v128.load(value, 144);
      b0 = dot2(high0, high1, e0, e1, one, b0);
      const f0 = v128.load32_splat(p + columns);
      const f1 = v128.load32_splat(p + columns, 4);
      a1 = dot2(low0, low1, f0, f1, one, a1);
      b1 = dot2(high0, high1, f0, f1, one, b1);
    }
    const low = v128.load(scales + part);
    const high = v128.load(scales + part, 16);
    const to = output + part;
    v128.store(to, f32x4.mul(f32x4.mul(f32x4.convert_i32x4_s(a0), low), share0));
    v128.store(to, f32x4.mul(f32x4.mul(f32x4.convert_i32x4_s(b0), high), share0), 16);
    v128.store(to, f32x4.mul(f32x4.mul(f32x4.convert_i32x4_s(a1), low), share1), 1536);
    v128.store(to, f32x4.mul(f32x4.mul(f32x4.convert_i32x4_s(b1), high), share1), 1552);
  }
}
