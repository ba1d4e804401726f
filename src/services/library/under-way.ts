import type { ContentSummary } from '../../domain/records/content.ts';
import type { Store } from '../../store/store.ts';

/** What is being processed at a moment. */
export interface UnderWay {
  counts: { searchable: number; pending: number; failed: number };
  /** Items that are processed or wait for it, the newest ones, and those that were asked for, in any state. */
  items: ContentSummary[];
}

/** Items of each state that are looked at. */
const maxItems = 20;

/** @param ids further items to look at; those that do not exist any more are left out */
export async function readUnderWay(store: Store, ids: readonly string[]): Promise<UnderWay> {
  const query = { limit: maxItems, offset: 0 };
  const [{ searchable, pending, failed }, processing, waiting] = await Promise.all([
    store.coverage(),
    store.listContent({ ...query, status: 'processing' }),
    store.listContent({ ...query, status: 'pending' }),
  ]);
  const listed = [...processing.items, ...waiting.items];
  const known = new Set(listed.map(({ id }) => id));
  const others = await Promise.all(ids.filter((id) => !known.has(id)).map((id) => store.getContentSummary(id)));
  return {
    counts: { searchable, pending, failed },
    items: [...listed, ...others.filter((item) => item !== null)],
  };
}
