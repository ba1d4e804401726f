import type { IndexMethods, IndexReader } from '../../index-reader.ts';
import type { PassageFilter } from '../../records/search-records.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { narrowedTo } from './narrowing.ts';
import { IndexReaders } from './index-reader.ts';
import { AttachedVectorCaches } from './vector-cache/attached-vector-caches.ts';
import type { VectorMemory } from './vector-cache/vector-memories.ts';
import { searchVectors } from './vectors.ts';

/** By the embedder's id. */
type Memories = Readonly<Record<string, VectorMemory | null>>;

/**
 * The reads that keep something between calls: views of vectors in memory, and what the methods keep. Each reads one state
 * of the file. Create once for each thread.
 */
export function createSearchReads(methods: IndexMethods) {
  const caches = new AttachedVectorCaches();
  const readers = new IndexReaders();
  return {
    askIndex: (
      file: SqliteFile,
      _asked: unknown,
      name: string,
      argument: unknown,
      memories: Memories,
      items?: readonly number[],
    ) => {
      const method = methods[name] as ((index: IndexReader, argument: unknown) => unknown) | undefined;
      if (method === undefined) throw new Error(`an index has no method ${name}`);
      return file.read(() =>
        narrowedTo(file, items, () => {
          const index = readers.open(file, (embedderId, vector, filter, limit) => {
            const cacheOf = (embedder: number) => caches.of(memories[embedderId] ?? null, embedder);
            return searchVectors(file, embedderId, vector, filter, limit, cacheOf);
          });
          return method(index, argument);
        }),
      );
    },
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
