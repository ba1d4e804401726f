import type { Control } from '../store/control.ts';
import type { Store } from '../store/store.ts';

/** Notes how many items of an account have failed, for those who ask about all accounts. Of an account with work waiting its own file is asked. */
export async function noteFailedItems(control: Control, store: Store): Promise<void> {
  await control.noteFailedItems(store.accountId, (await store.countJobs()).failed);
}
