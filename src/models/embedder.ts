/** Turns text into unit vectors whose dot product says how near two meanings are. */
export interface Embedder {
  /** Names model and build; stored with the vectors. A changed id means embedding again. */
  readonly id: string;
  readonly dimensions: number;
  /** The languages the model was trained on (ISO 639-1); null: any. Texts known to be in another get no vector. */
  readonly languages: readonly string[] | null;
  /** Vectors in the order of `texts`, each of unit length. Aborting rejects with the signal's reason. */
  embedPassages(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
  embedQuery(text: string, signal: AbortSignal): Promise<Float32Array>;
  close(): Promise<void>;
}

/** Counts a text's tokens as the embedder's model would, without the special ones. */
export type CountTokens = (text: string) => number;
