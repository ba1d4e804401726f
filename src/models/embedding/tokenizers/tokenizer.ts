/** Turns text into what a model reads. */
export interface Tokenizer {
  /** Ids with the special tokens before and after, cut to `maxTokens` in all. */
  encode(text: string, maxTokens: number): number[];
}
