/** Metadata that an extractor guessed. */
export interface Hint {
  title: string | null;
  author: string | null;
  siteName: string | null;
  publishedAt: string | null;
}
