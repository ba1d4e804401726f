/** A sentence, and the words that it stands under (a heading, or ''). */
export interface PlacedSentence {
  text: string;
  around: string;
}

/** Turns text into unit vectors whose dot product says how near two meanings are. */
export interface Embedder {
  /**
   * Names model, dimensions and what else changes the vectors of passages; stored with them. A changed id means embedding
   * again. An embedder that has to ask a server for its dimensions has its final id once `embedPassages` has answered.
   */
  readonly id: string;
  /** Null until they are known. */
  readonly dimensions: number | null;
  /** The languages the model was trained on (ISO 639-1); null: any. Texts known to be in another get no vector. */
  readonly languages: readonly string[] | null;
  /**
   * The cosine that this model gives a question and a text that have nothing to do with each other: about 0 unless said, .7 and
   * more for models that were trained with a low temperature.
   */
  readonly unrelatedCosine?: number;
  /** Passages that are best given in one call; 16 unless said. */
  readonly passagesAtOnce?: number;
  /**
   * Vectors in the order of `texts`, each of unit length; null for a text that the model refuses, whatever is tried. Aborting
   * rejects with the signal's reason.
   * @param accountId whose texts they are: accounts take turns, text by text. What names none shares the turns of one account
   */
  embedPassages(texts: readonly string[], signal: AbortSignal, accountId?: string): Promise<(Float32Array | null)[]>;
  embedQuery(text: string, signal: AbortSignal, accountId?: string): Promise<Float32Array>;
  /**
   * Of a model that can tell: how likely each sentence is a thing to do, log odds (decision 25). Questions go before it, as before
   * passages. Rejects as `embedPassages` does, and where the layers for it cannot be loaded.
   */
  judgeInstructions?(sentences: readonly PlacedSentence[], signal: AbortSignal, accountId?: string): Promise<number[]>;
  close(): Promise<void>;
}

/** Counts a text's tokens as the embedder's model would, without the special ones. */
export type CountTokens = (text: string) => number;
