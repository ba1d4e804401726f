import { setImmediate as nextTurn } from 'node:timers/promises';
import { localAccountId } from '../domain/records/account.ts';
import { interrupted } from '../errors.ts';
import type { Embedder } from '../models/embedding/index.ts';
/** Searches as a caller does, the whole way. */
export type AskSearch = (query: string, signal: AbortSignal) => Promise<unknown>;

/** Prepares the first search while the program is idle. An account without texts needs none of it. */
export interface SearchPreparation {
  loadModel(accountId?: string): Promise<void>;
  /**
   * Begins to load the model. The first time, it also searches for what the newest items are about: this loads the code of
   * a search and the account's index, and JavaScript that has run often is compiled.
   */
  prepareSearch(accountId: string, ask: AskSearch): Promise<void>;
  /** Somebody asks: gives up the searches. */
  stopPreparing(): void;
}

interface PreparationParts {
  countSearchable(accountId: string): Promise<number>;
  listTitles(accountId: string): Promise<string[]>;
  embedder: Pick<Embedder, 'load' | 'embedQuery'> | null;
  processorMs(): number;
}

const openings = ['', 'how', 'what is said about', 'why', 'the best'];
const searches = 35;
/** Of this process. The model's process takes some 5 ms a search more. */
const maxProcessorMs = 450;

/** With 100,000 items, loading the index takes 5 s and 600 MB: there, the first question loads it. */
const maxPreparedItems = 10_000;

export function createSearchPreparation({
  countSearchable,
  listTitles,
  embedder,
  processorMs,
}: PreparationParts): SearchPreparation {
  const stopped = new AbortController();
  const { signal } = stopped;
  let isPrepared = false;
  const loadModel: SearchPreparation['loadModel'] = async (accountId = localAccountId) => {
    if (embedder?.load !== undefined && (await countSearchable(accountId)) > 0) embedder.load();
  };
  return {
    loadModel,
    async prepareSearch(accountId, ask) {
      if (isPrepared) return loadModel(accountId);
      const items = await countSearchable(accountId);
      if (items === 0) return;
      embedder?.load?.();
      // Another client may have come meanwhile.
      if (isPrepared || items > maxPreparedItems) return;
      isPrepared = true;
      if (signal.aborted) return;
      const before = processorMs();
      const titles = await listTitles(accountId);
      for (let at = 0; at < searches && !signal.aborted && processorMs() - before < maxProcessorMs; at += 1) {
        const question = `${openings[at % openings.length]} ${titles[at % titles.length] ?? 'this'}`.trim();
        await ask(question, signal);
        // The first search is by words alone, while the model loads.
        if (at === 0) await embedder?.embedQuery(question, signal, accountId);
        // Whoever asks meanwhile comes first.
        await nextTurn();
      }
    },
    stopPreparing: () => stopped.abort(interrupted()),
  };
}
