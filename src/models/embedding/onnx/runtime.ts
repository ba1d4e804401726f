import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { z } from 'zod';

export interface OnnxTensor {
  readonly data: unknown;
  readonly dims: readonly number[];
}

export interface OnnxSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(inputs: Record<string, OnnxTensor>): Promise<Record<string, OnnxTensor | undefined>>;
}

/** The parts of onnxruntime-node that are used; onnxruntime-web has the same interface. */
export interface OnnxRuntime {
  InferenceSession: {
    create(model: string | Uint8Array, options: Record<string, unknown>): Promise<OnnxSession>;
  };
  Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => OnnxTensor;
}

export const runtimePackage = 'onnxruntime-node';

/**
 * Finds the user's onnxruntime-node: in `node_modules` of the model's folder or of one above it, or among this
 * program's own packages. Null when there is none. It is not a dependency, because its installation downloads files and
 * fails without a network.
 */
export function findOnnxRuntime(modelPath: string): string | null {
  for (const folder of [dirname(modelPath), dirname(fileURLToPath(import.meta.url))]) {
    try {
      return createRequire(join(folder, 'here.js')).resolve(runtimePackage);
    } catch {
      // Not found here; try the next folder.
    }
  }
  return null;
}

const isRuntime = z.object({ InferenceSession: z.unknown(), Tensor: z.unknown() }).required();

/** @param path the result of `findOnnxRuntime` */
export async function loadOnnxRuntime(path: string): Promise<OnnxRuntime> {
  const loaded = (await import(pathToFileURL(path).href)) as { default?: unknown };
  // A CommonJS package has its exports under `default`; Node adds named ones only where it can detect them.
  const runtime: unknown = isRuntime.safeParse(loaded.default).success ? loaded.default : loaded;
  isRuntime.parse(runtime);
  return runtime as OnnxRuntime;
}
