import { localAccountId } from '../domain/records/account.ts';
import type { Embedder } from '../models/embedding/index.ts';
import type { LlmAnalysisQueue } from '../pipeline/llm-analysis-queue.ts';
import type { Config } from '../settings/config.ts';
import type { Stores } from '../store/store.ts';

interface ReadinessParts {
  stores: Stores;
  embedder: Embedder | null;
  llmQueue: Pick<LlmAnalysisQueue, 'whyWaiting'> | null;
}

/** A short state for each part; throws when the data folder cannot be used. */
export async function checkReadiness(
  config: Config,
  { stores, embedder, llmQueue }: ReadinessParts,
): Promise<Record<string, string>> {
  await stores.checkWritable();
  await (await stores.open(localAccountId)).nextJobDueAt();
  return {
    store: 'ok',
    queue: config.workers === 0 ? 'left to another process' : 'processing',
    embedder: embedder === null ? 'off' : config.embedder,
    model: llmQueue === null ? 'off' : (await llmQueue.whyWaiting()) === null ? 'on' : 'paused',
  };
}
