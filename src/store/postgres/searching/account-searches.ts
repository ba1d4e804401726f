import { AppError } from '../../../errors.ts';
import type { RankedPassage } from '../../../domain/records/passage.ts';
import type { SearchIndex } from '../../search-index.ts';
import type * as searching from '../../records/search-records.ts';
import type { WorkQueue } from '../../work-queue.ts';
import type { AccountAccess } from '../account-access.ts';
import type { CopyReads, IndexNode } from './index-node.ts';
import { forgetQueries, listPastQueries, rememberQuery } from './past-queries.ts';
import { countVectors, keepVectors, listEmbedders, listPassagesToEmbed } from './vectors.ts';

/**
 * The methods for searches. A part of `createPostgresStore`. Vectors and past queries are records; everything else is
 * read in this node's copy of the account's index.
 * @param index null on a node that does not search
 */
export function searchesOf(
  access: AccountAccess,
  index: IndexNode | null,
  signal: AbortSignal | undefined,
): SearchIndex & Pick<WorkQueue, 'keepVectors'> {
  const search = async <T>(read: (reads: CopyReads) => Promise<T>): Promise<T> => {
    if (index === null) throw noIndex();
    return index.search(access, signal, read);
  };
  return {
    askIndex: (method, argument, vectors) => search((reads) => reads.askIndex(method, argument, vectors)),
    searchWords: (query: string, filter: searching.PassageFilter, limit: number): Promise<RankedPassage[]> =>
      search((reads) => reads.searchWords(query, filter, limit)),
    searchVectors: (embedderId: string, query: Float32Array, filter: searching.PassageFilter, limit: number) =>
      search((reads) => reads.searchVectors(embedderId, query, filter, limit)),
    readPassages: (passageIds: readonly number[]) => search((reads) => reads.readPassages(passageIds)),
    sampleItem: (contentId: string, embedderId: string | null, limit: number) =>
      search((reads) => reads.sampleItem(contentId, embedderId, limit)),
    listNamesLike: (typed: string, limit: number) => search((reads) => reads.listNamesLike(typed, limit)),

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

function noIndex(): AppError {
  return new AppError('unavailable', 'This server does not search. Ask one that does.');
}
