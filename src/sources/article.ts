import { ProcessingError } from '../errors.ts';
import { withRecording } from './media-document.ts';
import type { ReadingThreads } from './reading-threads.ts';
import type { Source } from './source.ts';

const pageTypes = new Set(['text/html', 'application/xhtml+xml']);

/** Web pages: their article, without what stands around it. */
export function createArticleSource(threads: ReadingThreads): Source {
  return {
    name: 'article',
    matches: (_url, mediaType) => pageTypes.has(mediaType),
    async read(resource, { signal, fetch }) {
      if (resource.text === null || resource.text.trim() === '') {
        throw new ProcessingError(
          'empty',
          'The page is empty. Open the address in your browser to see whether it works there.',
        );
      }
      const page = await threads.readPage(resource.text, resource.finalUrl, signal);
      return withRecording(page, async (url) => (await fetch(url)).text);
    },
  };
}
