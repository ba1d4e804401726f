import { isModelSet, proxiesOf, type Config } from '../settings/config.ts';
import type { VerifyDraft } from '../domain/drafts/analysis-draft.ts';
import type { Clock } from '../domain/clock.ts';
import { lazily } from '../domain/lazily.ts';
import type { Log } from '../workers/log.ts';
import { createClaude } from '../models/analysis/claude/claude.ts';
import type { LlmAnalyst } from '../models/analysis/analyst.ts';
import { LlmAnalysisQueue } from '../pipeline/llm-analysis-queue.ts';
import type { TextWorkerPool } from '../pipeline/text-worker/text-worker-pool.ts';
import type { AppOverrides } from './app-overrides.ts';
import { maxAttempts } from '../pipeline/queue/retry.ts';
import type { Stores } from '../store/store.ts';

/** The model that writes analyses, and the queue that gives it items; both null when the settings name no model. */
export interface LlmAnalysis {
  analyst: LlmAnalyst | null;
  queue: LlmAnalysisQueue | null;
  close(): Promise<void>;
}

/** Nothing is requested before the first item. @param overrides `llmAnalyst`: instead of the settings' choice */
export function openLlmAnalysis(
  config: Config,
  {
    stores,
    clock,
    log,
    texts,
  }: { stores: Stores; clock: Clock; log: Log; texts: Pick<TextWorkerPool, 'verify' | 'place'> },
  { llmAnalyst: given, analysesAtOnce = 2 }: Pick<AppOverrides, 'llmAnalyst' | 'analysesAtOnce'>,
): LlmAnalysis {
  const provider = lazily(async () => {
    const { createProviderFetch } = await import('../fetching/provider-fetch.ts');
    return createProviderFetch(config.claudeBaseUrl, answerMs, undefined, proxiesOf(config));
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
          costMicrosPerDay: config.claudeDollarsPerDay * 1_000_000,
          concurrency: analysesAtOnce,
          maxAttempts,
        });
  return {
    analyst,
    queue,
    async close() {
      await provider.made()?.then((one) => one.close());
    },
  };
}

/** For one answer: as long as the API itself gives an answer that is not streamed. A model on a processor needs minutes. */
const answerMs = 600_000;
/** Longest text in one call, in tokens of 4 characters; a longer one is read section by section. */
const sectionTokens = 60_000;
/** The same for another server: models of Ollama and LM Studio often read 8,000 to 32,000 tokens, and leave out the rest without a word. */
const sectionTokensElsewhere = 6_000;
/** Sections that are read of one item: with sections of 60,000 tokens, the length of ten novels. */
const maxSections = 20;

/** The model that the settings name, by an API key or by a server other than the usual one; null without either. */
function chooseLlmAnalyst(config: Config, fetch: typeof globalThis.fetch, verify: VerifyDraft): LlmAnalyst | null {
  if (!isModelSet(config)) return null;
  const [inputPrice = 0, outputPrice = 0] = config.claudePrices;
  return createClaude(
    {
      apiKey: config.claudeApiKey,
      baseUrl: config.claudeBaseUrl,
      model: config.claudeModel,
      inputPrice,
      outputPrice,
      sectionTokens: config.origins.claudeBaseUrl === 'default' ? sectionTokens : sectionTokensElsewhere,
      maxSections,
      timeoutMs: answerMs,
    },
    fetch,
    verify,
  );
}
