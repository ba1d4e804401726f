import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { findEmbeddingProfile } from '../embedding-profiles.ts';
import { type ModelFiles, tokenizerName } from '../minilm/files.ts';

/*
 * A user's own sentence model in its published form: an .onnx file, with its configuration files in the same folder or
 * one above.
 */

const configFile = z.object({ hidden_size: z.int().positive(), max_position_embeddings: z.int().positive() });
const poolingFile = z.object({ pooling_mode_cls_token: z.boolean().default(false) });
/** Passages have at most 250 tokens; using all positions of a model with more would only take memory. */
const maxTokens = 512;
/** Bytes of the model's beginning and end that are hashed: reading all of a large file would slow down every start. */
const fingerprintBytes = 1_048_576;

/** Null when a file is missing or invalid. */
export function findOnnxFiles(path: string): ModelFiles | null {
  const modelPath = resolve(path);
  const folder = [dirname(modelPath), dirname(dirname(modelPath))].find((one) => existsSync(join(one, 'config.json')));
  if (folder === undefined) return null;
  try {
    return readOnnxFiles(modelPath, folder);
  } catch {
    return null;
  }
}

function readOnnxFiles(modelPath: string, folder: string): ModelFiles {
  const config = configFile.parse(readJson(join(folder, 'config.json')));
  const poolingPath = join(folder, '1_Pooling', 'config.json');
  const pooling = existsSync(poolingPath) && poolingFile.parse(readJson(poolingPath)).pooling_mode_cls_token;
  const tokenizer = join(folder, tokenizerName);
  const name = basename(folder);
  const profile = findEmbeddingProfile(name);
  const kept = createHash('sha256').update(fingerprint(modelPath)).update(readFileSync(tokenizer));
  kept.update(JSON.stringify([pooling, profile.passagePrefix]));
  return {
    folder,
    id: `onnx:${name}@${config.hidden_size}+${kept.digest('hex').slice(0, 8)}`,
    dimensions: config.hidden_size,
    maxTokens: Math.min(config.max_position_embeddings, maxTokens),
    pooling: pooling ? 'first' : 'mean',
    queryPrefix: profile.queryPrefix,
    passagePrefix: profile.passagePrefix,
    languages: profile.languages,
    unrelatedCosine: 0,
    model: modelPath,
    tokenizer,
  };
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function fingerprint(path: string): Buffer {
  const { size } = statSync(path);
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(2 * fingerprintBytes);
    const first = readSync(file, bytes, 0, fingerprintBytes, 0);
    const last = readSync(file, bytes, first, fingerprintBytes, Math.max(0, size - fingerprintBytes));
    return Buffer.concat([Buffer.from(`${size} `), bytes.subarray(0, first + last)]);
  } finally {
    closeSync(file);
  }
}
