import { isModelSet, proxiesOf, type Config } from '../settings/config.ts';
import type { VerifyDraft } from '../domain/drafts/analysis-draft.ts';
import type { Clock } from '../domain/clock.ts';
import { lazily } from '../domain/lazily.ts';
import type { Log } from '../log.ts';
import { createClaude } from '../models/analysis/claude/claude.ts';
import type { LlmAnalyst } from '../models/analysis/llm-analyst.ts';
import { LlmAnalysisQueue } from '../pipeline/llm-analysis-queue.ts';
import type { TextWorkerPool } from '../pipeline/text-worker/text-worker-pool.ts';
import type { Stores } from '../store/store.ts';

/** The model that writes analyses, and the queue that gives it items; both null when the settings name no model. */
export interface LlmAnalysis {
  analyst: LlmAnalyst | null;
  queue: LlmAnalysisQueue | null;
  close(): Promise<void>;
}

/**
 * Builds the model and its queue; a part of `app.ts`. Nothing is requested before the first item.
 * @param given a model instead of the one that the settings choose
 */
export function openLlmAnalysis(
  config: Config,
  {
    stores,
    clock,
    log,
    texts,
  }: { stores: Stores; clock: Clock; log: Log; texts: Pick<TextWorkerPool, 'verify' | 'place'> },
  given: LlmAnalyst | null | undefined,
): LlmAnalysis {
  const provider = lazily(async () => {
    const { createProviderFetch } = await import('../fetching/provider-fetch.ts');
    return createProviderFetch(config.claudeBaseUrl, config.claudeTimeoutSeconds * 1_000, undefined, proxiesOf(config));
  });
  const analyst =
    given === undefined
      ? chooseLlmAnalyst(config, async (...call) => (await provider.get()).fetch(...call), texts.verify)
      : given;
  const queue =
    analyst === null
      ? null
      : new LlmAnalysisQueue({
          stores,
          llmAnalyst: analyst,
          place: texts.place,
          clock,
          log,
          budget: {
            tokensPerDay: config.claudeTokensPerDay,
            costMicrosPerDay: config.claudeDollarsPerDay * 1_000_000,
          },
          concurrency: config.claudeItemsAtOnce,
          maxAttempts: config.maxAttempts,
        });
  return {
    analyst,
    queue,
    async close() {
      await provider.made()?.then((one) => one.close());
    },
  };
}

/** Sections that are read of one item: with sections of 60,000 tokens, the length of ten novels. */
const maxSections = 20;

/** The model that the settings name, by an API key or by a server other than the usual one; null without either. */
function chooseLlmAnalyst(config: Config, fetch: typeof globalThis.fetch, verify: VerifyDraft): LlmAnalyst | null {
  if (!isModelSet(config)) return null;
  return createClaude(
    {
      apiKey: config.claudeApiKey,
      baseUrl: config.claudeBaseUrl,
      model: config.claudeModel,
      inputPrice: config.claudeInputPrice,
      outputPrice: config.claudeOutputPrice,
      sectionTokens: config.claudeSectionTokens,
      maxSections,
      timeoutMs: config.claudeTimeoutSeconds * 1_000,
    },
    fetch,
    verify,
  );
}
