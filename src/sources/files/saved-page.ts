import { ProcessingError } from '../../errors.ts';
import { withRecording } from '../page/media-document.ts';
import { readPage } from '../page/read-page.ts';
import type { Source } from '../source.ts';

/** Web pages that a browser saved as one file (MHTML). What stands in their frames is not read. */
export const savedPageSource: Source = {
  name: 'saved-page',
  matches: (_url, mediaType) => mediaType === 'multipart/related',
  async read({ bytes, finalUrl, fetchedAt }, context) {
    context.report.loading();
    const { firstPage, headerValue, parseMessage } = await import('./mime-message.ts');
    context.report.begun('page');
    const message = await parseMessage(bytes);
    const { email: whole } = message;
    const { html, location } = firstPage(message);
    if (html.trim() === '') {
      throw new ProcessingError(
        'empty',
        'There is no web page in this file. Open it in your browser, and save it as a web page (HTML) or a PDF.',
      );
    }
    const address = webAddress(headerValue(whole, 'snapshot-content-location') ?? location);
    const page = await withRecording(
      await readPage({ text: html, finalUrl: address ?? finalUrl, fetchedAt }, context, true),
      null,
    );
    return { ...page, title: page.title ?? whole.subject ?? null, canonicalUrl: page.canonicalUrl ?? address };
  },
};

/** The address when it is one of the web, else null. */
function webAddress(address: string | null): string | null {
  const url = URL.parse(address ?? '');
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' ? url.href : null;
}
