import type { ActionItem } from '../../../src/domain/records/analyses/action.ts';
import type { FoundPassage } from '../../../src/store/records/search-records.ts';
import type { Store } from '../../../src/store/store.ts';

/* What tests want to know of a store and the program does not ask: each is put together from methods of the port. */

/** Items that wait for a worker or have one, those in the background included. */
export async function countUnfinishedJobs(store: Store): Promise<number> {
  const { waiting, running, background } = await store.countJobs();
  return waiting + running + background;
}

/** All passages of an item, in the order of its text. */
export async function listPassages(store: Store, contentId: string): Promise<FoundPassage[]> {
  const all = await store.sampleItem(contentId, null, Number.MAX_SAFE_INTEGER);
  return store.readPassages(all.map(({ passageId }) => passageId));
}

/** Whether there is maintenance once the engine has tidied up. */
export async function hasMaintenanceLeft(store: Store): Promise<boolean> {
  while (await store.maintain());
  return store.hasMaintenance();
}

/** An action by its id; null when there is none. A change that changes nothing returns the action as it is. */
export function readAction(store: Store, id: string): Promise<ActionItem | null> {
  return store.updateAction(id, {});
}
