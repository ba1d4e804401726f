import type { Resource } from '../domain/records/resource.ts';
import { articleSource } from './page/kinds/article.ts';
import { arxivSource, embeddedPostSource, forgeSource } from './page/kinds/site-sources.ts';
import { createFileSources, textSources } from './file-sources.ts';
import { savedPageSource } from './files/saved-page.ts';
import { unlockedDocumentSource } from './pushed/unlocked-document.ts';
import { givenPageSource, pushedSource } from './pushed/pushed.ts';
import { redditSource } from './reddit/reddit.ts';
import type { OpeningContext, Source } from './source.ts';
import { describeUnsupported } from './unsupported.ts';
import { youtubeSource } from './youtube/youtube.ts';

/** All kinds of content that can be read. Sources run only in the reading processes (`reading-worker.ts`). */
export interface Sources {
  /** The source for the content found at an address; null when there is none yet. */
  find(url: URL, mediaType: string): Source | null;
  /**
   * The source for content that a client or the program handed over: one of our own media types (`ownTypeOf`), or a page with the
   * address of its site. Null when it is read as if it had been fetched.
   */
  findGiven(ownType: string): Source | null;
  /** Calls `Source.open` of the first source that opens this address in its own way; null when none does. */
  open(url: URL, context: OpeningContext): Promise<Resource> | null;
  /** Makes the error for content that `find` has no source for. */
  describeUnsupported: typeof describeUnsupported;
}

/**
 * Nothing heavy is loaded until something is read.
 * @param settings `ocr`: whether text is recognised in pictures
 */
export function createSources({ ocr = false }: { ocr?: boolean } = {}): Sources {
  const given = [pushedSource, unlockedDocumentSource, givenPageSource];
  // In the order in which they are asked.
  const sources = [
    youtubeSource,
    ...createFileSources(ocr),
    savedPageSource,
    redditSource,
    embeddedPostSource,
    arxivSource,
    forgeSource,
    ...textSources,
    articleSource,
  ];
  const anywhere = new URL('about:blank');
  return {
    find: (url, mediaType) => sources.find((source) => source.matches(url, mediaType)) ?? null,
    findGiven: (ownType) => given.find((source) => source.matches(anywhere, ownType)) ?? null,
    open: (url, context) => {
      for (const source of sources) {
        const opening = source.open?.(url, context) ?? null;
        if (opening !== null) return opening;
      }
      return null;
    },
    describeUnsupported,
  };
}
