import { readFileSync } from 'node:fs';
import { fineQuery, lengthOf, quantize } from '../quantize.ts';

/**
 * One source built three times, like the sentence model's kernel: `fused` for ARM, `pairs` for x86, `simd` for engines
 * without relaxed SIMD. All give the same products, bit for bit.
 */
export type ScanBuild = 'fused' | 'pairs' | 'simd';

function readKernel(build: ScanBuild): Uint8Array<ArrayBuffer> {
  // `npm run build` creates these files. `dist` is beside `src`, and this file runs from both.
  const name = build === 'simd' ? 'plain' : build;
  return new Uint8Array(readFileSync(new URL(`../../../../../dist/kernels/scan-${name}.wasm`, import.meta.url)));
}

/** The fastest build that this machine can run; null on a machine without SIMD, which searches the file. */
export function chooseScanBuild(arch: string = process.arch): ScanBuild | null {
  const fastest = arch === 'arm64' ? 'fused' : 'pairs';
  return ([fastest, 'simd'] as const).find((build) => WebAssembly.validate(readKernel(build))) ?? null;
}

let ofThisMachine: ScanBuild | null | undefined;

/** The cached result of `chooseScanBuild`. */
export function scanBuild(): ScanBuild | null {
  if (ofThisMachine === undefined) ofThisMachine = chooseScanBuild();
  return ofThisMachine;
}

export function openScanKernel(build: ScanBuild, memory: SharedMemory): ScanKernel {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readKernel(build)), { env: { memory } });
  const kernel: unknown = exports;
  return kernel as ScanKernel;
}

/** A byte address in the scanned memory. */
export type MemoryAddress = number;

/** Rows and search buffers lie in one memory, which threads can share. */
export type SharedMemory = WebAssembly.Memory<SharedArrayBuffer>;

/** The exports of `kernels/scan.ts`, where each function is described. */
export interface ScanKernel {
  scan(
    rows: MemoryAddress,
    factors: MemoryAddress,
    mask: MemoryAddress,
    first: number,
    count: number,
    width: number,
    query: MemoryAddress,
    top: MemoryAddress,
  ): void;
  refine(
    found: MemoryAddress,
    blocks: MemoryAddress,
    blockBytes: number,
    width: number,
    query: MemoryAddress,
    top: MemoryAddress,
  ): void;
  finish(top: MemoryAddress): void;
  measure(rows: MemoryAddress, factors: MemoryAddress, count: number, width: number): void;
}

/*
 * The memory layout of a query and of the best hits; `kernels/scan.ts` describes both.
 */

const ones = 0;
const turned = 16;
const components = 32;

const wanted = 0;
const filled = 4;
const least = 8;
const keys = 16;

/** Bytes per row, padded: the kernel reads sixteen at a time. */
export function widthOf(dimensions: number): number {
  return Math.ceil(dimensions / 16) * 16;
}

export function bytesOfQuery(width: number): number {
  return components + 5 * width;
}

export function bytesOfTop(limit: number): number {
  return keys + 2 * limit * 8;
}

/** Writes a query to memory. Returns the length by which scores of `refine` are to be divided. */
export function writeQuery(memory: SharedMemory, at: MemoryAddress, query: Float32Array, width: number): number {
  new Int16Array(memory.buffer, at + ones, 8).fill(1);
  const coarse = quantize(query).components;
  const bytes = new Int8Array(memory.buffer, at + components, 3 * width).fill(0);
  bytes.set(coarse);
  let sum = 0;
  // Plain loops: this runs for every search, and a small search takes no longer than `entries` alone would.
  for (let index = 0; index < coarse.length; index += 1) {
    const component = coarse[index] ?? 0;
    bytes[width + index] = Math.abs(component);
    if (component >= 0) continue;
    bytes[2 * width + index] = -1;
    sum -= component;
  }
  new Int32Array(memory.buffer, at + turned, 4).fill(sum);
  const fine = fineQuery(query);
  new Int16Array(memory.buffer, at + components + 3 * width, width).fill(0).set(fine);
  return lengthOf(fine);
}

export function writeTop(memory: SharedMemory, at: MemoryAddress, limit: number): void {
  new Int32Array(memory.buffer, at, 4).fill(0)[wanted >> 2] = limit;
  new Float32Array(memory.buffer, at + least, 1)[0] = -Infinity;
}

export interface ScannedRow {
  row: number;
  /** The product with the query, times the row's factor. */
  score: number;
}

/** Reads the list that `finish` left: best first, and the earlier row first when scores are equal. */
export function readTop(memory: SharedMemory, at: MemoryAddress): ScannedRow[] {
  const count = new Int32Array(memory.buffer, at + filled, 1)[0] ?? 0;
  // A key is larger for a better score and for an earlier row, so an ascending integer sort puts the worst first.
  const sorted = new BigUint64Array(memory.buffer, at + keys, count).slice().sort();
  const halves = new Uint32Array(sorted.buffer);
  const scores = new Float32Array(count);
  const bits = new Uint32Array(scores.buffer);
  const found: ScannedRow[] = [];
  for (let index = count - 1; index >= 0; index -= 1) {
    const high = halves[2 * index + 1] ?? 0;
    bits[index] = high & 0x80000000 ? high ^ 0x80000000 : ~high;
    found.push({ row: ~(halves[2 * index] ?? 0) >>> 0, score: scores[index] ?? 0 });
  }
  return found;
}
