import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { openNative, type OnnxRuntime, type RunModel } from './onnx-session.ts';

/** Two builds of the model share an embedder id only if their vectors are at least this near. */
const agreement = 0.995;

const goldenFile = z.array(z.object({ text: z.string(), int8: z.array(z.int()) }));

export type NativeOutcome =
  | { kind: 'absent' }
  | { kind: 'refused'; reason: unknown }
  | { kind: 'agrees'; run: RunModel };

/**
 * The model on the user's own onnxruntime-node, several times faster than WASM, when there is one and its vectors are
 * those of this package. Some processors saturate in 8-bit products, so agreement is measured and not assumed.
 *
 * @param importRuntime gives the module, and rejects when there is none.
 */
export async function tryNative(
  importRuntime: () => Promise<OnnxRuntime>,
  files: { model: string; golden: string },
  encode: (text: string) => readonly number[],
): Promise<NativeOutcome> {
  let runtime: OnnxRuntime;
  try {
    runtime = await importRuntime();
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    return missing ? { kind: 'absent' } : { kind: 'refused', reason: error };
  }
  try {
    const run = await openNative(runtime, files.model);
    for (const { text, int8 } of goldenFile.parse(JSON.parse(await readFile(files.golden, 'utf8')))) {
      const cosine = cosineOf(await run(encode(text)), int8);
      if (!(cosine >= agreement)) return { kind: 'refused', reason: new Error(`cosine ${cosine} on a known text`) };
    }
    return { kind: 'agrees', run };
  } catch (error) {
    return { kind: 'refused', reason: error };
  }
}

/** onnxruntime-node is the user's to install: its own install script needs a network. */
export async function importOnnxRuntimeNode(): Promise<OnnxRuntime> {
  const name: string = 'onnxruntime-node';
  const imported: OnnxRuntime & { default?: OnnxRuntime } = await import(name);
  return imported.default ?? imported;
}

function cosineOf(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [dot, normA, normB] = [0, 0, 0];
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const [x, y] = [a[index] ?? Number.NaN, b[index] ?? Number.NaN];
    dot += x * y;
    normA += x * x;
    normB += y * y;
  }
  return dot / Math.sqrt(normA * normB);
}
