import type { RunBuffers, Layer, PlacedModel } from './forward.ts';

/** What a thread gets at its start. */
export interface ForwardData {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  model: PlacedModel;
  buffers: RunBuffers;
}

/** One text, and the layers to run it through if they are not the model's own. */
export interface ForwardTask {
  ids: readonly number[];
  layers: readonly Layer[] | undefined;
}

/** The vector of the text. */
export type ForwardAnswer = Float32Array<ArrayBuffer>;
