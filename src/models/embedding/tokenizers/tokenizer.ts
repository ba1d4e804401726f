/** Turns text into the token ids that a model reads. */
export interface Tokenizer {
  /** Token ids with the special tokens before and after, truncated to `maxTokens` in all. */
  encode(text: string, maxTokens: number): number[];
}
