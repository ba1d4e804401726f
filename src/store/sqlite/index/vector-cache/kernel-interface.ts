/** A byte address in the scanned memory. */
export type Address = number;

/** Rows and search buffers lie in one memory, which threads can share. */
export type SharedMemory = WebAssembly.Memory<SharedArrayBuffer>;

/** The exports of `kernels/scan.ts`, where each function is described. */
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

/** Only the SIMD builds have these functions: JavaScript would gain nothing from bits. */
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
