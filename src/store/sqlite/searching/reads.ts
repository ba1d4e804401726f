import { coverage } from '../coverage.ts';
import { readText, readTranscript } from '../documents.ts';
import { countFacets } from '../facets.ts';
import { sampleItem } from '../item-sample.ts';
import { listNewestPassages, readPassages, readSurroundings } from '../passages.ts';
import type { SqliteFile } from '../sqlite-file.ts';
import { countVectors, searchVectors } from '../vectors.ts';
import { searchWords } from '../word-search.ts';

/**
 * What a search asks of an account's file, by name, so that it can be asked for in another thread: arguments and answers
 * are plain data. Each is one read of one state of the file.
 */
export const searchReads = {
  searchWords,
  searchVectors,
  listNewestPassages,
  readPassages,
  readSurroundings,
  countFacets,
  sampleItem,
  readTranscript,
  readText,
  coverage,
  countVectors,
};

export type ReadName = keyof typeof searchReads;
type ArgumentsAfterFile<F> = F extends (file: SqliteFile, ...rest: infer Rest) => unknown ? Rest : never;
export type ReadArguments<N extends ReadName> = ArgumentsAfterFile<(typeof searchReads)[N]>;
export type ReadAnswer<N extends ReadName> = ReturnType<(typeof searchReads)[N]>;

export type SearchReads = { [N in ReadName]: (file: SqliteFile, ...rest: ReadArguments<N>) => ReadAnswer<N> };

export function runRead<N extends ReadName>(
  reads: SearchReads,
  file: SqliteFile,
  name: N,
  args: ReadArguments<N>,
): ReadAnswer<N> {
  return reads[name](file, ...args);
}
