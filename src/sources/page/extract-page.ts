import { countWords } from '../../domain/records/texts/document.ts';
import { plainText } from '../../domain/text/plain-text.ts';
import { readBlockModel, type BlockModel } from './blocks/block-model.ts';
import { embeddedArticle } from './kinds/embedded-article.ts';
import { levelPage } from './html/level-source.ts';
import { hideText, type HiddenText } from './html/hidden-text.ts';
import { readMetadata } from './metadata/html-metadata.ts';
import { isTooLargeForDom, scanPage, type PageFacts } from './html/html-scan.ts';
import { type JsonLdArticle, readJsonLd } from './metadata/json-ld.ts';
import type { ExtractedText } from './dom-extraction.ts';
import { detectLanguage, languageTag } from '../language/language.ts';
import { linearMarkdown } from './html/linear-html.ts';
import { markdownBlocks } from '../text/markdown-blocks.ts';
import type { ReadingWay } from '../host/reading-protocol.ts';
import type { PageDocument } from './media-document.ts';
import { findMedia } from './media.ts';
import { refuseErrorPage, textWarnings } from './error-pages.ts';

/** With fewer words, the article may be in the page's embedded data instead. */
const fewWords = 120;
/** Above this many characters of text (ten long novels), the DOM extractors are not worth their time. */
const maxDomTextLength = 3_000_000;

export interface PageOptions {
  way?: ReadingWay;
  /** When the page was fetched (ISO 8601). It was not published later. */
  fetchedAt?: string;
  /** Loads the model that separates a page's content from its surroundings. Called only for a page that needs it. */
  model?: () => BlockModel;
  /** Called when the page is read without a DOM: it is too large for one, or `way` is `linear`. */
  onLinear?: () => void;
}

/**
 * Reads a web page: its metadata, and its content as Markdown blocks. May take seconds and much memory on a hostile
 * page, so it runs in a process that can be killed.
 * @throws {ProcessingError} if there is no text to keep
 */
export async function extractPage(page: string, url: string, options: PageOptions = {}): Promise<PageDocument> {
  const html = levelPage(page);
  const facts = scanPage(html);
  const jsonLd = readJsonLd(facts.jsonLd, url);
  const read = await readContent(hideText(html), url, options, facts, jsonLd);
  const { markdown, text, words, hints, embeddedTitle, reading, warnings } = read;
  const metadata = readMetadata(facts, jsonLd, url, hints, options.fetchedAt);
  const title = reading?.title ?? metadata.title ?? embeddedTitle;
  const found = { text, words, title };
  const media = findMedia(html, facts, url);
  // A page about a recording may have no text. Its captions are fetched outside this thread.
  if (media === null || (media.captions.length === 0 && media.transcript === null))
    refuseErrorPage(facts, jsonLd, found);
  return {
    contentType: reading?.contentType ?? 'article',
    ...metadata,
    title,
    author: reading?.author ?? metadata.author,
    publishedAt: reading?.publishedAt ?? metadata.publishedAt,
    canonicalUrl: reading?.canonicalUrl ?? metadata.canonicalUrl,
    // Use the declared language only if the text is too short to detect its language.
    language: (await detectLanguage(text)) ?? languageTag(facts.lang),
    durationSeconds: null,
    pageCount: null,
    blocks: markdownBlocks(markdown),
    warnings: [...textWarnings(facts, jsonLd, found, url), ...warnings],
    ...(media !== null && { media }),
  };
}

/** The result of reading a page. The text is rendered once, since that takes a second on the largest pages. */
async function readContent(
  page: HiddenText,
  url: string,
  { way = 'whole', model = readBlockModel, onLinear }: PageOptions,
  facts: PageFacts,
  jsonLd: JsonLdArticle | null,
) {
  const html = page.visible;
  let read: ExtractedText = { markdown: '', hints: [], reading: null, warnings: [] };
  if (facts.elements === 0) read.markdown = html.trim();
  else if (way === 'linear' || isTooLargeForDom(facts) || facts.visibleCharacters > maxDomTextLength) {
    onLinear?.();
    read.markdown = linearMarkdown(html);
  } else {
    const { extractFromDom } = await import('./dom-extraction.ts');
    read = await extractFromDom(page, url, URL.parse(facts.baseHref ?? '', url)?.href ?? url, facts, model());
  }
  const own = { ...read, ...measured(read.markdown), embeddedTitle: null };
  if (own.words >= fewWords || read.reading?.markdown !== undefined) return own;
  const embedded = embeddedArticle(facts, jsonLd);
  if (embedded === null) return own;
  const { markdown, title: embeddedTitle } = embedded;
  const other = { ...read, markdown, ...measured(markdown), embeddedTitle, warnings: [] };
  return other.words > own.words * 2 ? other : own;
}

function measured(markdown: string): { text: string; words: number } {
  const text = plainText(markdown);
  return { text, words: countWords(text) };
}
