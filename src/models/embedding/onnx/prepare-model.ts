import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { calibrationTexts } from './calibration-texts.ts';
import type { InstallableModel } from './installable-model.ts';
import { tokenizerName, weightsName, type ModelManifest } from '../minilm/files.ts';
import { openMiniLm } from '../minilm/forward.ts';
import { chooseKernel, openKernel } from '../minilm/kernel.ts';
import { quantiseModel } from '../quantise.ts';
import { findInputFactors } from './smoothing.ts';
import { loadTokenizer } from '../tokenizers/load-tokenizer.ts';
import { meanCosine, unrelatedTexts } from '../unrelated-texts.ts';

/** The published weights. */
const sourceName = 'model.safetensors';

/**
 * Turns a folder with published weights and a tokenizer into one that `readModelFiles` can read, runs the model once as
 * a test, and removes the published weights.
 * @throws when the kernel cannot run the model
 */
export async function prepareModel(
  model: InstallableModel,
  folder: string,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const { maxTokens, pooling, passagePrefix } = model;
  const source = join(folder, sourceName);
  const rough = join(folder, 'rough.safetensors');
  const tokenizer = await loadTokenizer(join(folder, tokenizerName));
  const step = (from: number) => (share: number) => {
    signal.throwIfAborted();
    onProgress(from + share * 0.45);
  };
  await quantiseModel(source, rough, { maxTokens, onProgress: step(0) });
  const texts = calibrationTexts.map((text) => tokenizer.encode(passagePrefix + text, maxTokens));
  const factors = findInputFactors(source, rough, texts, { maxTokens, pooling });
  await rm(rough);
  const target = join(folder, weightsName);
  const sha256 = await quantiseModel(source, target, { maxTokens, factors, onProgress: step(0.5) });
  const { dimensions, unrelatedCosine } = await tryOut(model, folder);
  onProgress(1);
  const manifest: ModelManifest & Pick<InstallableModel, 'licence' | 'repository' | 'revision'> = {
    model: model.name,
    quantisation: 'int8',
    licence: model.licence,
    repository: model.repository,
    revision: model.revision,
    dimensions,
    maxTokens,
    pooling,
    queryPrefix: model.queryPrefix,
    passagePrefix,
    languages: model.languages === null ? null : [...model.languages],
    unrelatedCosine,
    matchFloors: model.matchFloors,
    files: { [weightsName]: { sha256 } },
  };
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await rm(source);
}

/** Runs the finished model on unrelated texts, to check its vectors and to measure their cosine. */
async function tryOut(
  { maxTokens, pooling, queryPrefix, passagePrefix }: InstallableModel,
  folder: string,
): Promise<{ dimensions: number; unrelatedCosine: number }> {
  const tokenizer = await loadTokenizer(join(folder, tokenizerName));
  const run = openMiniLm(openKernel(chooseKernel()), join(folder, weightsName), { maxTokens, pooling });
  const embed = (prefix: string) => (text: string) => run(tokenizer.encode(prefix + text, maxTokens));
  const queries = unrelatedTexts.queries.map(embed(queryPrefix));
  const passages = unrelatedTexts.passages.map(embed(passagePrefix));
  run.close();
  const isSound = [...queries, ...passages].every((vector) => Math.abs(Math.hypot(...vector) - 1) < 1e-3);
  if (!isSound) throw new Error('the model gives no vectors of unit length');
  return { dimensions: queries[0]?.length ?? 0, unrelatedCosine: Number(meanCosine(queries, passages).toFixed(4)) };
}
