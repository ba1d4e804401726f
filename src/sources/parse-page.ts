import { parseHTML } from 'linkedom';
import { rememberSelectors } from './dom-selectors.ts';
import { type DomNode, webAddress } from './html-to-markdown.ts';

interface PageElement extends DomNode {
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  remove(): void;
}

export function parseFragment(content: string): DomNode {
  const { document } = parseHTML(`<!doctype html><html><body>${content}</body></html>`);
  return document.body as DomNode;
}

/** linkedom throws on a page without elements and wants both html and body. */
export function parsePage(html: string, url: string, baseUrl: string) {
  const whole = /<html[\s>]/i.test(html) ? html : `<!doctype html><html><body>${html}</body></html>`;
  const { document } = parseHTML(whole);
  rememberSelectors(document.createElement('div'));
  for (const link of document.querySelectorAll('a[href]') as Iterable<PageElement>) {
    const address = webAddress(link.getAttribute('href') ?? '', baseUrl);
    if (address === null) link.removeAttribute('href');
    else link.setAttribute('href', address);
  }
  // Players have no text to keep, and extractors put their tags into it.
  const players = document.querySelectorAll('video, audio, iframe, object, embed') as Iterable<PageElement>;
  for (const player of players) player.remove();
  // What Defuddle asks of a browser's document and linkedom does not have.
  document.styleSheets ??= [];
  if (document.defaultView && !document.defaultView.getComputedStyle) {
    document.defaultView.getComputedStyle = () => ({ display: '' });
  }
  document.URL = url;
  return document;
}
