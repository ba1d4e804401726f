import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type * as Onnx from 'onnxruntime-web';

/** The same model as an ONNX graph on onnxruntime-web, on one thread: what the product's own kernel is measured against. */
export async function openWasm(modelPath: string): Promise<(ids: readonly number[]) => Promise<Float32Array>> {
  // Of the package's scripts this is the one that runs in Node without `onnxruntime-common`.
  const script = new URL('ort.wasm.min.mjs', pathToFileURL(createRequire(import.meta.url).resolve('onnxruntime-web')));
  const runtime: typeof Onnx = await import(script.href);
  runtime.env.wasm.numThreads = 1;
  runtime.env.logLevel = 'error';
  const session = await runtime.InferenceSession.create(await readFile(modelPath), {
    executionProviders: ['wasm'],
    // The graph is written in the operators that optimising would make of it.
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
