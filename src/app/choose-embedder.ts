import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from '../settings/config.ts';
import type { Clock } from '../domain/clock.ts';
import { ProcessingError } from '../errors.ts';
import type { Log } from '../log.ts';
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
} from '../models/embedding/index.ts';
import type { TakeModelAhead } from './model-ahead.ts';
import { installableNames } from '../settings/settings.ts';

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
/** Passages in one request: servers on one's own machine take no more (32 in Text Embeddings Inference). */
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
