import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';

/** A byte address in the kernel's memory. */
export type Address = number;

/**
 * Version of the kernel's arithmetic, part of the embedder's id: the kernel's quantisation affects vectors, too. Raise
 * it when vectors no longer agree with those of the previous kernel (agreement: cosine ≥ .995).
 */
export const arithmetic = 2;

/** The exports of `kernels/minilm.ts`; each function is described there. */
export interface MiniLmKernel {
  memory: WebAssembly.Memory;
  pack(source: Address, target: Address, sums: Address, outputs: number, inputs: number): void;
  embed(ids: Address, words: Address, scales: Address, positions: Address, output: Address, count: number): void;
  quantise(
    x: Address,
    factors: Address,
    output: Address,
    rowScales: Address,
    zeros: Address,
    rows: number,
    width: number,
  ): void;
  linear(
    x: Address,
    rowScales: Address,
    zeros: Address,
    weights: Address,
    sums: Address,
    scales: Address,
    bias: Address,
    y: Address,
    rows: number,
    inputs: number,
    outputs: number,
  ): void;
  addAndNorm(x: Address, added: Address, weight: Address, bias: Address, rows: number): void;
  gelu(x: Address, count: number): void;
  attend(qkv: Address, room: Address, output: Address, count: number, rows: number): void;
  pool(x: Address, output: Address, count: number): void;
}

/**
 * The kernel is built three times from one source; all builds give the same sums. `fused` uses the dot product that
 * adds to 32 bits, one instruction on ARM; `pairs` one that x86 has had since 2006; `plain` is for engines without
 * relaxed SIMD.
 */
export type KernelBuild = 'fused' | 'pairs' | 'plain';

function readKernel(build: KernelBuild): Uint8Array<ArrayBuffer> {
  // `npm run build` creates these files; `dist` is next to `src`, and this module runs from both.
  return new Uint8Array(readFileSync(new URL(`../../../../dist/kernels/minilm-${build}.wasm`, import.meta.url)));
}

/** The fastest build that this engine can run. */
export function chooseKernel(arch: string = process.arch): KernelBuild {
  const fastest = arch === 'arm64' ? 'fused' : 'pairs';
  return WebAssembly.validate(readKernel(fastest)) ? fastest : 'plain';
}

export function compileKernel(build: KernelBuild): WebAssembly.Module {
  return new WebAssembly.Module(readKernel(build));
}

/** Most pages of memory, as `scripts/build.mjs` declares them; a page takes memory only once it is used. */
const maxPages = 16_384;

/** Memory for a model, which threads can share. */
export function createKernelMemory(): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: 1, maximum: maxPages, shared: true });
}

/** @param memory of a model that another thread has loaded */
export function openKernel(
  build: KernelBuild | WebAssembly.Module,
  memory: WebAssembly.Memory = createKernelMemory(),
): MiniLmKernel {
  const module = build instanceof WebAssembly.Module ? build : compileKernel(build);
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  const kernel: unknown = { ...exports, memory };
  return kernel as MiniLmKernel;
}

/** The V8 version of Node 24. */
const testedEngine = '13.6.';

/** True if tests have shown that this engine computes the same vectors, bit for bit, with 256-bit instructions. */
export function hasTestedWideInstructions(engine = process.versions.v8, arch: string = process.arch): boolean {
  return arch === 'x64' && engine.startsWith(testedEngine);
}

/**
 * Lets the engine combine pairs of the kernel's 128-bit instructions into 256-bit ones (AVX2). V8 marks this as
 * experimental, so it is only enabled on the V8 version that it was tested on, and only in a process that runs nothing
 * but the model: the flag affects all WASM that is compiled later. On a processor without AVX2, V8 ignores it.
 */
export function useWideInstructions(): void {
  if (hasTestedWideInstructions()) setFlagsFromString('--experimental-wasm-revectorize');
}
