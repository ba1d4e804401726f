import type { Store, Stores } from '../../store/store.ts';

/**
 * Stores an account's number of failed items in `control.db`, for callers that ask about all accounts. For an account
 * with waiting work, they read its own file.
 */
export async function noteFailedItems(control: Stores['control'], store: Store): Promise<void> {
  await control.noteFailedItems(store.accountId, (await store.countJobs()).failed);
}
