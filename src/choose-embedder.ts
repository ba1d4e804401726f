import { join } from 'node:path';
import type { Config } from './config.ts';
import type { Clock } from './domain/clock.ts';
import { ProcessingError } from './errors.ts';
import type { Log } from './log.ts';
import type { Embedder } from './models/embedder.ts';
import { findEmbeddingProfile, type EmbeddingProfile } from './models/embedding-profiles.ts';
import { openMeasuredModels } from './models/measured-models.ts';
import { createMiniLm } from './models/minilm.ts';
import { createOpenAiEmbedder } from './models/openai-embedder.ts';

export interface EmbedderParts {
  clock: Clock;
  log: Log;
  random: () => number;
  /** Reaches `embeddingBaseUrl` and nothing else. */
  fetch: typeof globalThis.fetch;
}

/** The embedder that the settings name; a part of `app.ts`. Nothing is asked, loaded or started before its first use. */
export function chooseEmbedder(config: Config, { clock, log, random, fetch }: EmbedderParts): Embedder | null {
  if (config.embedder === 'none') return null;
  if (config.embedder === 'builtin') return createMiniLm({ idleMs: config.embedderIdleSeconds * 1_000, log });
  return createOpenAiEmbedder(
    {
      baseUrl: config.embeddingBaseUrl,
      apiKey: config.embeddingApiKey,
      model: config.embeddingModel,
      dimensions: config.embeddingDimensions,
      profile: profileOf(config),
      batchTexts: config.embeddingBatchTexts,
      batchTokens: config.embeddingBatchTokens,
      requestsPerMinute: config.embeddingRequestsPerMinute,
      timeoutMs: config.embeddingTimeoutSeconds * 1_000,
    },
    { fetch, measured: openMeasuredModels(join(config.data, 'embedding-models.json')), clock, log, random },
  );
}

/** What is known of the model, and over it what the settings say. */
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

/** What there is to say of the embedder. A server is asked once, with a question of ours, whether it answers. */
export async function describeEmbedder(
  config: Config,
  embedder: Embedder,
): Promise<{ id: string; languages: readonly string[] | null; place: string | null; problem: string | null }> {
  if (config.embedder !== 'openai') {
    return { id: embedder.id, languages: embedder.languages, place: null, problem: null };
  }
  const problem = await embedder.embedQuery('Does this work?', AbortSignal.timeout(checkLimitMs)).then(
    () => null,
    (error: unknown) =>
      error instanceof ProcessingError ? error.message : `No answer within ${checkLimitMs / 1_000} seconds.`,
  );
  return { id: embedder.id, languages: embedder.languages, place: new URL(config.embeddingBaseUrl).host, problem };
}
