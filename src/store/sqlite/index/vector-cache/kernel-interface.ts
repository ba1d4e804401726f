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
