import { setImmediate } from 'node:timers/promises';
import { linkActionsToGoals } from './link-goals.ts';
import type { MatchGoals } from './text-worker-pool.ts';
import type { Store } from '../store/store.ts';

/** Items purged in one write: a long book takes some hundred milliseconds, and other writes wait meanwhile. */
const purgedAtOnce = 4;

/**
 * Does an account's maintenance: purges expired items, links actions to goals and lets the engine tidy up. It may be
 * killed at any time; the rest is done the next time.
 */
export async function doMaintenance(store: Store, matchGoals: MatchGoals, signal: AbortSignal): Promise<void> {
  while ((await store.purgeExpired(purgedAtOnce)) === purgedAtOnce) {
    await setImmediate();
    signal.throwIfAborted();
  }
  await linkActionsToGoals(store, matchGoals, signal);
  while (await store.maintain()) {
    await setImmediate();
    signal.throwIfAborted();
  }
}
