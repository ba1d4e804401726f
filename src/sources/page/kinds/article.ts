import { ProcessingError } from '../../../errors.ts';
import type { DecodedResource } from '../../decoding/sniff.ts';
import type { Source, SourceContext } from '../../source.ts';
import { withRecording } from '../media-document.ts';
import { readPage } from '../read-page.ts';
import { scanPage } from '../html/html-scan.ts';

const pageTypes = new Set(['text/html', 'application/xhtml+xml']);
/** Pages that only lead to the next one. The limit for redirects of the same kind by HTTP is a setting. */
const maxRefreshes = 5;

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

/** A page that changes later than this shows something of its own first. */
const maxSeconds = 10;
/** A page with more text is worth keeping itself. In characters, without white space. */
const maxText = 600;

/** The address that a page leads on to by `<meta http-equiv="refresh">`; null if it is a page of its own. */
export function refreshTarget(html: string, url: string): string | null {
  if (!/http-equiv\s{0,5}=\s{0,5}["']?\s{0,5}refresh/i.test(html)) return null;
  const { refresh, visibleCharacters, baseHref } = scanPage(html);
  if (refresh === null || refresh.seconds > maxSeconds || visibleCharacters > maxText) return null;
  const target = URL.parse(refresh.target, URL.parse(baseHref ?? '', url)?.href ?? url);
  const isWeb = target?.protocol === 'http:' || target?.protocol === 'https:';
  return target !== null && isWeb && withoutHash(target.href) !== withoutHash(url) ? target.href : null;
}

function withoutHash(url: string): string {
  return url.split('#', 1)[0] ?? url;
}
