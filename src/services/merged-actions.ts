import type { ExportedItem } from '../domain/records/transfers/exported.ts';
import type { Store } from '../store/store.ts';

/* Actions that stand for others of other items, when whole records are restored: all items have to be there first. */

export interface ActionMerge {
  id: string;
  into: string;
}

export function mergesOf({ actions }: Pick<ExportedItem, 'actions'>): ActionMerge[] {
  return actions.flatMap(({ id, mergedInto }) => (mergedInto === null ? [] : [{ id, into: mergedInto }]));
}

const mergedAtOnce = 1_000;

/** In writes of bounded length. */
export async function restoreAllMerges(
  library: Pick<Store, 'restoreMerges'>,
  merges: readonly ActionMerge[],
): Promise<void> {
  for (let from = 0; from < merges.length; from += mergedAtOnce)
    await library.restoreMerges(merges.slice(from, from + mergedAtOnce));
}
