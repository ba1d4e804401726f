import type { Control } from '../../store/control.ts';
import type { Store } from '../../store/store.ts';

/**
 * Stores an account's number of failed items in `control.db`, for callers that ask about all accounts. For an account
 * with waiting work, they read its own file.
 */
export async function noteFailedItems(control: Control, store: Store): Promise<void> {
  await control.noteFailedItems(store.accountId, (await store.countJobs()).failed);
}
