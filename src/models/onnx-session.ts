import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type * as Onnx from 'onnxruntime-web';

/** What both builds of ONNX Runtime offer and this product uses. */
export type OnnxRuntime = Pick<typeof Onnx, 'InferenceSession' | 'Tensor'>;

/** One text's token ids in, its unit vector out. */
export type RunModel = (ids: readonly number[]) => Promise<Float32Array>;

/** Opens the model on the WASM build that comes with the package, on one thread: two are slower. */
export async function openWasm(modelPath: string): Promise<RunModel> {
  const [runtime, model] = await Promise.all([importWasmRuntime(), readFile(modelPath)]);
  runtime.env.wasm.numThreads = 1;
  runtime.env.logLevel = 'error';
  return openOn(runtime, model, 'wasm');
}

/** Opens the model on a build of ONNX Runtime for Node. */
export async function openNative(runtime: OnnxRuntime, modelPath: string): Promise<RunModel> {
  return openOn(runtime, await readFile(modelPath), 'cpu');
}

/**
 * From `dist` the files that the build copied there; from the sources those of the development dependency. Of the
 * package's scripts this is the one that runs in Node without `onnxruntime-common`.
 */
async function importWasmRuntime(): Promise<typeof Onnx> {
  const name = 'ort.wasm.min.mjs';
  const file = import.meta.url.endsWith('.ts')
    ? new URL(name, pathToFileURL(createRequire(import.meta.url).resolve('onnxruntime-web')))
    : new URL(`./ort/${name}`, import.meta.url);
  const runtime: typeof Onnx = await import(file.href);
  return runtime;
}

async function openOn(runtime: OnnxRuntime, model: Uint8Array, provider: 'wasm' | 'cpu'): Promise<RunModel> {
  const session = await runtime.InferenceSession.create(model, {
    executionProviders: [provider],
    intraOpNumThreads: 1,
    // The graph is written in the operators that optimising would make of it; optimising again doubles the load time.
    graphOptimizationLevel: 'disabled',
    logSeverityLevel: 3,
  });
  return async (ids) => {
    const input = new runtime.Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]);
    const { sentence_embedding: output } = await session.run({ input_ids: input });
    if (!(output?.data instanceof Float32Array)) throw new Error('the model gave no sentence_embedding');
    return output.data.slice();
  };
}
