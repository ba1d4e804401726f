import { setImmediate } from 'node:timers/promises';
import { linkActionsToGoals } from './link-goals.ts';
import type { MatchGoals } from './text-worker-pool.ts';
import type { Store } from '../store/store.ts';

/** Items purged in one write: a long book takes some hundred milliseconds, and other writes wait meanwhile. */
const purgedAtOnce = 4;

export async function hasMaintenance(store: Store): Promise<boolean> {
  return (await store.hasMaintenance()) || store.hasWordsToMerge();
}

/**
 * Does an account's maintenance: purges expired items, links actions to goals and merges the word index. It may be
 * killed at any time; the rest is done the next time.
 */
export async function doMaintenance(store: Store, matchGoals: MatchGoals, signal: AbortSignal): Promise<void> {
  while ((await store.purgeExpired(purgedAtOnce)) === purgedAtOnce) {
    await setImmediate();
    signal.throwIfAborted();
  }
  await linkActionsToGoals(store, matchGoals, signal);
  while (await store.hasWordsToMerge()) {
    await store.mergeWords();
    await setImmediate();
    signal.throwIfAborted();
  }
}
