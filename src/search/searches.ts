import type { Searches } from '../store/index-reader.ts';
import { Citations } from './citations.ts';
import { findItems } from './find-items.ts';

/** What every engine runs beside its index. It caches texts: create one for each thread. */
export function createSearches(): Searches {
  const citations = new Citations();
  return {
    findItems: (index, search) => findItems(index, search, citations),
    locate: (index, parts) => citations.locate(index, parts),
  };
}
