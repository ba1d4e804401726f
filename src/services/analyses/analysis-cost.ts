import type { ContentSummary } from '../../domain/records/content.ts';
import type { LlmAnalyst } from '../../models/analysis/llm-analyst.ts';
import type { Store, Stores } from '../../store/store.ts';

/** What analysing items anew will cost, roughly. */
export interface AnalysisCost {
  model: string;
  items: number;
  inputTokens: number;
  outputTokens: number;
  /** Dollars, by the prices of the settings. */
  costUsd: number;
}

/** Of running text, the space after it included. */
const charactersPerWord = 6;
const pageSize = 100;

/** @param ids of some items; absent: of all */
export async function estimateAnalysisCost(
  stores: Stores,
  account: string,
  writer: Pick<LlmAnalyst, 'model' | 'estimate'>,
  ids?: readonly string[],
): Promise<AnalysisCost> {
  const store = await stores.open(account);
  const sum = { items: 0, inputTokens: 0, outputTokens: 0, costMicros: 0 };
  const add = (item: ContentSummary) => {
    // Copies are not analysed, nor is what has no text.
    if (item.wordCount === null || item.wordCount === 0 || item.duplicateOf !== null) return;
    const usage = writer.estimate(item.wordCount * charactersPerWord);
    sum.items += 1;
    sum.inputTokens += usage.inputTokens;
    sum.outputTokens += usage.outputTokens;
    sum.costMicros += usage.costMicros;
  };
  for await (const item of itemsOf(store, ids)) add(item);
  const { costMicros, ...rest } = sum;
  return { model: writer.model, ...rest, costUsd: costMicros / 1_000_000 };
}

/** Of these items, or of all, those whose analysis an assistant or a model wrote. */
export async function countWrittenAnalyses(stores: Stores, account: string, ids?: readonly string[]): Promise<number> {
  let count = 0;
  for await (const { analysis } of itemsOf(await stores.open(account), ids)) {
    if (analysis !== null && analysis.by !== 'extractive') count += 1;
  }
  return count;
}

async function* itemsOf(store: Store, ids?: readonly string[]): AsyncGenerator<ContentSummary> {
  for (const id of ids ?? []) {
    const item = await store.getContentSummary(id);
    if (item !== null) yield item;
  }
  if (ids !== undefined) return;
  for (let offset = 0; ; offset += pageSize) {
    const { items } = await store.listContent({ limit: pageSize, offset });
    yield* items;
    if (items.length < pageSize) return;
  }
}
