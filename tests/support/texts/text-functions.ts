import { placeAnalysis } from '../../../src/domain/drafts/place-analysis.ts';
import type { AnalysisDraft } from '../../../src/domain/drafts/analysis-draft.ts';
import { verifyDraft } from '../../../src/domain/drafts/verify-draft.ts';
import { cleanLine, cleanText } from '../../../src/domain/text/clean-text.ts';
import { countWords, layOutTranscript } from '../../../src/domain/records/texts/document.ts';
import { graphemesOf, trimSpan } from '../../../src/domain/text/graphemes.ts';
import { inlineText } from '../../../src/domain/text/inline-text.ts';
import { literalsOf } from '../../../src/domain/search/literals.ts';
import { outlineOf } from '../../../src/domain/records/texts/outline.ts';
import { plainBlocks, plainText } from '../../../src/domain/text/plain-text.ts';
import { stopEndsSentence, sentences } from '../../../src/domain/text/sentences.ts';
import { parseQuery } from '../../../src/domain/search/query-language.ts';
import { createHighlightFinder } from '../../../src/domain/text/highlight-places.ts';
import { fingerprintOf } from '../../../src/domain/duplicates/simhash.ts';
import { createTextFragments } from '../../../src/domain/links/text-fragment.ts';
import { foldText } from '../../../src/domain/text/words/folded-text.ts';
import { bestWindow } from '../../../src/domain/text/window.ts';
import { canonicalUrl, deepLink } from '../../../src/domain/links/url.ts';
import { withoutAmpEnding } from '../../../src/domain/links/url-detours.ts';
import { foldedWord } from '../../../src/domain/text/words/words.ts';
import { sniffResource } from '../../../src/sources/decoding/sniff.ts';
import { loadWordPiece } from '../../../src/models/embedding/index.ts';
import { createExtractiveAnalyst } from '../../../src/models/analysis/extractive/extractive.ts';
import { splitTranscript } from '../../../src/pipeline/splitting/split.ts';
import { embeddedArticle } from '../../../src/sources/page/kinds/embedded-article.ts';
import { readMetadata } from '../../../src/sources/page/metadata/html-metadata.ts';
import { scanPage, type PageFacts } from '../../../src/sources/page/html/html-scan.ts';
import { webAddress } from '../../../src/sources/page/html/dom-node.ts';
import { readJsonLd } from '../../../src/sources/page/metadata/json-ld.ts';
import { linearMarkdown } from '../../../src/sources/page/html/linear-html.ts';
import { markdownBlocks } from '../../../src/sources/text/markdown-blocks.ts';
import { tidy } from '../../../src/sources/page/metadata/names.ts';
import { refuseErrorPage, textWarnings } from '../../../src/sources/page/error-pages.ts';
import { believableClaim } from '../../../src/sources/page/metadata/canonical-claim.ts';
import { dateInPath, parsePublished } from '../../../src/sources/page/metadata/published-date.ts';
import { readFeed } from '../../../src/sources/feed/read-feed.ts';
import { readReddit } from '../../../src/sources/page/kinds/read-reddit.ts';
import { findFormulas } from '../../../src/sources/page/html/formulas.ts';
import { withoutDataPictures, tidyMarkdown } from '../../../src/sources/page/markdown/tidy-markdown.ts';
import { proseOf } from '../../../src/sources/page/markdown/preformatted-prose.ts';

const analyst = createExtractiveAnalyst();
const never = new AbortController().signal;

const address = 'https://example.com/a';

/** A `meta` keeps no more; other facts are shorter. */
const maxFactLength = 2_000;

/** Facts of a page whose every text is `text`, as long as a page can make it. */
function factsOf(whole: string): PageFacts {
  const text = whole.slice(0, maxFactLength);
  const page = scanPage('<title>x</title>');
  const mark = { text, value: text, strength: 1, distance: 0 };
  const metas = ['og:title', 'og:site_name', 'author', 'date', 'article:content_tier'].map((name) => [name, [text]]);
  return {
    ...page,
    title: text,
    headings: [text, text],
    lead: [text.slice(0, 120), `By ${text.slice(0, 117)}`, text],
    bylines: [mark],
    times: [mark],
    dates: [mark],
    canonical: text,
    metas: new Map(metas as [string, string[]][]),
  };
}

const placed = { url: address, contentType: 'article' } as const;

function draftAbout(text: string): AnalysisDraft {
  const action = { title: `Do ${text.slice(0, 100)}`, reason: text.slice(0, 300), goalId: null };
  return {
    summary: text.slice(0, 2_000),
    insights: [0, 1_000, 3_000].map((at) => ({
      text: `${at} of ${text.slice(at, at + 300)}`,
      quote: text.slice(at, at + 1_999),
    })),
    actions: [-1_200, -400].map((at) => ({ ...action, quote: `"${text.slice(at)} …` })),
  };
}

const wordPiece = await loadWordPiece();

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
    await readFeed(
      item(`<description><![CDATA[${text.replaceAll(']]>', '')}]]></description>`),
      address,
      () => undefined,
    );
    await readFeed(item(text), address, () => undefined);
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
  cleanLine,
  fingerprintOf,
  literalsOf: (text) => literalsOf(text),
  parseQuery: (text) => parseQuery(text.slice(0, 2_000), 0),
  foldedWord,
  verifyDraft: (text) => verifyDraft(draftAbout(text), text, []),
  placeAnalysis: (text) => {
    const transcript = layOutTranscript([
      { text: 'A line before.', kind: 'paragraph' },
      { text, kind: 'paragraph' },
    ]);
    const { length } = transcript.text;
    const quote = { start: Math.floor(length / 2), end: length };
    const action = { title: 'Do', reason: null, goalId: null, quote: { start: 0, end: length } };
    const analysis = { summary: null, insights: [{ text: 'a', quote }], actions: [action], droppedQuotes: 0 };
    return placeAnalysis(analysis, transcript, placed, { by: 'extractive', model: null, at: '' });
  },
  splitTranscript: (text) =>
    (['paragraph', 'table'] as const).map((kind) => {
      const transcript = layOutTranscript([
        { text, kind },
        { text: 'Said below.', kind: 'paragraph' },
      ]);
      return splitTranscript(transcript, wordPiece.countSlicesOf(transcript.text));
    }),
  extractiveAnalyst: (text) => {
    const locator = { kind: 'time', seconds: 1 } as const;
    const kinds = [{ kind: 'paragraph' }, { kind: 'caption', locator }] as const;
    return Promise.all(
      kinds.map((about) => {
        const transcript = layOutTranscript([
          { text, ...about },
          { text: 'Said below.', ...about, kind: 'paragraph' },
        ]);
        return analyst.analyse({ title: text.slice(0, 500), language: 'en', ...transcript }, [], never);
      }),
    );
  },
  outlineOf: (text) =>
    (['paragraph', 'heading'] as const).map((kind) =>
      outlineOf(layOutTranscript(text.split('\n').map((line) => ({ text: line, kind }))), 60),
    ),
  withoutAmpEnding: (text) => [withoutAmpEnding(`/${text}/amp`), withoutAmpEnding(`/${text}.amp`)],
  bestWindow: (text) => bestWindow(text, [{ start: text.length >> 1, end: (text.length >> 1) + 1 }], 300),
  createHighlightFinder: (text) => {
    const find = createHighlightFinder(text);
    const { length } = text;
    return [text.slice(length >> 1), `${text.slice(0, 4_000)}z`, `a b c ${text.slice(-4_000)}`].map(find);
  },
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
  proseOf,
  withoutDataPictures,
  findFormulas: (text) => findFormulas(text, true),
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
  refuseErrorPage: (text) => refuseErrorPage(factsOf(text), null, { text, words: 100, title: text }),
  textWarnings: (text) => textWarnings(factsOf(text), null, { text, words: 100, title: text }, address),
};
