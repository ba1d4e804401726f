import type { Searches } from '../../index-reader.ts';
import type { ItemSearch, PassageFilter, PassagePart } from '../../records/search-records.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { IndexReaders } from './index-reader.ts';
import { AttachedVectorCaches } from './vector-cache/attached-vector-caches.ts';
import type { VectorMemory } from './vector-cache/vector-memories.ts';
import { searchVectors } from './vectors.ts';

/**
 * The reads that keep something between calls: texts, and views of vectors in memory. Each reads one state of the file.
 * Create once for each thread.
 */
export function createSearchReads(searches: Searches) {
  const caches = new AttachedVectorCaches();
  const readers = new IndexReaders();
  return {
    /** @param memories by the embedder's id */
    findItems: (
      file: SqliteFile,
      _asked: unknown,
      search: ItemSearch,
      memories: Readonly<Record<string, VectorMemory | null>>,
    ) =>
      file.read(() => {
        const index = readers.open(file, (embedderId, vector, filter, limit) => {
          const cacheOf = (embedder: number) => caches.of(memories[embedderId] ?? null, embedder);
          return searchVectors(file, embedderId, vector, filter, limit, cacheOf);
        });
        return searches.findItems(index, search);
      }),
    locate: (file: SqliteFile, _asked: unknown, parts: readonly PassagePart[]) =>
      file.read(() => {
        const index = readers.open(file, (embedderId, vector, filter, limit) =>
          searchVectors(file, embedderId, vector, filter, limit, () => null),
        );
        return searches.locate(index, parts);
      }),
    searchVectors: (
      file: SqliteFile,
      _asked: unknown,
      embedderId: string,
      query: Float32Array,
      filter: PassageFilter,
      limit: number,
      memory: VectorMemory | null,
    ) => searchVectors(file, embedderId, query, filter, limit, (embedder) => caches.of(memory, embedder)),
  };
}
