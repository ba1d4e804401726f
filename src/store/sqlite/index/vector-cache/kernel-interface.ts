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
