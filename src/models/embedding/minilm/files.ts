import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MatchFloors } from '../../../domain/search/match-floors.ts';
import { arithmetic } from './kernel.ts';
import { type JsonObject, requireObject, requireRight } from '../model-json.ts';
import { packagedModelFolder } from '../start-minilm.ts';
import { checkWordPieceFile, createWordPiece, type Tokenizer } from '../tokenizers/wordpiece.ts';

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

/** `manifest.json` next to the weights. */
export interface ModelManifest extends Omit<ModelFiles, 'folder' | 'id' | 'model' | 'tokenizer'> {
  model: string;
  quantisation: string;
  files: { [weightsName]: { sha256: string } };
}

/** The defaults are the values of the model in the package. */
const defaults = { pooling: 'mean', queryPrefix: '', passagePrefix: '', languages: ['en'], unrelatedCosine: 0 };

/** @throws when a value is missing or wrong */
function requireManifest(manifest: JsonObject): asserts manifest is JsonObject & ModelManifest {
  const requireEach = (names: readonly string[], isRight: (value: unknown) => boolean): void => {
    for (const name of names) requireRight(isRight(manifest[name]), `manifest.json: ${name}`);
  };
  requireEach(['model', 'quantisation', 'queryPrefix', 'passagePrefix'], (value) => typeof value === 'string');
  requireEach(['dimensions', 'maxTokens'], Number.isSafeInteger);
  requireEach(['unrelatedCosine'], Number.isFinite);
  requireEach(['pooling'], (value) => value === 'mean' || value === 'first');
  requireEach(
    ['languages'],
    (value) => value === null || (Array.isArray(value) && value.every((one) => typeof one === 'string')),
  );
  const {
    weak,
    doubtful,
    meaning = 0,
    foreign = 0,
  } = requireObject(manifest['matchFloors'] ?? { weak: 0, doubtful: 0 }, 'matchFloors');
  requireRight([weak, doubtful, meaning, foreign].every(Number.isFinite), 'manifest.json: matchFloors');
  const weights = requireObject(requireObject(manifest['files'], 'files')[weightsName], weightsName);
  const { sha256 } = weights;
  requireRight(typeof sha256 === 'string' && sha256.length === 64, 'manifest.json: sha256');
}

export function readModelFiles(folder: string): ModelFiles {
  const json: unknown = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  const described: JsonObject = { ...defaults, ...requireObject(json, 'manifest.json') };
  requireManifest(described);
  const { files, model, quantisation } = described;
  const { dimensions, maxTokens, pooling, queryPrefix, passagePrefix, languages, unrelatedCosine, matchFloors } =
    described;
  const checksum = files[weightsName].sha256.slice(0, 8);
  return {
    dimensions,
    maxTokens,
    pooling,
    queryPrefix,
    passagePrefix,
    languages,
    unrelatedCosine,
    matchFloors,
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

/** Reads a `tokenizer.json` of one of the two kinds that the supported models use. */
export async function loadTokenizer(path: string): Promise<Tokenizer> {
  const json: unknown = JSON.parse(await readFile(path, 'utf8'));
  const { type } = requireObject(requireObject(json, 'tokenizer.json')['model'], 'model');
  if (type !== 'Unigram') return createWordPiece(checkWordPieceFile(json));
  const { createUnigram, unigramFile } = await import('../tokenizers/unigram.ts');
  return createUnigram(unigramFile.parse(json));
}
