import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { createVectorSource, dimensions, type VectorKind } from '../../bench/synthetic-vectors.ts';
import { quantize } from '../../src/store/sqlite/index/quantize.ts';
import { decideOnBits } from '../../src/store/sqlite/index/vector-cache/prefilter-calibration.ts';
import { createRows } from '../../src/store/sqlite/index/vector-cache/shared-vector-layout.ts';
import type { ScanBuild } from '../../src/store/sqlite/index/vector-cache/scan-kernel.ts';
import { readTop, writeTables } from '../../src/store/sqlite/index/vector-cache/scan-layout.ts';
import { chooseByBits, scanRows } from '../../src/store/sqlite/index/vector-cache/scan-rows.ts';
import { VectorRows } from '../../src/store/sqlite/index/vector-cache/vector-rows.ts';
import { isThorough, runs } from '../support/thorough.ts';

const everything = { items: null, passages: [] };

/** Appends these vectors; passages and items are called after the row, from 1 on. */
function append(rows: VectorRows, vectors: readonly Float32Array[]): void {
  const keys = vectors.map((_, index) => rows.count + index + 1);
  const components = Buffer.concat(vectors.map((vector) => Buffer.from(quantize(vector).components.buffer)));
  rows.append({ count: vectors.length, components, passages: keys, items: keys });
}

const decide = (rows: VectorRows, roomBytes = Infinity) => rows.tryAlone(() => decideOnBits(rows, roomBytes));
const idsOf = (rows: VectorRows, query: Float32Array, limit = 10, mask: Parameters<typeof scanRows>[2] = everything) =>
  scanRows(rows, query, mask, limit, rows.place!).map(({ passageId }) => passageId);

describe('two bits a component', () => {
  const wide = fc.integer({ min: 1, max: 6 }).map((sixteens) => sixteens * 16);
  const number = fc.double({ min: -1, max: 1, noNaN: true, noDefaultInfinity: true });
  const cases = wide.chain((width) =>
    fc.record({
      centre: fc.array(
        number.map((one) => one / 10),
        { minLength: width, maxLength: width },
      ),
      query: fc.array(number, { minLength: width, maxLength: width }),
      rows: fc.array(fc.array(number, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 70 }),
    }),
  );

  /** What `kernels/bits.ts` says at its beginning, in plain numbers; null where it lies on the edge of a step. */
  function estimate(row: Int8Array, query: readonly number[], centre: Float32Array): number | null {
    const lengthOf = (vector: Iterable<number>) => Math.hypot(...vector) || 1;
    const beside = [...row].map((one, index) => one / lengthOf(row) - centre[index]!);
    const far = lengthOf(beside) / Math.sqrt(row.length);
    if (beside.some((one) => [-far, 0, far].some((edge) => one !== 0 && Math.abs(one - edge) < 1e-6))) return null;
    const steps = beside.map((one) => (one > far ? 1.5 : one > 0 ? 0.5 : one > -far ? -0.5 : -1.5));
    const product = (a: readonly number[], b: ArrayLike<number>) =>
      a.reduce((sum, one, index) => sum + one * b[index]!, 0);
    const asked = query.map((one, index) => one / lengthOf(Float32Array.from(query)) - centre[index]!);
    const along = product(
      [...row].map((one) => one / lengthOf(row)),
      centre,
    );
    return (product(asked, steps) * product(beside, beside)) / product(beside, steps) + along;
  }

  it.each(['fused', 'pairs', 'simd'] as const)('%s: say what the product is about', (build) => {
    fc.assert(
      fc.property(cases, ({ centre, query, rows: vectors }) => {
        const width = query.length;
        const rows = new VectorRows(createRows(width), build);
        append(
          rows,
          vectors.map((vector) => Float32Array.from(vector)),
        );
        rows.centre.set(centre);
        // Not at once: those that come later share bytes with those before.
        rows.encode(0, Math.ceil(rows.count / 2));
        rows.encode(Math.ceil(rows.count / 2), rows.count);
        const place = rows.place!;
        writeTables(rows.memory, place.tables, Float32Array.from(query), rows.centre, width);
        const unit = new Float32Array(rows.memory.buffer, place.tables, 1)[0]!;
        chooseByBits(rows, { from: 0, to: rows.count }, everything, 100, place);
        const found = readTop(rows.memory, place.found);
        expect(found.map(({ row }) => row).sort((a, b) => a - b)).toEqual(vectors.map((_, row) => row));
        for (const { row, score } of found) {
          const components = rows.componentsOf(row);
          const exact = estimate(components, query, rows.centre);
          if (exact === null || components.every((one) => one === 0)) continue;
          const slope = slopeOf(components, rows.centre);
          expect(Math.abs(score - exact)).toBeLessThan((unit / 2) * (width / 2) * slope + 1e-4);
        }
      }),
      { numRuns: runs(60) },
    );
  });

  function slopeOf(row: Int8Array, centre: Float32Array): number {
    const length = Math.hypot(...row);
    const beside = [...row].map((one, index) => one / length - centre[index]!);
    // At least .5 for each of them.
    const squares = beside.reduce((sum, one) => sum + one * one, 0);
    return squares / (beside.reduce((sum, one) => sum + Math.abs(one), 0) / 2 || 1);
  }
});

describe('the recall gate', () => {
  const count = 9_000;
  const filled = (kind: VectorKind, build?: ScanBuild) => {
    const source = createVectorSource(kind, count);
    const rows = new VectorRows(createRows(dimensions), build);
    append(
      rows,
      Array.from({ length: count }, () => source.next()),
    );
    return { rows, source };
  };
  let clustered: ReturnType<typeof filled>;
  beforeAll(() => {
    clustered = filled('clustered');
    decide(clustered.rows);
  });

  it('lets bits choose where they find what bytes find, and they do', () => {
    const { rows, source } = clustered;
    expect(rows.oneOf).toBeGreaterThan(0);
    const { oneOf, measured } = rows;
    let found = 0;
    for (let turn = 0; turn < 30; turn += 1) {
      const query = source.next();
      const byBits = new Set(idsOf(rows, query));
      rows.setBits({ oneOf: 0, measured, coded: count });
      found += idsOf(rows, query).filter((id) => byBits.has(id)).length;
      rows.setBits({ oneOf, measured, coded: count });
    }
    expect(found).toBeGreaterThanOrEqual(0.98 * 300);
  });

  it('takes a smaller share of many rows, in which they find the best 200 as well', () => {
    const many = isThorough ? 100_000 : 40_000;
    // Each made of two, because making so many takes long.
    const source = createVectorSource('clustered', count);
    const halves = Array.from({ length: 500 }, () => source.next());
    const made = (index: number) => {
      const [one, other] = [halves[index % 500]!, halves[Math.floor(index / 500) % 499]!];
      return one.map((component, at) => component + 0.7 * other[at]!);
    };
    const rows = new VectorRows(createRows(dimensions));
    for (let first = 0; first < many; first += 10_000)
      append(
        rows,
        Array.from({ length: 10_000 }, (_, index) => made(first + index)),
      );
    decide(rows);
    const { oneOf, measured } = rows;
    expect(oneOf).toBeGreaterThan(clustered.rows.oneOf);
    let found = 0;
    for (let turn = 0; turn < 10; turn += 1) {
      const query = made(many + turn * Math.floor(many / 9));
      const byBits = new Set(idsOf(rows, query, 200));
      rows.setBits({ oneOf: 0, measured, coded: many });
      found += idsOf(rows, query, 200).filter((id) => byBits.has(id)).length;
      rows.setBits({ oneOf, measured, coded: many });
    }
    expect(found).toBeGreaterThanOrEqual(0.98 * 2_000);
  });

  it('keeps comparing bytes where everything is as far as everything', () => {
    const { rows, source } = filled('noise');
    decide(rows);
    expect(rows.oneOf).toBe(0);
    expect(rows.measured).toBe(count);
    const query = source.next();
    append(rows, [query]);
    expect(idsOf(rows, query)[0]).toBe(count + 1);
  });

  it('decides nothing without room, without SIMD or for few', () => {
    const { rows } = clustered;
    const few = new VectorRows(createRows(dimensions));
    append(
      few,
      [rows.componentsOf(0), rows.componentsOf(1)].map((row) => Float32Array.from(row)),
    );
    decide(few);
    const small = filled('clustered').rows;
    const before = small.bytes;
    decide(small, 9e5);
    expect(small.bytes).toBe(before);
    const plain = new VectorRows(small.memory, 'plain');
    decide(plain);
    for (const { measured, oneOf } of [few, small, plain]) expect([measured, oneOf]).toEqual([0, 0]);
    decide(small);
    expect(small.bytes).toBe(before + count * (dimensions / 4 + 8));
  });

  it('finds what was added later, nothing that was taken away or filtered out, and decides again after growth', () => {
    const { rows, source } = clustered;
    const query = source.next();
    append(rows, [query]);
    decide(rows);
    expect(rows.measured).toBe(count);
    expect(idsOf(rows, query)[0]).toBe(count + 1);
    const nearest = idsOf(rows, query, 3);
    const without = (ids: readonly number[]) => {
      const bytes = new Uint8Array(count + 2).fill(1);
      for (const id of ids) bytes[id] = 0;
      return { items: null, passages: [{ bytes, beyond: 1 as const }] };
    };
    expect(idsOf(rows, query, 2, without([nearest[0]!]))).toEqual(nearest.slice(1));
    rows.mark(new Set([nearest[1]!]), rows.count);
    expect(idsOf(rows, query, 2)).toEqual([nearest[0], nearest[2]]);
    append(
      rows,
      Array.from({ length: count / 4 }, () => source.next()),
    );
    decide(rows);
    expect(rows.measured).toBe(rows.count);
    expect(rows.oneOf).toBeGreaterThan(0);
  });
});
