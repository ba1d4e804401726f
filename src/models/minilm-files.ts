import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { arithmetic } from './minilm-kernel.ts';

/** Where the model's files lie in the package, and what they hold. */
export interface MiniLmFiles {
  /** Model, quantisation, the beginning of the weights' checksum and the kernel's arithmetic: vectors of two ids do not compare. */
  id: string;
  dimensions: number;
  maxTokens: number;
  model: string;
}

const modelName = 'model_int8.safetensors';
const manifestFile = z.object({
  model: z.string(),
  quantisation: z.string(),
  dimensions: z.int(),
  maxTokens: z.int(),
  files: z.object({ [modelName]: z.object({ sha256: z.string().length(64) }) }),
});

export function readMiniLmFiles(): MiniLmFiles {
  // `assets` stands beside both `src` and `dist`.
  const folder = new URL('../../assets/all-MiniLM-L6-v2/', import.meta.url);
  const manifest = manifestFile.parse(JSON.parse(readFileSync(new URL('manifest.json', folder), 'utf8')));
  const checksum = manifest.files[modelName].sha256.slice(0, 8);
  return {
    id: `${manifest.model}-${manifest.quantisation}-${checksum}-${arithmetic}`,
    dimensions: manifest.dimensions,
    maxTokens: manifest.maxTokens,
    model: fileURLToPath(new URL(modelName, folder)),
  };
}
