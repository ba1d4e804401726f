import type { AppError } from '../../../errors.ts';
import { unavailable } from '../../../errors.ts';
import type { RankedPassage } from '../../../domain/records/texts/passage.ts';
import { type Filter, leavesOf, replaced } from '../../../domain/search/filter.ts';
import { all, type Db, type Steps } from '../../library/db.ts';
import { conditionOf, resolveFilter } from '../../library/items/filter.ts';
import { listContent, listTitles } from '../../library/items/reading.ts';
import type { ContentQuery } from '../../records.ts';
import { postgresDb, runSteps } from '../postgres-db.ts';
import type { SearchMethods, Store } from '../../store.ts';
import type * as searching from '../../records/search-records.ts';
import type { AccountAccess } from '../account-access.ts';
import type { CopyReads, IndexNode } from './index-node.ts';
import { keepVectors, listEmbedders } from './vectors.ts';

/**
 * The methods for searches. A part of `createPostgresStore`. Vectors are records; everything else is
 * read in this node's copy of the account's index.
 * @param index null on a node that does not search
 */
export function searchesOf(
  access: AccountAccess,
  index: IndexNode | null,
  signal: AbortSignal | undefined,
): SearchMethods & Pick<Store, 'listContent' | 'listTitles' | 'resolveFilter'> {
  const search = async <T>(read: (reads: CopyReads) => Promise<T>): Promise<T> => {
    if (index === null) throw noIndex();
    return index.search(access, signal, read);
  };
  const inDatabase = <T>(steps: (db: Db) => Steps<T>): Promise<T> =>
    access.read((db) => runSteps(db, steps(postgresDb(db))));
  /** The filter with words replaced by the items that have them: only copies know words. */
  const withoutWords = async (filter: Filter): Promise<Filter> => {
    const resolved = await inDatabase((db) => resolveFilter(db, filter));
    const words = [...new Set([...leavesOf(resolved)].flatMap((one) => ('word' in one ? [one.word] : [])))];
    if (words.length === 0) return resolved;
    const items = await search((reads) => reads.itemsWithWords(words));
    return replaced(resolved, (one) => ('word' in one ? { items: items[words.indexOf(one.word)] ?? [] } : null));
  };
  /** Records that a replica lacks are read from the database. */
  const forCopy = async (filter: Filter): Promise<Filter> => {
    const resolved = await inDatabase((db) => resolveFilter(db, filter));
    const parts = new Map<string, Filter>();
    replaced(resolved, (one) => {
      if (isForDatabase(one)) parts.set(JSON.stringify(one), one);
      return isForDatabase(one) ? one : null;
    });
    if (parts.size === 0) return resolved;
    const items = await inDatabase((db) => itemsOf(db, parts));
    return replaced(resolved, (one) => items.get(JSON.stringify(one)) ?? null);
  };
  const listed = async (query: ContentQuery): Promise<ContentQuery> =>
    query.filter ? { ...query, filter: await withoutWords(query.filter) } : query;
  return {
    listContent: async (query) => {
      const asked = await listed(query);
      return inDatabase((db) => listContent(db, asked));
    },
    listTitles: async (query) => {
      const asked = await listed(query);
      return inDatabase((db) => listTitles(db, asked));
    },
    resolveFilter: forCopy,
    itemsWithWords: (words) => search((reads) => reads.itemsWithWords(words)),
    askIndex: (method, argument, vectors, items) => search((reads) => reads.askIndex(method, argument, vectors, items)),
    searchWords: (query: string, filter: searching.PassageFilter, limit: number): Promise<RankedPassage[]> =>
      search((reads) => reads.searchWords(query, filter, limit)),
    searchVectors: (embedderId: string, query: Float32Array, filter: searching.PassageFilter, limit: number) =>
      search((reads) => reads.searchVectors(embedderId, query, filter, limit)),
    readPassages: (passageIds: readonly number[]) => search((reads) => reads.readPassages(passageIds)),
    sampleItem: (contentId: string, embedderId: string | null, limit: number) =>
      search((reads) => reads.sampleItem(contentId, embedderId, limit)),
    listNamesLike: (typed: string, limit: number, items?: readonly number[]) =>
      search((reads) => reads.listNamesLike(typed, limit, items)),

    keepVectors: (embedderId, vectors) => access.write((db) => keepVectors(db, embedderId, vectors)),
    listEmbedders: () => access.read(listEmbedders),
  };
}

const recordsOnly = ['shelf', 'read', 'readAt', 'has', 'words', 'goal', 'list'] as const;
/** Whether a filter has something that copies have no records of, and nothing that only they know. */
function isForDatabase(filter: Filter): boolean {
  const leaves = [...leavesOf(filter)];
  return !leaves.some((leaf) => 'word' in leaf) && leaves.some((leaf) => recordsOnly.some((kind) => kind in leaf));
}

function* itemsOf(db: Db, parts: ReadonlyMap<string, Filter>): Steps<Map<string, Filter>> {
  const found = new Map<string, Filter>();
  for (const [key, filter] of parts) {
    const rows = yield* all<{ seq: number }>`
      SELECT i.seq FROM items i WHERE ${db.of('i')} AND i.deleted_at IS NULL AND ${conditionOf(db, filter)}`;
    found.set(key, { items: rows.map(({ seq }) => Number(seq)) });
  }
  return found;
}

function noIndex(): AppError {
  return unavailable('This server does not search. Ask one that does.');
}
