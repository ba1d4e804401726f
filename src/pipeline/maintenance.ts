import { setImmediate } from 'node:timers/promises';
import type { PlaceQuotes } from '../domain/records/highlights/place.ts';
import { findNoteTasks } from './find-note-tasks.ts';
import { linkToGoals } from './link-goals.ts';
import { placeHighlights } from './place-highlights.ts';
import type { FindTasks, MatchGoals } from './text-worker/text-worker-pool.ts';
import type { Store } from '../store/store.ts';

/** Items purged in one write: a long book takes some hundred milliseconds, and other writes wait meanwhile. */
const purgedAtOnce = 4;
/**
 * Steps of tidying up, of some 50 ms each, before other accounts get their turn. After an update that indexes words in
 * another way, a large account has thousands.
 */
const maxSteps = 50;

/** What maintenance asks of the text threads. */
interface MaintenanceTexts {
  findTasks: FindTasks;
  matchGoals: MatchGoals;
  placeQuotes: PlaceQuotes;
}

/**
 * Does an account's maintenance: purges expired items, finds tasks in notes, links actions and insights to goals, places highlights and lets the engine tidy up. It may be
 * killed at any time; the rest is done the next time.
 */
export async function doMaintenance(store: Store, texts: MaintenanceTexts, signal: AbortSignal): Promise<void> {
  while ((await store.purgeExpired(purgedAtOnce)) === purgedAtOnce) {
    await setImmediate();
    signal.throwIfAborted();
  }
  // Before they are linked to goals.
  await findNoteTasks(store, texts.findTasks, signal);
  await linkToGoals(store, texts.matchGoals, signal);
  await placeHighlights(store, texts.placeQuotes, signal);
  for (let step = 0; step < maxSteps && (await store.maintain()); step += 1) {
    await setImmediate();
    signal.throwIfAborted();
  }
}
