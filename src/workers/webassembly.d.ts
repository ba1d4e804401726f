/** What this program uses of WebAssembly's interface, whose types come only with those of browsers. */
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: string;
  }
  const Module: new (bytes: Uint8Array<ArrayBuffer>) => Module;
  class Instance {
    readonly exports: Record<string, unknown>;
    constructor(module: Module, imports?: Record<string, Record<string, unknown>>);
  }
  class Memory<Buffer extends ArrayBufferLike = ArrayBuffer> {
    /** In pages of 64 KB. A shared memory reserves room for its maximum, and takes what it needs of it. */
    constructor(size: { initial: number; maximum: number; shared: true });
    readonly buffer: Buffer;
    /** By pages of 64 KB; views of the old `buffer` end, those of a shared one stay as long as they were. */
    grow(pages: number): number;
  }
  function validate(bytes: Uint8Array<ArrayBuffer>): boolean;
}
