import { readFileSync } from 'node:fs';
import { createPlainKernel } from './scan-without-simd.ts';

/** An address in the memory that is scanned, bytes. */
export type Address = number;

/** Rows and what belongs to a search lie in one memory, which threads can share. */
export type SharedMemory = WebAssembly.Memory<SharedArrayBuffer>;

/** What `kernels/scan.ts` exports; each function is described there. */
export interface ScanKernel {
  scan(
    rows: Address,
    factors: Address,
    mask: Address,
    first: number,
    count: number,
    width: number,
    query: Address,
    top: Address,
  ): void;
  refine(found: Address, blocks: Address, blockBytes: number, width: number, query: Address, top: Address): void;
  finish(top: Address): void;
  measure(rows: Address, factors: Address, count: number, width: number): void;
}

/** What only the builds with SIMD have: in JavaScript nothing would be gained. */
export interface BitsKernel {
  encode(
    rows: Address,
    factors: Address,
    from: number,
    count: number,
    width: number,
    centre: Address,
    codes: Address,
    slopes: Address,
    offsets: Address,
  ): void;
  scanBits(
    codes: Address,
    slopes: Address,
    offsets: Address,
    mask: Address,
    first: number,
    count: number,
    width: number,
    tables: Address,
    top: Address,
  ): void;
}

/**
 * One source built three times, as the sentence model's kernel is: `fused` for ARM, `pairs` for x86, `simd` for engines without relaxed
 * SIMD. `plain` is JavaScript, for machines without SIMD. All give the same products, bit for bit.
 */
export type ScanBuild = 'fused' | 'pairs' | 'simd' | 'plain';

const files = { fused: 'fused', pairs: 'pairs', simd: 'plain' };

function readKernel(build: Exclude<ScanBuild, 'plain'>): Uint8Array<ArrayBuffer> {
  // `npm run build` makes them; `dist` is beside `src`, and this file runs from both.
  return new Uint8Array(readFileSync(new URL(`../../../../dist/kernels/scan-${files[build]}.wasm`, import.meta.url)));
}

/** The fastest build that this machine can run. */
export function chooseScanBuild(arch: string = process.arch): ScanBuild {
  const fastest = arch === 'arm64' ? 'fused' : 'pairs';
  return ([fastest, 'simd'] as const).find((build) => WebAssembly.validate(readKernel(build))) ?? 'plain';
}

export function openScanKernel(build: ScanBuild, memory: SharedMemory): { scans: ScanKernel; bits: BitsKernel | null } {
  if (build === 'plain') return { scans: createPlainKernel(memory), bits: null };
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readKernel(build)), { env: { memory } });
  const kernel: unknown = exports;
  return { scans: kernel as ScanKernel, bits: kernel as BitsKernel };
}
