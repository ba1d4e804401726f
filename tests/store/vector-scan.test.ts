import Database from 'better-sqlite3';
import * as fc from 'fast-check';
import { load as loadVectorFunctions } from 'sqlite-vec';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quantize } from '../../src/store/sqlite/quantize.ts';
import {
  chooseScanBuild,
  openScanKernel,
  type ScanBuild,
  type SharedMemory,
} from '../../src/store/sqlite/vector-cache/scan-kernel.ts';
import {
  bytesOfQuery,
  bytesOfTop,
  readTop,
  widthOf,
  writeQuery,
  writeTop,
} from '../../src/store/sqlite/vector-cache/scan-layout.ts';

const aligned = (address: number) => Math.ceil(address / 16) * 16;

interface Scan {
  rows: readonly Int8Array[];
  query: Int8Array;
  /** One byte a row. */
  mask?: readonly number[];
  limit: number;
  /** Rows of one call. */
  block?: number;
}

/** Lays everything out in a memory, scans it in blocks, and reads what was found. */
function scanned(build: ScanBuild, { rows, query, mask, limit, block = rows.length }: Scan) {
  const memory: SharedMemory = new WebAssembly.Memory({ initial: 64, maximum: 64, shared: true });
  const kernel = openScanKernel(build, memory);
  const width = widthOf(query.length);
  // Behind the kernel's own constants.
  const queryAt = 4_096;
  const topAt = aligned(queryAt + bytesOfQuery(width));
  const maskAt = aligned(topAt + bytesOfTop(limit));
  const factorsAt = aligned(maskAt + rows.length);
  const rowsAt = aligned(factorsAt + 4 * rows.length + 16);
  rows.forEach((row, index) => new Int8Array(memory.buffer).set(row, rowsAt + index * width));
  if (mask !== undefined) new Uint8Array(memory.buffer).set(mask.slice(0, rows.length), maskAt);
  kernel.measure(rowsAt, factorsAt, rows.length, width);
  writeQuery(memory, queryAt, { scale: 1, components: query }, width);
  writeTop(memory, topAt, limit);
  for (let at = 0; at < rows.length; at += block) {
    const count = Math.min(block, rows.length - at);
    const masked = mask === undefined ? 0 : maskAt + at;
    kernel.scan(rowsAt + at * width, factorsAt + 4 * at, masked, at, count, width, queryAt, topAt);
  }
  kernel.finish(topAt);
  const length = Math.hypot(...query);
  return readTop(memory, topAt).map(({ row, score }) => ({ row, score: score / length }));
}

const builds = ['fused', 'pairs', 'simd', 'plain'] as const;
const byte = fc.oneof(fc.integer({ min: -127, max: 127 }), fc.constantFrom(-127, 127, 0));
const scans = fc.integer({ min: 1, max: 70 }).chain((dimensions) => {
  const components = fc
    .array(byte, { minLength: dimensions, maxLength: dimensions })
    // Of nothing but zeros there is no cosine.
    .filter((bytes) => bytes.some((value) => value !== 0))
    .map((bytes) => Int8Array.from(bytes));
  return fc.record({
    query: components,
    rows: fc.array(components, { minLength: 0, maxLength: 60 }),
    mask: fc.option(fc.array(fc.constantFrom(0, 0, 1), { minLength: 60, maxLength: 60 }), { nil: undefined }),
    limit: fc.integer({ min: 1, max: 12 }),
    block: fc.integer({ min: 1, max: 15 }).map((fours) => fours * 4),
  });
});

describe('the scanning kernel', () => {
  const db = new Database(':memory:');
  beforeAll(() => {
    loadVectorFunctions(db);
    db.exec('CREATE TABLE vectors (row INTEGER PRIMARY KEY, components BLOB)');
  });
  afterAll(() => db.close());

  /** The cosines that sqlite-vec gives of the rows that count, best first. */
  function oracle({ rows, query, mask }: Scan): { row: number; score: number }[] {
    db.exec('DELETE FROM vectors');
    const insert = db.prepare('INSERT INTO vectors VALUES (?, ?)');
    for (const [row, components] of rows.entries()) if (mask?.[row] !== 0) insert.run(row, Buffer.from(components));
    return db
      .prepare<unknown[], { row: number; score: number }>(
        `SELECT row, 1 - vec_distance_cosine(vec_int8(components), vec_int8(?)) AS score FROM vectors
         ORDER BY score DESC, row`,
      )
      .all(Buffer.from(query));
  }

  it.each(builds)('%s: finds what sqlite-vec finds, in its order', (build) => {
    fc.assert(
      fc.property(scans, (scan) => {
        const [found, all] = [scanned(build, scan), oracle(scan)];
        const exact = new Map(all.map(({ row, score }) => [row, score]));
        expect(found).toHaveLength(Math.min(scan.limit, all.length));
        expect(new Set(found.map(({ row }) => row)).size).toBe(found.length);
        for (const [place, { row, score }] of found.entries()) {
          expect(Math.abs(score - exact.get(row)!)).toBeLessThan(2e-6);
          expect(Math.abs(score - all[place]!.score)).toBeLessThan(2e-6);
        }
      }),
      { numRuns: 300 },
    );
  });

  it.each(['fused', 'pairs', 'simd'] as const)('%s: agrees with JavaScript bit for bit', (build) => {
    fc.assert(
      fc.property(scans, (scan) => {
        expect(scanned(build, scan)).toEqual(scanned('plain', scan));
      }),
      { numRuns: 300 },
    );
  });

  it.each(builds)('%s: holds at the ends of the range', (build) => {
    const [most, least] = [new Int8Array(4096).fill(127), new Int8Array(4096).fill(-127)];
    const found = scanned(build, { rows: [least, most, least], query: least, limit: 3 });
    expect(found.map(({ row }) => row)).toEqual([0, 2, 1]);
    expect(found.map(({ score }) => Math.round(score * 1e5) / 1e5)).toEqual([1, 1, -1]);
  });

  it.each(builds)('%s: of rows that rise and rise keeps the best', (build) => {
    const rows = Array.from({ length: 1_000 }, (_, index) => Int8Array.of(100, 100 - Math.floor(index / 10)));
    const found = scanned(build, { rows, query: Int8Array.of(127, 0), limit: 25, block: 256 });
    expect(found.map(({ row }) => row)).toEqual([
      ...Array.from({ length: 20 }, (_, index) => (index < 10 ? 990 + index : 970 + index)),
      ...Array.from({ length: 5 }, (_, index) => 970 + index),
    ]);
  });

  it('of this machine is one with SIMD', () => {
    expect(chooseScanBuild('x64')).toBe('pairs');
    expect(chooseScanBuild('arm64')).toBe('fused');
  });

  it('gives a quantized vector a cosine of one with itself', () => {
    const { components } = quantize(Float32Array.from({ length: 384 }, (_, index) => Math.sin(index * index)));
    expect(scanned('pairs', { rows: [components], query: components, limit: 1 })[0]!.score).toBeCloseTo(1, 6);
  });
});
