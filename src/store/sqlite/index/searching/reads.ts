import type { Searches } from '../../../index-reader.ts';
import type { ItemSearch, PassageFilter, PassagePart } from '../../../records/search-records.ts';
import { runAtOnce } from '../../../steps.ts';
import { conflictsBelow } from '../../history/conflicts.ts';
import { coverage } from '../coverage.ts';
import { readText, readTranscript } from '../../items/documents.ts';
import { sampleItem } from '../item-sample.ts';
import { IndexReaders } from '../index-reader.ts';
import { readPassages, readSurroundings } from '../read-passages.ts';
import type { SqliteFile } from '../../files/sqlite-file.ts';
import { AttachedVectorCaches } from '../vector-cache/attached-vector-caches.ts';
import type { VectorMemory } from '../vector-cache/vector-memories.ts';
import { countVectors, searchVectors } from '../vectors.ts';
import { rankByWords } from '../words/word-search.ts';

/**
 * The reads of a search from an account's file, and others that may take long, by name, so that another thread can run
 * them: arguments and results are plain data, or memory that threads share. Each reads one state of the file. Create once
 * for each thread.
 * @param searches run here, beside the file
 */
export function createSearchReads(searches: Searches) {
  const caches = new AttachedVectorCaches();
  const readers = new IndexReaders();
  return {
    /** @param memories by the embedder's id */
    findItems: (file: SqliteFile, search: ItemSearch, memories: Readonly<Record<string, VectorMemory | null>>) =>
      file.read(() => {
        const index = readers.open(file, (embedderId, vector, filter, limit) => {
          const cacheOf = (embedder: number) => caches.of(memories[embedderId] ?? null, embedder);
          return searchVectors(file, embedderId, vector, filter, limit, cacheOf);
        });
        return runAtOnce(searches.findItems(index, search));
      }),
    locate: (file: SqliteFile, parts: readonly PassagePart[]) =>
      file.read(() => {
        const index = readers.open(file, (embedderId, vector, filter, limit) =>
          searchVectors(file, embedderId, vector, filter, limit, () => null),
        );
        return runAtOnce(searches.locate(index, parts));
      }),
    searchWords: (file: SqliteFile, query: string, filter: PassageFilter, limit: number) =>
      rankByWords(file, query, filter, limit),
    searchVectors: (
      file: SqliteFile,
      embedderName: string,
      query: Float32Array,
      filter: PassageFilter,
      limit: number,
      memory: VectorMemory | null,
    ) => searchVectors(file, embedderName, query, filter, limit, (embedder) => caches.of(memory, embedder)),
    readPassages,
    readSurroundings,
    readTranscript,
    readText,
    conflictsBelow,
    coverage,
    sampleItem,
    countVectors,
  };
}

type Reads = ReturnType<typeof createSearchReads>;
export type ReadName = keyof Reads;
type ArgumentsAfterFile<F> = F extends (file: SqliteFile, ...rest: infer Rest) => unknown ? Rest : never;
export type ReadArguments<N extends ReadName> = ArgumentsAfterFile<Reads[N]>;
export type ReadAnswer<N extends ReadName> = ReturnType<Reads[N]>;

export type SearchReads = { [N in ReadName]: (file: SqliteFile, ...rest: ReadArguments<N>) => ReadAnswer<N> };

export function runRead<N extends ReadName>(
  reads: SearchReads,
  file: SqliteFile,
  name: N,
  args: ReadArguments<N>,
): ReadAnswer<N> {
  return reads[name](file, ...args);
}
