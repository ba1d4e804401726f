import { ProcessingError } from '../../../errors.ts';
import { withRecording } from '../media-document.ts';
import { readPage } from '../read-page.ts';
import type { Source } from '../../source.ts';

const pageTypes = new Set(['text/html', 'application/xhtml+xml']);

/** Web pages: their main content, without what surrounds it. */
export const articleSource: Source = {
  name: 'article',
  matches: (_url, mediaType) => pageTypes.has(mediaType),
  async read(resource, context) {
    if (resource.text === null || resource.text.trim() === '') {
      throw new ProcessingError(
        'empty',
        'The page is empty. Open the address in your browser to see whether it works there.',
      );
    }
    const page = await readPage(resource.text, resource.finalUrl, context);
    return withRecording(page, async (url) => (await context.fetch(url)).text);
  },
};
