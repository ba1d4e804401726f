import { minTagged } from '../domain/records/limits.ts';
import type { Store } from './store.ts';

const maxTold = 60;

/** The person's own tags that may be proposed, the most used first. */
export async function ownTags(store: Pick<Store, 'listTags'>): Promise<string[]> {
  const { items } = await store.listTags({ limit: maxTold, offset: 0 });
  return items.filter(({ count }) => count >= minTagged).map(({ tag }) => tag);
}
