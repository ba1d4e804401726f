import type { Writer } from '../models/writer.ts';
import type { Stores } from '../store/store.ts';

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
  writer: Pick<Writer, 'model' | 'estimate'>,
  ids?: readonly string[],
): Promise<AnalysisCost> {
  const store = await stores.open(account);
  const sum = { items: 0, inputTokens: 0, outputTokens: 0, costMicros: 0 };
  const add = (item: { wordCount: number | null; duplicateOf: string | null } | null) => {
    // Copies are not analysed, nor is what has no text.
    if (item === null || item.wordCount === null || item.wordCount === 0 || item.duplicateOf !== null) return;
    const usage = writer.estimate(item.wordCount * charactersPerWord);
    sum.items += 1;
    sum.inputTokens += usage.inputTokens;
    sum.outputTokens += usage.outputTokens;
    sum.costMicros += usage.costMicros;
  };
  for (const id of ids ?? []) add(await store.getContentSummary(id));
  if (ids === undefined) {
    for (let offset = 0; ; offset += pageSize) {
      const { items } = await store.listContent({ limit: pageSize, offset });
      for (const item of items) add(item);
      if (items.length < pageSize) break;
    }
  }
  const { costMicros, ...rest } = sum;
  return { model: writer.model, ...rest, costUsd: costMicros / 1_000_000 };
}
