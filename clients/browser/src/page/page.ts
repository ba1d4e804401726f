import { drawHighlights } from './highlights.ts';
import { readPage } from './read-page.ts';

/** What the person has in front of them. */
export interface PageFacts {
  url: string;
  selection: string;
  contentType: string;
}

/** The longest words that are kept as a highlight. */
const maxSelection = 8_000;

/**
 * What the extension calls in a page, in its own world that no script of the page reaches. It listens to nothing, and sends
 * nothing: it answers calls of the extension.
 */
const inPage = {
  facts: (): PageFacts => ({
    url: location.href,
    selection: (getSelection()?.toString() ?? '').trim().slice(0, maxSelection),
    contentType: document.contentType,
  }),
  readPage,
  drawHighlights,
};

declare global {
  var commonplace: typeof inPage | undefined;
}

globalThis.commonplace = inPage;
