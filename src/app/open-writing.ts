import { isModelSet, type Config } from '../config.ts';
import type { VerifyDraft } from '../domain/drafts/analysis-draft.ts';
import type { Clock } from '../domain/clock.ts';
import { lazily } from '../lazily.ts';
import type { Log } from '../log.ts';
import { createClaude } from '../models/analysis/claude/claude.ts';
import type { LlmAnalyst } from '../models/analysis/llm-analyst.ts';
import { BetterAnalyses } from '../pipeline/llm-analysis-queue.ts';
import type { TextThread } from '../pipeline/text-worker-pool.ts';
import type { Stores } from '../store/store.ts';

/** The model that writes better analyses, and what hands it items; both null where the settings name none. */
export interface Writing {
  writer: LlmAnalyst | null;
  writing: BetterAnalyses | null;
  close(): Promise<void>;
}

/**
 * Builds what lets a model write; a part of `app.ts`. Nothing is asked before the first item.
 * @param given instead of what the settings choose
 */
export function openWriting(
  config: Config,
  {
    stores,
    clock,
    log,
    texts,
  }: { stores: Stores; clock: Clock; log: Log; texts: Pick<TextThread, 'verify' | 'place'> },
  given: LlmAnalyst | null | undefined,
): Writing {
  const provider = lazily(async () => {
    const { createProviderFetch } = await import('../fetching/provider-fetch.ts');
    return createProviderFetch(config.claudeBaseUrl, config.claudeTimeoutSeconds * 1_000);
  });
  const writer =
    given === undefined
      ? chooseWriter(config, async (...call) => (await provider.get()).fetch(...call), texts.verify)
      : given;
  const writing =
    writer === null
      ? null
      : new BetterAnalyses({
          stores,
          writer,
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
    writer,
    writing,
    async close() {
      await provider.made()?.then((one) => one.close());
    },
  };
}

/** A model that writes summaries where the settings name one: by a key, or by another server than the usual one. */
function chooseWriter(config: Config, fetch: typeof globalThis.fetch, verify: VerifyDraft): LlmAnalyst | null {
  if (!isModelSet(config)) return null;
  return createClaude(
    {
      apiKey: config.claudeApiKey,
      baseUrl: config.claudeBaseUrl,
      model: config.claudeModel,
      inputPrice: config.claudeInputPrice,
      outputPrice: config.claudeOutputPrice,
      sectionTokens: config.claudeSectionTokens,
      maxSections: config.claudeMostSections,
      timeoutMs: config.claudeTimeoutSeconds * 1_000,
    },
    fetch,
    verify,
  );
}
