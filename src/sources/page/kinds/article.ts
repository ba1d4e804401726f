import { ProcessingError } from '../../../errors.ts';
import type { DecodedResource } from '../../decoding/sniff.ts';
import type { Source, SourceContext } from '../../source.ts';
import { withRecording } from '../media-document.ts';
import { readPage } from '../read-page.ts';
import { refreshTarget } from './refresh.ts';

const pageTypes = new Set(['text/html', 'application/xhtml+xml']);
/** Pages that only lead to the next one. The limit for redirects of the same kind by HTTP is a setting. */
const maxRefreshes = 5;

/** Web pages: their main content, without what surrounds it. */
export const articleSource: Source = {
  name: 'article',
  matches: (_url, mediaType) => pageTypes.has(mediaType),
  async read(resource, context) {
    const last = await followRefreshes(resource, context);
    if (last.text === null || last.text.trim() === '') {
      throw new ProcessingError(
        'empty',
        'The page is empty. Open the address in your browser to see whether it works there.',
      );
    }
    const page = await readPage(last, context);
    const isMoved = last !== resource;
    return withRecording(
      isMoved ? { ...page, canonicalUrl: page.canonicalUrl ?? last.finalUrl } : page,
      async (url) => (await context.fetch(url)).text,
    );
  },
};

/**
 * Goes where a page without text of its own leads, as a browser does. Each step is guarded like a redirect.
 * @throws {ProcessingError} if it leads nowhere, or to something else than a page
 */
async function followRefreshes(resource: DecodedResource, context: SourceContext): Promise<DecodedResource> {
  let at = resource;
  for (let hop = 0; hop <= maxRefreshes; hop += 1) {
    const target = refreshTarget(at.text ?? '', at.finalUrl);
    if (target === null) return at;
    if (hop === maxRefreshes) break;
    at = await context.fetch(target);
    if (!pageTypes.has(at.mediaType)) {
      throw new ProcessingError(
        'unsupported_type',
        'The page leads to an address that is not a web page. Open it in your browser and save the address where you arrive.',
      );
    }
  }
  throw new ProcessingError(
    'too_many_redirects',
    'The page leads on to other pages again and again. Open it in your browser and save the address where you arrive.',
  );
}
