import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MatchFloors } from '../../../domain/search/match-floors.ts';
import { loadTokenizer, tokenizerName, weightsName, type ModelManifest } from './files.ts';
import { openMiniLm } from './forward.ts';
import { chooseKernel, openKernel } from './kernel.ts';
import { quantiseModel } from './quantise.ts';
import { meanCosine, unrelatedTexts } from '../measured-models.ts';

/**
 * A model that `commonplace model install` can fetch: a BERT that the kernel can run, pinned to one revision and the
 * checksums of its files.
 */
export interface InstallableModel {
  name: string;
  /** Description that helps a user to choose. */
  about: string;
  licence: string;
  /** Repository and revision on the model hub. */
  repository: string;
  revision: string;
  files: Readonly<Record<'model.safetensors' | 'tokenizer.json', { bytes: number; sha256: string }>>;
  maxTokens: number;
  /** As documented by the model's authors. */
  pooling: 'mean' | 'first';
  queryPrefix: string;
  passagePrefix: string;
  /** ISO 639-1; null: any. */
  languages: readonly string[] | null;
  matchFloors: MatchFloors;
}

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
  const sha256 = await quantiseModel(source, join(folder, weightsName), {
    maxTokens,
    onProgress(share) {
      signal.throwIfAborted();
      onProgress(share * 0.9);
    },
  });
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
