import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { MatchFloors } from '../../../domain/search/match-floors.ts';
import { arithmetic } from './kernel.ts';
import { packagedModelFolder } from '../start-minilm.ts';

/** A model that the kernel can run: the paths of its files and its properties. */
export interface ModelFiles {
  folder: string;
  /**
   * Model, quantisation, the beginning of the weights' checksum and the kernel's arithmetic version. Vectors of
   * different ids cannot be compared.
   */
  id: string;
  dimensions: number;
  maxTokens: number;
  /** The vector of a text: the mean of its tokens, or the first of them. */
  pooling: 'mean' | 'first';
  queryPrefix: string;
  passagePrefix: string;
  languages: readonly string[] | null;
  /** See `Embedder.unrelatedCosine`. */
  unrelatedCosine: number;
  matchFloors?: MatchFloors | undefined;
  model: string;
  tokenizer: string;
}

export const weightsName = 'model_int8.safetensors';
export const tokenizerName = 'tokenizer.json';

/** `manifest.json` next to the weights. The defaults are the values of the model in the package. */
const manifestFile = z.object({
  model: z.string(),
  quantisation: z.string(),
  dimensions: z.int(),
  maxTokens: z.int(),
  pooling: z.enum(['mean', 'first']).default('mean'),
  queryPrefix: z.string().default(''),
  passagePrefix: z.string().default(''),
  languages: z.array(z.string()).nullable().default(['en']),
  unrelatedCosine: z.number().default(0),
  matchFloors: z.object({ weak: z.number(), doubtful: z.number(), foreign: z.number().optional() }).optional(),
  files: z.object({ [weightsName]: z.object({ sha256: z.string().length(64) }) }),
});
export type ModelManifest = z.infer<typeof manifestFile>;

export function readModelFiles(folder: string): ModelFiles {
  const { files, model, quantisation, ...manifest } = manifestFile.parse(
    JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')),
  );
  const checksum = files[weightsName].sha256.slice(0, 8);
  return {
    ...manifest,
    folder,
    id: `${model}-${quantisation}-${checksum}-${arithmetic}`,
    model: join(folder, weightsName),
    tokenizer: join(folder, tokenizerName),
  };
}

/** Null when there is no model or its installation did not finish; installing it fixes both. */
export function findModelFiles(folder: string): ModelFiles | null {
  try {
    return readModelFiles(folder);
  } catch {
    return null;
  }
}

/** The model in the package. */
export function readMiniLmFiles(): ModelFiles {
  return readModelFiles(packagedModelFolder);
}
