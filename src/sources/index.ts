import type { Resource } from '../domain/resource.ts';
import { createArticleSource } from './article.ts';
import { createCaptionFileSource } from './caption-file.ts';
import { createDocxSource } from './docx.ts';
import { createEbookSource } from './ebook.ts';
import { FileProcesses, type FileSettings } from './host/reader-process.ts';
import { finishDocument } from './finish-document.ts';
import { createImageSource } from './image.ts';
import { createKeptDocumentSource } from './kept-document.ts';
import { createArxivSource } from './arxiv.ts';
import { createEmbeddedPostSource } from './embedded-post.ts';
import { createFeedSource } from './feed.ts';
import { createForgeSource } from './forge.ts';
import { createMarkdownSource } from './markdown.ts';
import { createPdfSource } from './pdf.ts';
import { createPlainTextSource } from './plain-text.ts';
import { createPushedSource } from './pushed.ts';
import { ReadingThreads, type ReadingSettings } from './reading-threads.ts';
import { createRedditSource } from './reddit.ts';
import type { OpeningContext, Source } from './source.ts';
import { describeUnsupported } from './unsupported.ts';
import { createYoutubeSource, type YoutubeSettings } from './youtube.ts';

/** All kinds of content that can be read. */
export interface Sources {
  /** In the order in which they are asked. */
  readonly sources: readonly Source[];
  /** The source for what was found at an address; null when there is none yet. */
  find(url: URL, mediaType: string): Source | null;
  /** As `Source.open`, of the first source that has a way of its own; null when none has. */
  open(url: URL, context: OpeningContext): Promise<Resource> | null;
  /** The failure for what `find` knows no source for. */
  describeUnsupported: typeof describeUnsupported;
  /** Ends the worker threads and processes; what is being read fails as interrupted. */
  close(): Promise<void>;
}

const usual: ReadingSettings = { timeLimitMs: 10_000, threads: 1, idleMs: 60_000 };

/**
 * Nothing is loaded and no thread or process is started until something is read.
 * @param files limits of the processes that read files, and whether text is recognised in pictures
 */
export function createSources(
  settings: Partial<ReadingSettings & YoutubeSettings> = {},
  { ocr = false, ...limits }: Partial<FileSettings> & { ocr?: boolean } = {},
): Sources {
  const threads = new ReadingThreads({ ...usual, ...settings });
  const processes = new FileProcesses(limits);
  const sources = [
    createPushedSource(threads),
    createYoutubeSource({ ytDlpPath: settings.ytDlpPath ?? null }),
    createKeptDocumentSource(),
    createPdfSource(processes, ocr),
    createEbookSource(processes),
    createDocxSource(processes),
    createImageSource(processes, ocr),
    createRedditSource(threads),
    createEmbeddedPostSource(threads),
    createArxivSource(threads),
    createForgeSource(threads),
    createFeedSource(threads),
    createCaptionFileSource(threads),
    createMarkdownSource(threads),
    createPlainTextSource(threads),
    createArticleSource(threads),
  ].map(finished);
  return {
    sources,
    find: (url, mediaType) => sources.find((source) => source.matches(url, mediaType)) ?? null,
    open: (url, context) => {
      for (const source of sources) {
        const opening = source.open?.(url, context) ?? null;
        if (opening !== null) return opening;
      }
      return null;
    },
    describeUnsupported,
    close: async () => {
      await Promise.all([threads.close(), processes.close()]);
    },
  };
}

/** The one place that every document passes, so that no source has to think of lengths and of emptiness. */
function finished(source: Source): Source {
  return {
    ...source,
    read: async (resource, context) => finishDocument(await source.read(resource, context)),
  };
}
