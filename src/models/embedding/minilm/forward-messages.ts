import type { RunBuffers, PlacedModel } from './forward.ts';

/** What a thread gets at its start. */
export interface ForwardData {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  model: PlacedModel;
  buffers: RunBuffers;
}

/** One text. */
export interface ForwardTask {
  ids: readonly number[];
}

/** The vector of the text. */
export type ForwardAnswer = Float32Array<ArrayBuffer>;
