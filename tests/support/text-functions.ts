import { cleanText } from '../../src/domain/clean-text.ts';
import { countWords, layOutTranscript } from '../../src/domain/document.ts';
import { graphemesOf, trimSpan } from '../../src/domain/graphemes.ts';
import { inlineText } from '../../src/domain/inline-text.ts';
import { plainBlocks, plainText } from '../../src/domain/plain-text.ts';
import { stopEndsSentence } from '../../src/domain/sentence-ends.ts';
import { sentences } from '../../src/domain/sentences.ts';
import { createTextFragments } from '../../src/domain/text-fragment.ts';
import { foldText } from '../../src/domain/folded-text.ts';
import { bestWindow } from '../../src/domain/window.ts';
import { canonicalUrl, deepLink } from '../../src/domain/url.ts';
import { sniffResource } from '../../src/sources/decoding/sniff.ts';
import { embeddedArticle } from '../../src/sources/embedded-article.ts';
import { readMetadata } from '../../src/sources/html-metadata.ts';
import { scanPage, type PageFacts } from '../../src/sources/html-scan.ts';
import { webAddress } from '../../src/sources/web-address.ts';
import { readJsonLd } from '../../src/sources/json-ld.ts';
import { linearMarkdown } from '../../src/sources/linear-html.ts';
import { markdownBlocks } from '../../src/sources/markdown-blocks.ts';
import { tidy } from '../../src/sources/page-names.ts';
import { refuseShell, textWarnings } from '../../src/sources/page-shells.ts';
import { believableClaim } from '../../src/sources/canonical-claim.ts';
import { dateInPath, parsePublished } from '../../src/sources/published-date.ts';
import { readFeed } from '../../src/sources/read-feed.ts';
import { readReddit } from '../../src/sources/read-reddit.ts';
import { tidyMarkdown } from '../../src/sources/tidy-markdown.ts';

const address = 'https://example.com/a';

/** A `meta` keeps no more; other facts are shorter. */
const longestFact = 2_000;

/** Facts of a page whose every text is `text`, as long as a page can make it. */
function factsOf(whole: string): PageFacts {
  const text = whole.slice(0, longestFact);
  const page = scanPage('<title>x</title>');
  const mark = { text, value: text, strength: 1, distance: 0 };
  const metas = ['og:title', 'og:site_name', 'author', 'date', 'article:content_tier'].map((name) => [name, [text]]);
  return {
    ...page,
    title: text,
    headings: [text, text],
    lead: text,
    bylines: [mark],
    times: [mark],
    dates: [mark],
    canonical: text,
    metas: new Map(metas as [string, string[]][]),
  };
}

/** Every function that is given text of strangers, by its name. Each takes one text and may throw our own errors. */
export const textFunctions: Readonly<Record<string, (text: string) => unknown>> = {
  plainText,
  plainBlocks,
  inlineText,
  cleanText,
  countWords,
  layOutTranscript: (text) => layOutTranscript([{ text, kind: 'paragraph' }]),
  sentences,
  readFeed: async (text) => {
    const item = (body: string): string =>
      `<rss><channel><title>${text}</title><item><title>a</title>${body}</item></channel></rss>`;
    await readFeed(item(`<description><![CDATA[${text.replaceAll(']]>', '')}]]></description>`), address);
    await readFeed(item(text), address);
  },
  readReddit: (text) =>
    readReddit(
      JSON.stringify([{ data: { children: [{ kind: 't3', data: { title: text, selftext: text, author: 'a' } }] } }]),
    ),
  believableClaim: (text) => [
    believableClaim(text, address, text),
    believableClaim(`/${text}`, address, text),
    believableClaim('/b-c', address, text),
  ],
  stopEndsSentence: (text) => [stopEndsSentence(text, 'Next', false), stopEndsSentence('word', text, false)],
  trimSpan: (text) => trimSpan(text, 0, text.length, graphemesOf(text)),
  foldText,
  bestWindow: (text) => bestWindow(text, [{ start: text.length >> 1, end: (text.length >> 1) + 1 }], 300),
  createTextFragments: (text) => {
    const transcript = layOutTranscript(
      ['some words of it', text, 'some words of it'].map((one) => ({ text: one, kind: 'paragraph' })),
    );
    const fragment = createTextFragments(transcript);
    const { length } = transcript.text;
    return [
      fragment(0, length),
      fragment(length - 16, length),
      fragment(Math.floor(length / 3), Math.floor(length / 2)),
    ];
  },
  canonicalUrl: (text) => [
    canonicalUrl(text),
    canonicalUrl(`https://a${text}./`),
    canonicalUrl(`https://a.test/${text}`),
    canonicalUrl(`https://a.test/#${text}`),
  ],
  deepLink: (text) => deepLink(`https://a.test/?${text}`, { kind: 'time', seconds: 1 }, null),
  sniffResource: (text) => sniffResource(new TextEncoder().encode(text), null, address),
  markdownBlocks,
  tidyMarkdown,
  linearMarkdown,
  'linearMarkdown in pre': (text) => linearMarkdown(`<pre>${text}</pre>`),
  scanPage,
  'scanPage of attributes': (text) =>
    scanPage(
      `<p class="${text}" itemprop="${text}"><a href="${text}"><link rel="${text}"><meta name="a" content="${text}">`,
    ),
  readMetadata: (text) =>
    readMetadata(
      factsOf(text),
      readJsonLd([JSON.stringify({ '@type': 'Article', headline: text, author: text, publisher: { name: text } })]),
      address,
      [{ title: text, author: text, siteName: text, publishedAt: text }],
    ),
  readJsonLd: (text) => readJsonLd([text, JSON.stringify({ '@type': text, headline: text, author: text })]),
  embeddedArticle: (text) =>
    embeddedArticle(
      { ...factsOf(''), hydration: text },
      readJsonLd([JSON.stringify({ '@type': 'Article', articleBody: text })]),
    ),
  tidy,
  parsePublished,
  dateInPath,
  webAddress: (text) => webAddress(text, address),
  refuseShell: (text) => refuseShell(factsOf(text), null, { text, words: 100, title: text }),
  textWarnings: (text) => textWarnings(factsOf(text), null, { text, words: 100, title: text }, address),
};
