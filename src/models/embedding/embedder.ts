import type { MatchFloors } from '../../domain/search/match-floors.ts';

/** Turns text into unit vectors; their dot product is the similarity of two meanings. */
export interface Embedder {
  /**
   * Identifies everything that changes the vectors of passages, such as model and dimensions; stored with them. When
   * the id changes, texts are embedded again. An embedder that has to ask a server for its dimensions has its final id
   * once `embedPassages` has answered.
   */
  readonly id: string;
  /** Null until known. */
  readonly dimensions: number | null;
  /**
   * The languages the model was trained on (ISO 639-1); null: any. Texts known to be in another language get no vector.
   */
  readonly languages: readonly string[] | null;
  /**
   * The cosine that this model gives for an unrelated query and passage: about 0 by default, .7 and more for models
   * that were trained with a low temperature.
   */
  readonly unrelatedCosine?: number;
  /** Absent for a model whose scores were not measured. */
  readonly matchFloors?: MatchFloors | undefined;
  /** The best number of passages for one call; 16 by default. */
  readonly passagesAtOnce?: number;
  /**
   * Vectors in the order of `texts`, each of unit length; null for a text that the model refuses in every form tried.
   * Aborting rejects with the signal's reason.
   * @param accountId the account that owns the texts: accounts take turns, text by text. Calls without one share one
   *   account's turns
   */
  embedPassages(texts: readonly string[], signal: AbortSignal, accountId?: string): Promise<(Float32Array | null)[]>;
  embedQuery(text: string, signal: AbortSignal, accountId?: string): Promise<Float32Array>;
  /**
   * Begins to load a model that has to be loaded first, so that the first query finds it loaded. It is unloaded after the
   * same idle time as after a query.
   */
  load?(): void;
  /** Unloads a model that has nothing to do at the moment. The next text loads it again. */
  unload?(): void;
  /** True if a query has to wait until the model is loaded. Absent: it never has to. */
  readonly isLoading?: boolean;
  close(): Promise<void>;
}

/** Counts a text's tokens as the embedder's model would, without special tokens. */
export type CountTokens = (text: string) => number;

/** The same for the slice of one text from `start` to before `end`, both in UTF-16 units. */
export type CountSliceTokens = (start: number, end: number) => number;
