import { readFileSync } from 'node:fs';

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

/** What `chooseScanBuild` says here, asked once. */
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
