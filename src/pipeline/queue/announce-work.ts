import type { Store, Stores } from '../../store/store.ts';
import { noteFailedItems } from './failed-items.ts';

/**
 * Announces work for every account that has some: a crash or another process may have lost the hint.
 * @returns false when it was stopped before it had looked at all accounts
 */
export async function announceAllWork(
  { control, open }: Pick<Stores, 'control' | 'open'>,
  isStopped: () => boolean,
): Promise<boolean> {
  const known = new Set((await control.accountsWithWork()).map((entry) => entry.accountId));
  const hasWork = async (store: Store): Promise<boolean> => {
    await noteFailedItems(control, store);
    return (await store.hasMaintenance()) || (await store.nextJobDueAt()) !== null;
  };
  for (const { id } of await control.listAccounts()) {
    if (isStopped()) return false;
    if (known.has(id)) continue;
    // An account that cannot be opened counts as having work: taking its jobs will report the error.
    if (
      await open(id)
        .then(hasWork)
        .catch(() => true)
    )
      await control.announceWork(id);
  }
  return true;
}
