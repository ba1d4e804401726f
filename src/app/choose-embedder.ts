import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from '../settings/config.ts';
import type { Clock } from '../domain/clock.ts';
import { ProcessingError } from '../errors.ts';
import type { Log } from '../workers/log.ts';
import {
  type Embedder,
  findEmbeddingProfile,
  openMeasuredModels,
  findModelFiles,
  readMiniLmFiles,
  type ModelFiles,
  createMiniLm,
  createOpenAiEmbedder,
  withQueryCache,
  type InstallableModel,
} from '../models/embedding/index.ts';
import type { TakeModelAhead } from './model-ahead.ts';
import { installableNames } from '../settings/settings.ts';
import type { Proxies } from '../domain/links/proxies.ts';
import type { ModelsService } from '../services/operating/models.ts';

export interface EmbedderParts {
  clock: Clock;
  log: Log;
  random: () => number;
  modelsFolder: string;
  takeModelAhead: TakeModelAhead;
  /** Can reach `embeddingBaseUrl` and nothing else. */
  fetch: typeof globalThis.fetch;
}

/** The embedder that the settings name. Nothing is requested, loaded or started before its first use. */
export function chooseEmbedder(config: Config, parts: EmbedderParts): Embedder | null {
  if (config.embedder === 'none') return null;
  if (config.embedder === 'openai') return withQueryCache(openServer(config, parts));
  if (config.embedder === 'builtin') return openLocal(parts, readMiniLmFiles());
  const files = findModelFiles(join(parts.modelsFolder, config.embedder));
  return files === null ? absentModel(config.embedder, notInstalled(config.embedder)) : openLocal(parts, files);
}

/** Finds the embedder of older vectors, so that they can be searched while new ones are made. */
interface EmbedderFinder {
  /** Null when the embedder is unavailable. */
  find(id: string): Embedder | null;
  close(): Promise<void>;
}

export function createEmbedderFinder(config: Config, parts: EmbedderParts): EmbedderFinder {
  const found = new Map<string, Embedder>();
  const open = (id: string): Embedder | null => {
    const installed = installableNames.map((name) => findModelFiles(join(parts.modelsFolder, name)));
    const files = [readMiniLmFiles(), ...installed].find((one) => one?.id === id);
    if (files !== undefined && files !== null) return openLocal(parts, files);
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
/** Passages per request: self-hosted servers accept no more (32 in Text Embeddings Inference). */
const batchTexts = 32;
/** Tokens of 3 characters in one request: enough for 32 passages of 250 tokens, with room for other languages. */
const batchTokens = 16_000;
/** For one answer of an embedding server; a model on a processor needs some ten seconds for a request. */
export const embeddingServerMs = 60_000;

function openLocal({ log, takeModelAhead }: EmbedderParts, files: ModelFiles): Embedder {
  const model = createMiniLm({ idleMs: modelIdleMs, log, files, takeStarted: takeModelAhead });
  return withQueryCache(model);
}

function openServer(config: Config, { clock, log, random, fetch }: EmbedderParts): Embedder {
  return createOpenAiEmbedder(
    {
      baseUrl: config.embeddingBaseUrl,
      apiKey: config.embeddingApiKey,
      model: config.embeddingModel,
      profile: findEmbeddingProfile(config.embeddingModel),
      batchTexts,
      batchTokens,
      timeoutMs: embeddingServerMs,
    },
    { fetch, measured: openMeasuredModels(join(config.data, 'embedding-models.json')), clock, log, random },
  );
}

const notInstalled = (name: string): ProcessingError =>
  new ProcessingError(
    'embedding_failed',
    `The sentence model ${name} is not installed. Run \`commonplace model install ${name}\`, then start Commonplace again. Until then search uses words alone.`,
  );

/** Stands in for a model that is not installed: each call is rejected with the reason. */
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

const checkLimitMs = 15_000;

/** Describes the embedder. A server is sent one test question to see whether it answers. */
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

/**
 * The models that the product offers besides the one in the package (bge-small-en-v1.5 was dropped: docs/decisions/sentence-models.md).
 *
 * The checksums are from several public projects that pin these revisions and agree on them; the hub itself was not
 * reachable when this was written. A file with another checksum is refused.
 */
export const installableModels: readonly (InstallableModel & { name: (typeof installableNames)[number] })[] = [
  {
    name: 'multilingual-e5-small',
    about: 'some hundred languages, takes twice as long as the model in the package and 100 MB more memory',
    licence: 'MIT',
    repository: 'intfloat/multilingual-e5-small',
    revision: 'fd1525a9fd15316a2d503bf26ab031a61d056e98',
    files: {
      'model.safetensors': {
        bytes: 470_641_600,
        sha256: '1a55775f53449dac10a2bcbc312469fac40b96d53198c407081a831f81c98477',
      },
      'tokenizer.json': {
        bytes: 17_082_730,
        sha256: '0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39',
      },
    },
    maxTokens: 512,
    pooling: 'mean',
    queryPrefix: 'query: ',
    passagePrefix: 'passage: ',
    languages: null,
    // See docs/decisions/words-written-two-ways.md.
    matchFloors: { weak: 0.2, doubtful: 0.34, meaning: 0.6 },
  },
];

const usualHub = 'https://huggingface.co';

export async function openModels(given: {
  folder: string;
  hub?: string | undefined;
  clock: Clock;
  proxies: Proxies;
}): Promise<ModelsService> {
  const [{ createModelsService }, { createDownloader }] = await Promise.all([
    import('../services/operating/models.ts'),
    import('../fetching/download.ts'),
  ]);
  const { folder, hub = usualHub, clock, proxies } = given;
  return createModelsService({
    folder,
    hub,
    models: installableModels,
    openDownloader: () => createDownloader(clock, proxies),
  });
}
