import { createHash } from 'node:crypto';
import { AppError } from '../../../errors.ts';
import type { RankedPassage } from '../../../domain/records/passage.ts';
import { type Filter, leavesOf, replaced } from '../../../domain/search/filter.ts';
import { all, type Db, type Steps } from '../../library/db.ts';
import { conditionOf, resolveFilter } from '../../library/items/filter.ts';
import { listContent, listTitles } from '../../library/items/reading.ts';
import type { ContentQuery } from '../../records.ts';
import { postgresDb, runSteps } from '../postgres-db.ts';
import type { SearchMethods, Store } from '../../store.ts';
import type * as searching from '../../records/search-records.ts';
import type { AccountAccess, AccountTx } from '../account-access.ts';
import type { CopyReads, IndexNode } from './index-node.ts';
import { countVectors, keepVectors, listEmbedders, listPassagesToEmbed } from './vectors.ts';
import { type PastQuery, foldedQuery, maxPastQueries } from '../../records/search-records.ts';

/**
 * The methods for searches. A part of `createPostgresStore`. Vectors and past queries are records; everything else is
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
  /** What a copy has no records of is asked of the database. */
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

    listPassagesToEmbed: (embedderId, limit, which = {}) =>
      access.read((db) => listPassagesToEmbed(db, embedderId, limit, which)),
    keepVectors: (embedderId, vectors) => access.write((db) => keepVectors(db, embedderId, vectors)),
    countVectors: (embedderId, languages = null) => access.read((db) => countVectors(db, embedderId, languages)),
    listEmbedders: () => access.read(listEmbedders),

    rememberQuery: (text) => access.write((db) => rememberQuery(db, text)),
    listPastQueries: () => access.read(listPastQueries),
    forgetQueries: () => access.write(forgetQueries),
  };
}

const recordsOnly = ['shelf', 'read', 'readAt', 'has', 'words', 'goal', 'list'] as const;
/** Whether a filter has something that copies have no records of, and nothing that only they know. */
function isForDatabase(filter: Filter): boolean {
  const leaves = [...leavesOf(filter)];
  return !leaves.some((leaf) => 'word' in leaf) && leaves.some((leaf) => recordsOnly.some((kind) => kind in leaf));
}

/** For each of these, the items that it lets through. */
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
  return new AppError('unavailable', 'This server does not search. Ask one that does.');
}

/** Queries may be longer than what an index holds: the key is a hash. */
async function rememberQuery({ sql, account, now }: AccountTx, text: string): Promise<void> {
  const folded = foldedQuery(text);
  await sql`
    INSERT INTO past_queries AS q (account_id, folded_hash, folded, text, times, asked_at)
    VALUES (${account}, ${createHash('sha256').update(folded).digest()}, ${folded}, ${text}, 1, ${now})
    ON CONFLICT (account_id, folded_hash) DO UPDATE
      SET text = excluded.text, times = q.times + 1, asked_at = excluded.asked_at`;
  await sql`
    DELETE FROM past_queries WHERE account_id = ${account} AND folded_hash IN (
      SELECT folded_hash FROM past_queries WHERE account_id = ${account}
      ORDER BY asked_at DESC, folded COLLATE "C" OFFSET ${maxPastQueries})`;
}

async function listPastQueries({ sql, account }: AccountTx): Promise<PastQuery[]> {
  const rows = await sql<PastQuery[]>`
    SELECT text, times, asked_at FROM past_queries WHERE account_id = ${account}
    ORDER BY asked_at DESC, folded COLLATE "C" LIMIT ${maxPastQueries}`;
  return [...rows];
}

async function forgetQueries({ sql, account }: AccountTx): Promise<number> {
  const gone = await sql`DELETE FROM past_queries WHERE account_id = ${account}`;
  return gone.count;
}
