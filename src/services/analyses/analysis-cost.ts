import type { ContentSummary } from '../../domain/records/content.ts';
import type { LlmAnalyst } from '../../models/analysis/analyst.ts';
import type { Store, Stores } from '../../store/store.ts';

export interface AnalysisCost {
  model: string;
  items: number;
  inputTokens: number;
  outputTokens: number;
  /** Dollars, by the prices of the settings. */
  costUsd: number;
}

/** Average of running text, including the space after a word. */
const charactersPerWord = 6;
const pageSize = 100;

/** @param ids of the items; absent: all items of the account */
export async function estimateAnalysisCost(
  stores: Stores,
  account: string,
  writer: Pick<LlmAnalyst, 'model' | 'estimate'>,
  ids?: readonly string[],
): Promise<AnalysisCost> {
  const store = await stores.open(account);
  const sum = { items: 0, inputTokens: 0, outputTokens: 0, costMicros: 0 };
  const add = (item: ContentSummary) => {
    // Copies and items without text are not analysed.
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

/** Counts the items, of `ids` or of all, whose analysis an assistant or a model wrote. */
export async function countWrittenAnalyses(stores: Stores, account: string, ids?: readonly string[]): Promise<number> {
  let count = 0;
  for await (const { analysis } of itemsOf(await stores.open(account), ids)) {
    if (analysis !== null && analysis.by !== 'extractive') count += 1;
  }
  return count;
}

/** Counts the analyses that the LLM still has to write, including those in progress. */
export async function countWaitingAnalyses(stores: Stores, account: string): Promise<number> {
  const { waiting, claimed } = await (await stores.open(account)).countLlmAnalyses();
  return waiting + claimed;
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
