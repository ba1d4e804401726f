/** What this program uses of WebAssembly's interface, whose types come only with those of browsers. */
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: string;
  }
  const Module: new (bytes: Uint8Array<ArrayBuffer>) => Module;
  class Instance {
    readonly exports: Record<string, unknown>;
    constructor(module: Module);
  }
  class Memory {
    readonly buffer: ArrayBuffer;
    /** By pages of 64 KB; views of the old `buffer` end. */
    grow(pages: number): number;
  }
  function validate(bytes: Uint8Array<ArrayBuffer>): boolean;
}
