import type { Source } from '../source.ts';

/** Types of XML that `sniff.ts` gives to articles. */
const articleTypes = new Set(['application/jats+xml', 'application/tei+xml', 'application/docbook+xml']);

/** Articles and books in XML: JATS, TEI and DocBook. */
export const xmlArticleSource: Source = {
  name: 'xml-article',
  matches: (_url, mediaType) => articleTypes.has(mediaType),
  async read({ text, finalUrl, mediaType }, { report }) {
    report.loading();
    const { readXmlArticle } = await import('./read-xml-article.ts');
    report.begun('page');
    return readXmlArticle(text ?? '', finalUrl, mediaType.includes('tei'));
  },
};
