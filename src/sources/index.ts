import { createArticleSource } from './article.ts';
import { createMarkdownSource } from './markdown.ts';
import { createPlainTextSource } from './plain-text.ts';
import { ReadingThreads, type ReadingSettings } from './reading-threads.ts';
import type { Source } from './source.ts';
import { describeUnsupported, isYoutube } from './unsupported.ts';

/** All kinds of content that can be read. */
export interface Sources {
  /** In the order in which they are asked. */
  readonly sources: readonly Source[];
  /** The source for what was found at an address; null when there is none yet. */
  find(url: URL, mediaType: string): Source | null;
  /** The failure for what `find` knows no source for. */
  describeUnsupported: typeof describeUnsupported;
  /** Ends the worker threads; pages being read fail as interrupted. */
  close(): Promise<void>;
}

const usual: ReadingSettings = { timeLimitMs: 10_000, threads: 1, idleMs: 60_000 };

/** Nothing is loaded and no thread is started until something is read. */
export function createSources(settings: Partial<ReadingSettings> = {}): Sources {
  const threads = new ReadingThreads({ ...usual, ...settings });
  const sources = [createMarkdownSource(threads), createPlainTextSource(threads), createArticleSource(threads)];
  return {
    sources,
    find: (url, mediaType) =>
      isYoutube(url) ? null : (sources.find((source) => source.matches(url, mediaType)) ?? null),
    describeUnsupported,
    close: () => threads.close(),
  };
}
