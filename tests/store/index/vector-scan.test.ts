import Database from 'better-sqlite3';
import * as fc from 'fast-check';
import { load as loadVectorFunctions } from 'sqlite-vec';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quantize } from '../../../src/store/sqlite/index/quantize.ts';
import {
  bytesOfQuery,
  bytesOfTop,
  chooseScanBuild,
  openScanKernel,
  readTop,
  type ScanBuild,
  type SharedMemory,
  widthOf,
  writeQuery,
  writeTop,
} from '../../../src/store/sqlite/index/vector-cache/scan-kernel.ts';
import { runs } from '../../support/vitest/thorough.ts';
import { forAll } from '../../support/for-all.ts';

const aligned = (address: number) => Math.ceil(address / 16) * 16;

interface Scan {
  rows: readonly Int8Array[];
  query: Int8Array | Float32Array;
  /** One byte a row. */
  mask?: readonly number[];
  limit: number;
  /** Rows of one call. */
  block?: number;
}

/** Lays everything out in a memory, scans it in blocks, and reads what was found by the query in 8 bits, and what became of that in 16. */
function scannedAndRefined(build: ScanBuild, { rows, query, mask, limit, block = rows.length }: Scan) {
  const memory: SharedMemory = new WebAssembly.Memory({ initial: 512, maximum: 512, shared: true });
  const kernel = openScanKernel(build, memory);
  const width = widthOf(query.length);
  // Behind the kernel's own constants.
  const queryAt = 4_096;
  const foundAt = aligned(queryAt + bytesOfQuery(width));
  const topAt = aligned(foundAt + bytesOfTop(limit));
  const maskAt = aligned(topAt + bytesOfTop(limit));
  const rowsAt = aligned(maskAt + rows.length);
  const factorsAt = rowsAt + 4_096 * width;
  rows.forEach((row, index) => new Int8Array(memory.buffer).set(row, rowsAt + index * width));
  if (mask !== undefined) new Uint8Array(memory.buffer).set(mask.slice(0, rows.length), maskAt);
  kernel.measure(rowsAt, factorsAt, rows.length, width);
  const length = writeQuery(memory, queryAt, Float32Array.from(query), width);
  writeTop(memory, foundAt, limit);
  writeTop(memory, topAt, limit);
  for (let at = 0; at < rows.length; at += block) {
    const count = Math.min(block, rows.length - at);
    const masked = mask === undefined ? 0 : maskAt + at;
    kernel.scan(rowsAt + at * width, factorsAt + 4 * at, masked, at, count, width, queryAt, foundAt);
  }
  kernel.finish(foundAt);
  kernel.refine(foundAt, rowsAt, 0, width, queryAt, topAt);
  kernel.finish(topAt);
  const read = (at: number, queryLength: number) =>
    readTop(memory, at).map(({ row, score }) => ({ row, score: score / queryLength }));
  const coarse = Math.hypot(...quantize(Float32Array.from(query)).components);
  return { found: read(foundAt, coarse), refined: read(topAt, length) };
}

const scanned = (build: ScanBuild, scan: Scan) => scannedAndRefined(build, scan).found;
const refined = (build: ScanBuild, scan: Scan) => scannedAndRefined(build, scan).refined;

const builds = ['fused', 'pairs', 'simd'] as const;
const byte = fc.oneof(fc.integer({ min: -127, max: 127 }), fc.constantFrom(-127, 127, 0));
/** With the largest component at the end of the range, where nothing is lost by quantizing. */
function spread(bytes: Int8Array): Int8Array {
  const largest = bytes.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return bytes.map((value) => (Math.abs(value) === largest ? Math.sign(value) * 127 : value));
}
const scans = fc.integer({ min: 1, max: 70 }).chain((dimensions) => {
  const components = fc
    .array(byte, { minLength: dimensions, maxLength: dimensions })
    // Of nothing but zeros there is no cosine.
    .filter((bytes) => bytes.some((value) => value !== 0))
    .map((bytes) => Int8Array.from(bytes));
  return fc.record({
    query: components.map(spread),
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
      .all(Buffer.from(Int8Array.from(query)));
  }

  function exactCosine(row: Int8Array, query: Int8Array | Float32Array): number {
    const floats = (values: Iterable<number>) => Buffer.from(Float32Array.from(values).buffer);
    const select = db.prepare<unknown[], number>('SELECT 1 - vec_distance_cosine(?, ?)').pluck();
    return select.get(floats(row), floats(query))!;
  }

  it.each(builds)('%s: finds the same as sqlite-vec, in order', (build) => {
    forAll(runs(300), scans, (scan) => {
      const [found, all] = [scanned(build, scan), oracle(scan)];
      const exact = new Map(all.map(({ row, score }) => [row, score]));
      expect(found).toHaveLength(Math.min(scan.limit, all.length));
      expect(new Set(found.map(({ row }) => row)).size).toBe(found.length);
      for (const [place, { row, score }] of found.entries()) {
        expect(Math.abs(score - exact.get(row)!)).toBeLessThan(2e-6);
        expect(Math.abs(score - all[place]!.score)).toBeLessThan(2e-6);
      }
    });
  });

  it.each(['fused', 'simd'] as const)('%s: agrees with pairs bit for bit', (build) => {
    forAll(runs(300), scans, (scan) => {
      expect(scannedAndRefined(build, scan)).toEqual(scannedAndRefined('pairs', scan));
    });
  });

  /** A scan of these rows, by a query that does not fit into bytes. */
  const finely = (scan: Scan): Scan => ({
    ...scan,
    query: Float32Array.from(scan.query, (component, index) => component + Math.sin(index * scan.rows.length) / 2),
  });

  it.each(builds)('%s: compares the best with the whole query', (build) => {
    forAll(runs(300), scans.map(finely), (scan) => {
      const { found, refined: best } = scannedAndRefined(build, scan);
      const exact = new Map(found.map(({ row }) => [row, exactCosine(scan.rows[row]!, scan.query)]));
      expect(best.map(({ row }) => row).sort()).toEqual([...exact.keys()].sort());
      for (const [place, { row, score }] of best.entries()) {
        expect(Math.abs(score - exact.get(row)!)).toBeLessThan(1e-4);
        expect(score).toBeLessThanOrEqual(best[place - 1]?.score ?? 2);
      }
    });
  });

  it('decides by the whole query where bytes cannot', () => {
    // In bytes the query is (127, 1, 0), from which both are as far.
    const scan = { rows: [Int8Array.of(127, 2, 0), Int8Array.of(127, 1, 1)], limit: 2 };
    const query = Float32Array.of(127, 0.57, 0.44);
    expect(scanned('pairs', { ...scan, query }).map(({ row }) => row)).toEqual([0, 1]);
    expect(refined('pairs', { ...scan, query }).map(({ row }) => row)).toEqual([1, 0]);
  });

  it.each(builds)('%s: is exact at the ends of the range', (build) => {
    const [most, least] = [new Int8Array(4096).fill(127), new Int8Array(4096).fill(-127)];
    const found = scanned(build, { rows: [least, most, least], query: least, limit: 3 });
    expect(found.map(({ row }) => row)).toEqual([0, 2, 1]);
    expect(found.map(({ score }) => Math.round(score * 1e5) / 1e5)).toEqual([1, 1, -1]);
  });

  it.each(builds)('%s: keeps the best of ever-rising rows', (build) => {
    const rows = Array.from({ length: 1_000 }, (_, index) => Int8Array.of(100, 100 - Math.floor(index / 10)));
    const found = scanned(build, { rows, query: Int8Array.of(127, 0), limit: 25, block: 256 });
    expect(found.map(({ row }) => row)).toEqual([
      ...Array.from({ length: 20 }, (_, index) => (index < 10 ? 990 + index : 970 + index)),
      ...Array.from({ length: 5 }, (_, index) => 970 + index),
    ]);
  });

  it('uses SIMD on this machine', () => {
    expect(chooseScanBuild('x64')).toBe('pairs');
    expect(chooseScanBuild('arm64')).toBe('fused');
  });

  it('gives a quantized vector a cosine of one with itself', () => {
    const { components } = quantize(Float32Array.from({ length: 384 }, (_, index) => Math.sin(index * index)));
    expect(scanned('pairs', { rows: [components], query: components, limit: 1 })[0]!.score).toBeCloseTo(1, 6);
  });
});
