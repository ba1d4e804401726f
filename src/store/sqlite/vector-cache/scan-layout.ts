import { fineQuery, lengthOf, quantize } from '../quantize.ts';
import type { Address, SharedMemory } from './scan-kernel.ts';

/*
 * How a query and the best hits lie in memory; `kernels/scan.ts` describes both.
 */

const ones = 0;
const turned = 16;
const components = 32;

const wanted = 0;
const filled = 4;
const least = 8;
const keys = 16;

/** A row's bytes: the kernel reads sixteen at a time. */
export function widthOf(dimensions: number): number {
  return Math.ceil(dimensions / 16) * 16;
}

export function bytesOfQuery(width: number): number {
  return components + 5 * width;
}

export function bytesOfTop(limit: number): number {
  return keys + 2 * limit * 8;
}

/** Lays out a query, and gives the length of it that scores of `refine` are to be divided by. */
export function writeQuery(memory: SharedMemory, at: Address, query: Float32Array, width: number): number {
  new Int16Array(memory.buffer, at + ones, 8).fill(1);
  const bytes = new Int8Array(memory.buffer, at + components, 3 * width).fill(0);
  let sum = 0;
  for (const [index, component] of quantize(query).components.entries()) {
    bytes[index] = component;
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

export function writeTop(memory: SharedMemory, at: Address, limit: number): void {
  new Int32Array(memory.buffer, at, 4).fill(0)[wanted >> 2] = limit;
  new Float32Array(memory.buffer, at + least, 1)[0] = -Infinity;
}

export interface ScannedRow {
  row: number;
  /** The product with the query, times the row's factor. */
  score: number;
}

/** Reads what `finish` left: best first, of equal ones the earlier row. */
export function readTop(memory: SharedMemory, at: Address): ScannedRow[] {
  const count = new Int32Array(memory.buffer, at + filled, 1)[0] ?? 0;
  const halves = new Uint32Array(memory.buffer, at + keys, 2 * count);
  const scores = new Float32Array(count);
  const bits = new Uint32Array(scores.buffer);
  const found: ScannedRow[] = [];
  for (let index = 0; index < count; index += 1) {
    const high = halves[2 * index + 1] ?? 0;
    bits[index] = high & 0x80000000 ? high ^ 0x80000000 : ~high;
    found.push({ row: ~(halves[2 * index] ?? 0) >>> 0, score: scores[index] ?? 0 });
  }
  return found.sort((a, b) => b.score - a.score || a.row - b.row);
}
