import { parseHTML } from 'linkedom';
import { levelFormulas } from './formulas.ts';
import { markFootnotes, markNotesOfBook, type BookNotes } from './footnotes.ts';
import { flattenCodeBlocks } from '../markdown/code-blocks.ts';
import { levelStructure, labelTabPanels } from './level-structure.ts';
import { rememberSelectors } from './dom-selectors.ts';
import { elementsIn, type DomNode, webAddress } from './dom-node.ts';

/**
 * Elements that are not text: media players, whose tags extractors would put into the text; rendered formulas next to
 * their source; line numbers next to code; links that expand a quotation; signatures below
 * posts, and who edited them; links to edit a section.
 */
const notText =
  'video, audio, iframe, object, embed, .bbCodeBlock-expandLink, .message-signature, .postsignature, .sig_text, .postedit, .mw-editsection, .katex-html, ' +
  'td.gutter, td.rouge-gutter, td.linenos, td.code-gutter, .line-numbers-rows, td.hljs-ln-numbers, td.blob-num, .lineno, .linenodiv';

/** @param book whose links to notes, and notes, are marked, as in a page */
export function parseFragment(content: string, book: BookNotes | null = null): DomNode {
  const { document } = parseHTML(`<!doctype html><html><body>${content}</body></html>`);
  levelStructure(document);
  if (book !== null) {
    markFootnotes(document, book);
    markNotesOfBook(document, book);
  }
  return document.body as DomNode;
}

/** Parses a page. linkedom throws on a page without elements and needs both `html` and `body`. */
export function parsePage(html: string, url: string, baseUrl: string) {
  const whole = /<html[\s>]/i.test(html) ? html : `<!doctype html><html><body>${html}</body></html>`;
  const { document } = parseHTML(whole);
  rememberSelectors(document.createElement('div'));
  for (const link of elementsIn(document, 'a[href]')) {
    const href = link.getAttribute('href') ?? '';
    const address = webAddress(href, baseUrl);
    if (address !== null) link.setAttribute('href', address);
    // A page from a file has no address. Links within it lead to notes (see below).
    else if (!href.startsWith('#')) link.removeAttribute('href');
  }
  for (const element of elementsIn(document, notText)) element.remove();
  levelFormulas(document, html);
  flattenCodeBlocks(document);
  levelStructure(document);
  labelTabPanels(document);
  markFootnotes(document);
  // Remove the symbols that link a heading to itself, or a quotation to its post (`¶`, `#`, `↑`): they are not text.
  for (const mark of elementsIn(document, 'a[href*="#"]')) {
    if (/^\s*[¶#§🔗↑]\s*$/u.test(mark.textContent ?? '')) mark.remove();
  }
  for (const link of elementsIn(document, 'a[href^="#"]')) link.removeAttribute('href');
  // Defuddle needs these properties of a browser's document, which linkedom lacks.
  document.styleSheets ??= [];
  if (document.defaultView && !document.defaultView.getComputedStyle)
    document.defaultView.getComputedStyle = () => ({ display: '' });
  document.URL = url;
  return document;
}
