import { readFileSync } from 'node:fs';
import { createPlainKernel } from './scan-without-simd.ts';
import type { SharedMemory, ScanKernel } from './kernel-interface.ts';

/**
 * One source built three times, like the sentence model's kernel: `fused` for ARM, `pairs` for x86, `simd` for engines
 * without relaxed SIMD. `plain` is JavaScript, for machines without SIMD. All give the same products, bit for bit.
 */
export type ScanBuild = 'fused' | 'pairs' | 'simd' | 'plain';

const files = { fused: 'fused', pairs: 'pairs', simd: 'plain' };

function readKernel(build: Exclude<ScanBuild, 'plain'>): Uint8Array<ArrayBuffer> {
  // `npm run build` creates these files. `dist` is beside `src`, and this file runs from both.
  return new Uint8Array(
    readFileSync(new URL(`../../../../../dist/kernels/scan-${files[build]}.wasm`, import.meta.url)),
  );
}

/** The fastest build that this machine can run. */
export function chooseScanBuild(arch: string = process.arch): ScanBuild {
  const fastest = arch === 'arm64' ? 'fused' : 'pairs';
  return ([fastest, 'simd'] as const).find((build) => WebAssembly.validate(readKernel(build))) ?? 'plain';
}

export function openScanKernel(build: ScanBuild, memory: SharedMemory): ScanKernel {
  if (build === 'plain') return createPlainKernel(memory);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readKernel(build)), { env: { memory } });
  const kernel: unknown = exports;
  return kernel as ScanKernel;
}
