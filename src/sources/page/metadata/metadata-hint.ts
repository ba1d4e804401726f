/** What an extractor said by the way. */
export interface Hint {
  title: string | null;
  author: string | null;
  siteName: string | null;
  publishedAt: string | null;
}
