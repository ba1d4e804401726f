import { Readability } from '@mozilla/readability';
import { Defuddle } from 'defuddle/node';
import { parseHTML } from 'linkedom';
import { countWords } from '../domain/document.ts';
import { plainText } from '../domain/plain-text.ts';
import { rememberSelectors } from './dom-selectors.ts';
import type { Hint } from './html-metadata.ts';
import { tidyMarkdown } from './tidy-markdown.ts';
import { createHtmlToMarkdown, type DomNode, webAddress } from './html-to-markdown.ts';

export interface ExtractedText {
  markdown: string;
  /** Titles, authors and dates that the extractors guessed, best first. */
  hints: Hint[];
}

/** Defuddle is taken unless it finds under this share of Readability's words. */
const leastShare = 0.5;
/** What Defuddle's Markdown holds instead of an error when its conversion broke off. */
const brokenConversion = 'Partial conversion completed with errors';

interface PageElement extends DomNode {
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  remove(): void;
}

/** Finds the content of a page by Defuddle and Readability, and turns it into Markdown. */
export async function extractFromDom(html: string, url: string, baseUrl: string): Promise<ExtractedText> {
  const toMarkdown = createHtmlToMarkdown(baseUrl);
  const readable = new Readability(parsePage(html, url, baseUrl), { charThreshold: 250 }).parse();
  const readableWords = countWords(readable?.textContent ?? '');
  const defuddled = await Defuddle(parsePage(html, url, baseUrl), url, { useAsync: false, separateMarkdown: true });
  const hints: Hint[] = [
    {
      title: defuddled.title || null,
      author: defuddled.author || null,
      siteName: defuddled.site || null,
      publishedAt: defuddled.published || null,
    },
    {
      title: readable?.title ?? null,
      author: readable?.byline ?? null,
      siteName: readable?.siteName ?? null,
      publishedAt: readable?.publishedTime ?? null,
    },
  ];
  let markdown = defuddled.contentMarkdown ?? '';
  if (markdown.includes(brokenConversion)) markdown = toMarkdown(parseFragment(defuddled.content));
  if (countWords(plainText(markdown)) < readableWords * leastShare) {
    markdown = toMarkdown(parseFragment(readable?.content ?? ''));
  }
  return { markdown: tidyMarkdown(markdown), hints };
}

function parseFragment(content: string): DomNode {
  const { document } = parseHTML(`<!doctype html><html><body>${content}</body></html>`);
  return document.body as DomNode;
}

/** linkedom throws on a page without elements and wants both html and body. */
function parsePage(html: string, url: string, baseUrl: string) {
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
