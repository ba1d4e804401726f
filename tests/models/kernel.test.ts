import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseKernel, openKernel, type KernelBuild } from '../../src/models/embedding/minilm/kernel.ts';
import { runs } from '../support/vitest/thorough.ts';
import { forAll } from '../support/for-all.ts';

/*
 * Each part of the kernel against the same arithmetic in plain numbers. Memory is laid out by hand: every argument has a
 * quarter of a megabyte to itself.
 */
const builds: KernelBuild[] = ['fused', 'pairs', 'plain'];
const piece = 262_144;
const places = Array.from({ length: 12 }, (_, index) => (index + 1) * piece);
const [A = 0, B = 0, C = 0, D = 0, E = 0, F = 0, G = 0, H = 0, I = 0] = places;

function open(build: KernelBuild) {
  const kernel = openKernel(build);
  kernel.memory.grow((places.length + 1) * (piece / 65_536));
  const { buffer } = kernel.memory;
  return {
    kernel,
    floats: (at: number, count: number) => new Float32Array(buffer, at, count),
    ints: (at: number, count: number) => new Int32Array(buffer, at, count),
    bytes: (at: number, count: number) => new Uint8Array(buffer, at, count),
    signedBytes: (at: number, count: number) => new Int8Array(buffer, at, count),
  };
}

const opened = new Map(builds.map((build) => [build, open(build)]));

/** Numbers that look like a model's: mostly small, some large; the same for the same seed. */
function made(seed: number, count: number, size = 1): Float32Array {
  let state = seed | 1;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state / 2 ** 31;
  };
  return Float32Array.from({ length: count }, () => size * next() * next() * next() * 4);
}

function far(found: ArrayLike<number>, expected: ArrayLike<number>): number {
  let most = 0;
  for (let at = 0; at < expected.length; at += 1) {
    const distance = Math.abs((found[at] ?? Number.NaN) - expected[at]!);
    if (!(distance <= most)) most = distance;
  }
  return most;
}

function erf(x: number): number {
  // The series of Maclaurin, exact enough for |x| ≤ 6 in double precision.
  let [term, sum] = [x, x];
  for (let n = 1; n < 200; n += 1) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return Math.abs(x) > 5 ? Math.sign(x) : (2 / Math.sqrt(Math.PI)) * sum;
}

type Part = (token: number, part: 0 | 1 | 2, head: number, d: number) => number;

/** Attention in plain numbers; `odds` makes weights of one query's scores. */
function attend(part: Part, count: number, odds: (scores: number[]) => number[]): Float32Array {
  const result = new Float32Array(count * 384);
  const tokens = Array.from({ length: count }, (_, token) => token);
  for (let head = 0; head < 12; head += 1) {
    for (const token of tokens) {
      const weights = odds(
        tokens.map((other) => {
          let score = 0;
          for (let d = 0; d < 32; d += 1) score += part(token, 0, head, d) * part(other, 1, head, d);
          return score;
        }),
      );
      const sum = weights.reduce((total, value) => total + value, 0);
      for (let d = 0; d < 32; d += 1) {
        const mixed = weights.reduce((total, value, other) => total + value * part(other, 2, head, d), 0);
        result[token * 384 + head * 32 + d] = mixed / sum;
      }
    }
  }
  return result;
}

function attendExactly(qkv: Float32Array, count: number): Float32Array {
  const part: Part = (token, which, head, d) => qkv[token * 1_152 + which * 384 + head * 32 + d]!;
  return attend(part, count, (scores) => scores.map((score) => Math.exp(score - Math.max(...scores))));
}

/** As the kernel does it: all in steps of a 63rd of the largest, odds in 127ths. */
function attendInBytes(qkv: Float32Array, count: number): Float32Array {
  const stepped = qkv.slice();
  const quantise = (places: number[]): void => {
    const scale = Math.max(...places.map((at) => Math.abs(qkv[at]!))) / 63;
    for (const at of places) stepped[at] = Math.round(qkv[at]! / scale) * scale;
  };
  const numbers = Array.from({ length: 32 }, (_, d) => d);
  for (let head = 0; head < 12; head += 1) {
    const place = (token: number, which: number, d: number): number => token * 1_152 + which * 384 + head * 32 + d;
    const tokens = Array.from({ length: count }, (_, token) => token);
    for (const token of tokens) {
      quantise(numbers.map((d) => place(token, 0, d)));
      quantise(numbers.map((d) => place(token, 1, d)));
    }
    for (const d of numbers) quantise(tokens.map((token) => place(token, 2, d)));
  }
  const part: Part = (token, which, head, d) => stepped[token * 1_152 + which * 384 + head * 32 + d]!;
  return attend(part, count, (scores) =>
    scores.map((score) => Math.round(127 * Math.exp(score - Math.max(...scores)))),
  );
}

test('this processor and engine get one of the fast builds; another engine would get the plain one', () => {
  expect(chooseKernel('x64')).toBe('pairs');
  expect(chooseKernel('arm64')).toBe('fused');
});

describe.each(builds)('%s', (build) => {
  const { kernel, floats, ints, bytes, signedBytes } = opened.get(build)!;
  const seed = fc.integer({ min: 1, max: 2 ** 30 });

  test('quantising is accurate to half a step of its row', () => {
    forAll(runs(30), seed, fc.constantFrom(384, 1_536), fc.constantFrom(0.001, 1, 500), (from, width, size) => {
      const [x, factors] = [made(from, 4 * width, size), made(from + 7, width).map((value) => 0.5 + Math.abs(value))];
      floats(A, x.length).set(x);
      floats(B, width).set(factors);
      kernel.quantise(A, B, C, D, E, 4, width);
      expect(floats(A, x.length)).toEqual(x);
      for (let row = 0; row < 4; row += 1) {
        const [scale, zero] = [floats(D, 4)[row]!, ints(E, 4)[row]!];
        const values = [...x.subarray(row * width, (row + 1) * width)].map((value, at) => value * factors[at]!);
        const quantised = bytes(C + row * width, width);
        expect(Math.max(...quantised)).toBeLessThanOrEqual(127);
        expect(scale).toBeLessThanOrEqual(((Math.max(0, ...values) - Math.min(0, ...values)) / 127) * 1.0001);
        const back = [...quantised].map((byte) => (byte - zero) * scale);
        // At the ends the zero point's own rounding may cost another half.
        expect(far(back, values)).toBeLessThanOrEqual(scale * 1.01);
        const middle = values.map((value, at) => (quantised[at] === 0 || quantised[at] === 127 ? back[at]! : value));
        expect(far(back, middle)).toBeLessThanOrEqual(scale * 0.501);
      }
    });
  });

  test('a row of zeros is quantised to zeros', () => {
    floats(A, 4 * 384).fill(0);
    floats(B, 384).fill(1);
    kernel.quantise(A, B, C, D, E, 4, 384);
    const zero = ints(E, 4)[0]!;
    expect([...bytes(C, 384)].every((byte) => byte === zero)).toBe(true);
  });

  test('a matrix product has exact sums, whatever the shape', () => {
    const shape = fc.record({
      rows: fc.constantFrom(4, 8, 20),
      inputs: fc.constantFrom(16, 32, 384),
      outputs: fc.constantFrom(8, 24, 64),
    });
    forAll(runs(40), seed, shape, fc.boolean(), (from, { rows, inputs, outputs }, extreme) => {
      const x = Uint8Array.from(made(from, rows * inputs), (value) => (extreme ? 127 : Math.abs(value * 1e6) % 128));
      // Eight weights of one sign may meet in one sum: 8 · 32 · 127 is the most that the export allows.
      const weights = Int8Array.from(made(from + 3, outputs * inputs), (value, at) =>
        extreme ? (at % 3 === 0 ? 32 : -32) : Math.max(-32, Math.min(32, value * 40)),
      );
      const scales = made(from + 5, outputs).map((value) => 0.01 + Math.abs(value));
      const bias = made(from + 9, outputs);
      const rowScales = made(from + 11, rows).map((value) => 0.01 + Math.abs(value));
      const zeros = Int32Array.from({ length: rows }, (_, row) => (row * 37) % 128);
      bytes(A, x.length).set(x);
      signedBytes(B, weights.length).set(weights);
      kernel.pack(B, C, D, outputs, inputs);
      floats(E, outputs).set(scales);
      floats(F, outputs).set(bias);
      floats(G, rows).set(rowScales);
      ints(H, rows).set(zeros);
      kernel.linear(A, G, H, C, D, E, F, I, rows, inputs, outputs);
      const expected = Array.from({ length: rows * outputs }, (_, at) => {
        const [row, output] = [Math.floor(at / outputs), at % outputs];
        let sum = 0;
        for (let k = 0; k < inputs; k += 1) {
          sum += (x[row * inputs + k]! - zeros[row]!) * weights[output * inputs + k]!;
        }
        return Math.fround(Math.fround(sum * Math.fround(rowScales[row]! * scales[output]!)) + bias[output]!);
      });
      expect([...floats(I, rows * outputs)]).toEqual(expected);
    });
  });

  test('gelu is accurate to 0.00005', () => {
    const x = Float32Array.from({ length: 4_000 }, (_, at) => (at - 2_000) / 200);
    floats(A, x.length).set(x);
    kernel.gelu(A, x.length);
    const exact = [...x].map((value) => (value * (1 + erf(value / Math.SQRT2))) / 2);
    expect(far(floats(A, x.length), exact)).toBeLessThan(0.00005);
  });

  test('a layer norm has mean 0 and deviation 1 before weight and bias', () => {
    forAll(seed, fc.boolean(), (from, adds) => {
      const [x, added] = [made(from, 384, 3), made(from + 1, 384)];
      const [weight, bias] = [made(from + 2, 384), made(from + 3, 384)];
      for (const [at, values] of [
        [A, x],
        [B, added],
        [C, weight],
        [D, bias],
      ] as const)
        floats(at, 384).set(values);
      kernel.addAndNorm(A, adds ? B : 0, C, D, 1);
      const sums = [...x].map((value, at) => value + (adds ? added[at]! : 0));
      const mean = sums.reduce((total, value) => total + value, 0) / 384;
      const variance = sums.reduce((total, value) => total + (value - mean) ** 2, 0) / 384;
      const expected = sums.map(
        (value, at) => ((value - mean) / Math.sqrt(variance + 1e-12)) * weight[at]! + bias[at]!,
      );
      expect(far(floats(A, 384), expected)).toBeLessThan(0.0001);
    });
  });

  function attended(qkv: Float32Array, count: number): Float32Array {
    floats(A, qkv.length).set(qkv);
    // What is left of an earlier, longer text must not be seen.
    floats(D, 24 * 260).fill(1_000);
    kernel.attend(A, D, E, count, (count + 3) & ~3);
    return floats(E, count * 384).slice();
  }

  test.each([1, 2, 7, 8, 9, 33])('attention over %d tokens mixes the values of each head', (count) => {
    const qkv = made(count, ((count + 3) & ~3) * 1_152);
    const found = attended(qkv, count);
    const quantised = attendInBytes(qkv, count);
    const distances = quantised.map((value, at) => Math.abs(value - found[at]!));
    // Floats that lie on the edge may fall to another byte; most may not.
    expect(Math.max(...distances)).toBeLessThan(0.05);
    expect(distances.reduce((sum, value) => sum + value, 0) / distances.length).toBeLessThan(0.0005);
    const exact = attendExactly(qkv, count);
    expect(Math.hypot(...found.map((value, at) => value - exact[at]!))).toBeLessThan(0.05 * Math.hypot(...exact));
  });

  test('no sum of attention overflows, whatever the signs', () => {
    const signs = made(11, 12 * 1_152).map((value) => Math.sign(value) || 1);
    for (const qkv of [signs, signs.map(Math.abs), signs.map((_, at) => (at % 1_152 < 384 ? 1 : -1))]) {
      const exact = attendExactly(qkv, 12);
      expect(far(attended(qkv, 12), exact)).toBeLessThan(0.05);
    }
  });

  test('pooling is the mean of the rows at unit length', () => {
    const x = made(5, 7 * 384);
    floats(A, x.length).set(x);
    kernel.pool(A, B, 7);
    const mean = Array.from({ length: 384 }, (_, at) =>
      [0, 1, 2, 3, 4, 5, 6].reduce((sum, row) => sum + x[row * 384 + at]!, 0),
    );
    const length = Math.hypot(...mean);
    expect(
      far(
        floats(B, 384),
        mean.map((value) => value / length),
      ),
    ).toBeLessThan(0.000001);
  });
});
