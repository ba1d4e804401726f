import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from '../settings/config.ts';
import type { Clock } from '../domain/clock.ts';
import { ProcessingError } from '../errors.ts';
import type { Log } from '../log.ts';
import {
  passageThreads,
  withCpuShare,
  type Embedder,
  findEmbeddingProfile,
  type EmbeddingProfile,
  openMeasuredModels,
  findModelFiles,
  readMiniLmFiles,
  type ModelFiles,
  createMiniLm,
  createOnnxEmbedder,
  findOnnxFiles,
  findOnnxRuntime,
  runtimePackage,
  createOpenAiEmbedder,
  withQueryCache,
} from '../models/embedding/index.ts';
import type { TakeModelAhead } from './model-ahead.ts';
import { installableNames } from '../settings/embedding.ts';

export interface EmbedderParts {
  clock: Clock;
  log: Log;
  random: () => number;
  /** Folder of the installed models. */
  modelsFolder: string;
  takeModelAhead: TakeModelAhead;
  /** Can reach `embeddingBaseUrl` and nothing else. */
  fetch: typeof globalThis.fetch;
}

/**
 * The embedder that the settings name; a part of `app.ts`. Nothing is requested, loaded or started before its first
 * use.
 */
export function chooseEmbedder(config: Config, parts: EmbedderParts): Embedder | null {
  if (config.embedder === 'none') return null;
  if (config.embedder === 'openai') return withQueryCache(openServer(config, parts));
  if (config.embedder === 'onnx') return openOnnx(config, parts);
  if (config.embedder === 'builtin') return openLocal(config, parts, readMiniLmFiles());
  const files = findModelFiles(join(parts.modelsFolder, config.embedder));
  return files === null ? absentModel(config.embedder, notInstalled(config.embedder)) : openLocal(config, parts, files);
}

/** Finds the embedder of older vectors, so that they can be searched while new ones are made. */
export interface EmbedderFinder {
  /** Null when the embedder cannot be run, or not any more. */
  find(id: string): Embedder | null;
  close(): Promise<void>;
}

export function createEmbedderFinder(config: Config, parts: EmbedderParts): EmbedderFinder {
  const found = new Map<string, Embedder>();
  const open = (id: string): Embedder | null => {
    const installed = installableNames.map((name) => findModelFiles(join(parts.modelsFolder, name)));
    const files = [readMiniLmFiles(), ...installed].find((one) => one?.id === id);
    if (files !== undefined && files !== null) return openLocal(config, parts, files);
    if (config.onnxModel !== '' && findOnnxFiles(config.onnxModel)?.id === id) return openOnnx(config, parts);
    // Another model of the configured server. When the settings name no server, no question may leave this machine.
    const [, model] = /^openai:(.+)@\d+(?:\+[0-9a-f]+)?$/.exec(id) ?? [];
    if (model === undefined || config.embedder !== 'openai') return null;
    const server = openServer({ ...config, embeddingModel: model }, parts);
    return server.id === id ? withQueryCache(server) : null;
  };
  return {
    find(id) {
      const embedder = found.get(id) ?? open(id);
      if (embedder !== null) found.set(id, embedder);
      return embedder;
    },
    async close() {
      await Promise.all([...found.values()].map((embedder) => embedder.close()));
    },
  };
}

/** A sentence model is unloaded after this long without use: longer than the pause between two questions of a conversation. */
const modelIdleMs = 120_000;
/** Tokens of 3 characters in one request: enough for 64 passages of 250 tokens. */
const batchTokens = 16_000;

function openLocal(config: Config, { clock, log, takeModelAhead }: EmbedderParts, files: ModelFiles): Embedder {
  const model = createMiniLm({ idleMs: modelIdleMs, log, files, takeStarted: takeModelAhead });
  return withQueryCache(withCpuShare<Embedder>(model, config.embedderCpuShare, clock, passageThreads()));
}

function openOnnx(config: Config, { clock, log }: EmbedderParts): Embedder {
  const files = findOnnxFiles(config.onnxModel);
  if (files === null) return absentModel('onnx', noOnnxModel());
  const runtime = findOnnxRuntime(files.model);
  if (runtime === null) return absentModel('onnx', noOnnxRuntime());
  const settings = {
    files,
    runtime,
    idleMs: modelIdleMs,
    cpuShare: config.embedderCpuShare,
  };
  const measured = openMeasuredModels(join(config.data, 'embedding-models.json'));
  return withQueryCache(createOnnxEmbedder(settings, { measured, clock, log }));
}

function openServer(config: Config, { clock, log, random, fetch }: EmbedderParts): Embedder {
  return createOpenAiEmbedder(
    {
      baseUrl: config.embeddingBaseUrl,
      apiKey: config.embeddingApiKey,
      model: config.embeddingModel,
      dimensions: config.embeddingDimensions,
      profile: profileOf(config),
      batchTexts: config.embeddingBatchTexts,
      batchTokens,
      requestsPerMinute: config.embeddingRequestsPerMinute,
      timeoutMs: config.embeddingTimeoutSeconds * 1_000,
    },
    { fetch, measured: openMeasuredModels(join(config.data, 'embedding-models.json')), clock, log, random },
  );
}

const notInstalled = (name: string): ProcessingError =>
  new ProcessingError(
    'embedding_failed',
    `The sentence model ${name} is not installed. Run \`commonplace model install ${name}\`, then start Commonplace again. Until then search uses words alone.`,
  );

const noOnnxModel = (): ProcessingError =>
  new ProcessingError(
    'embedding_failed',
    '`embedder` is onnx, and `onnxModel` names no sentence model: it has to be the path of an .onnx file with tokenizer.json and config.json beside it or one folder above. Correct the setting, then start Commonplace again. Until then search uses words alone.',
  );

const noOnnxRuntime = (): ProcessingError =>
  new ProcessingError(
    'embedding_failed',
    `\`embedder\` is onnx, and ${runtimePackage} is not installed. Run \`npm install ${runtimePackage}\` in the folder of the model, then start Commonplace again. Until then search uses words alone.`,
  );

/**
 * Stands in for a model that the settings name but that is not installed. Everything else works meanwhile, and each
 * call is rejected with the reason.
 */
function absentModel(name: string, reason: ProcessingError): Embedder {
  return {
    id: `${name}, not installed`,
    dimensions: null,
    languages: null,
    embedPassages: () => Promise.reject(reason),
    embedQuery: () => Promise.reject(reason),
    close: () => Promise.resolve(),
  };
}

/** The known profile of the model, overridden by the settings. */
function profileOf(config: Config): EmbeddingProfile {
  const known = findEmbeddingProfile(config.embeddingModel);
  const chosen = (setting: string, otherwise: string): string =>
    setting === 'auto' ? otherwise : setting === 'none' ? '' : setting;
  const [first] = config.embeddingLanguages;
  return {
    ...known,
    queryPrefix: chosen(config.embeddingQueryPrefix, known.queryPrefix),
    passagePrefix: chosen(config.embeddingPassagePrefix, known.passagePrefix),
    languages:
      first === undefined || first === 'auto' ? known.languages : first === 'any' ? null : config.embeddingLanguages,
  };
}

const checkLimitMs = 15_000;

/** Describes the embedder. A server is sent one question of ours to see whether it answers. */
export async function describeEmbedder(
  config: Config,
  embedder: Embedder,
): Promise<{ id: string; languages: readonly string[] | null; place: string | null; problem: string | null }> {
  if (config.embedder !== 'openai') {
    // A missing model rejects every question with the reason.
    const problem = embedder.dimensions === null ? await problemOf(embedder, 'Does this work?') : null;
    return { id: embedder.id, languages: embedder.languages, place: null, problem };
  }
  // A new question each time: a cached answer would prove nothing.
  const question = `Does this work? ${randomUUID()}`;
  const problem = await problemOf(embedder, question);
  return { id: embedder.id, languages: embedder.languages, place: new URL(config.embeddingBaseUrl).host, problem };
}

async function problemOf(embedder: Embedder, question: string): Promise<string | null> {
  return embedder.embedQuery(question, AbortSignal.timeout(checkLimitMs)).then(
    () => null,
    (error: unknown) =>
      error instanceof ProcessingError ? error.message : `No answer within ${checkLimitMs / 1_000} seconds.`,
  );
}
