/* Finds passages of one account in its SQLite file, by words and by meaning. README.md says how. Nothing else of this folder is imported from outside it. */

// Reads.
export { createSearchReads } from './index-reader.ts';
export { coverage } from './narrowing.ts';
export { sampleItem } from './read-passages.ts';
export { readPassages } from './read-passages.ts';
export { narrowedTo } from './narrowing.ts';
export { rankByWords } from './words/word-search.ts';
export { listEmbedders } from './vectors.ts';
export * as suggestions from './suggestions.ts';

export { filterDb, itemsWithWords, tableOf, toParameter } from './passage-filter.ts';

// Writes.
export { replacePassages } from './passages.ts';
export { indexDueItems, indexLater, reindexWords } from './passage-words.ts';
export { keepVectors } from './vectors.ts';
export { quantize } from './quantize.ts';

// Vectors that threads share in memory.
export type { RowLimits } from './vector-cache/fill-rows.ts';
export { type VectorMemory, VectorMemories } from './vector-cache/vector-memories.ts';
