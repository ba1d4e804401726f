/* The sentence model: turns texts into vectors. README.md says how. Nothing else of this folder is imported from outside it. */
import type { prepareModel as PrepareModel } from './minilm/prepare-model.ts';

export type { CountSliceTokens, Embedder } from './embedder.ts';

// Embedders. None of them loads or starts anything before its first use.
export { createMiniLm } from './minilm/minilm.ts';
export { createOpenAiEmbedder } from './api/openai-embedder.ts';

// These are wrapped around an embedder.
export { withQueryCache } from './query-cache.ts';

// These ask the model in the package.
export { createTitleComparer } from './title-comparer.ts';

// Files and properties of models.
export { findEmbeddingProfile, type EmbeddingProfile } from './embedding-profiles.ts';
export { openMeasuredModels } from './measured-models.ts';
export type { InstallableModel } from './minilm/prepare-model.ts';
export { findModelFiles, readMiniLmFiles, type ModelFiles } from './minilm/files.ts';

/** Turns a folder of published files into one of an installed model: see `minilm/prepare-model.ts`, which is loaded here. */
export const prepareModel: typeof PrepareModel = async (...args) =>
  (await import('./minilm/prepare-model.ts')).prepareModel(...args);

// Counts tokens as the built-in model does.
export { loadWordPiece, type WordPiece } from './tokenizers/wordpiece.ts';
