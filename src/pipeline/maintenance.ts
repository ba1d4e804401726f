import { setImmediate } from 'node:timers/promises';
import { linkActionsToGoals } from './link-goals.ts';
import type { MatchGoals } from './text-worker-pool.ts';
import type { Store } from '../store/store.ts';

/** Items purged in one write: a long book takes some hundred milliseconds, and other writes wait meanwhile. */
const purgedAtOnce = 4;
/**
 * Steps of tidying up, of some 50 ms each, before other accounts get their turn. After an update that indexes words in
 * another way, a large account has thousands.
 */
const maxSteps = 50;

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
  for (let step = 0; step < maxSteps && (await store.maintain()); step += 1) {
    await setImmediate();
    signal.throwIfAborted();
  }
}
