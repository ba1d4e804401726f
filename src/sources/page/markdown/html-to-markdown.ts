import { strikethrough } from '@truto/turndown-plugin-gfm';
import TurndownService from 'turndown';
import { inlineText } from '../../../domain/text/inline-text.ts';
import { codeLanguage, codeText } from './code-blocks.ts';
import { latexOf } from './mathml.ts';
import { proseLines, proseMarkdown } from './preformatted-prose.ts';
import { noteRef, noteText } from '../html/footnotes.ts';
import { addItemRule } from './list-items.ts';
import { addTableRules } from './table-markdown.ts';
import { onOneLine } from './tidy-markdown.ts';
import { fenced } from '../html/linear-html.ts';
import { webAddress, type DomNode } from '../html/dom-node.ts';

/** Converts the HTML of an article's content to Markdown. Links become absolute, scripts are removed. */
export type HtmlToMarkdown = (content: DomNode) => string;

const emphases = new Set(['STRONG', 'B', 'EM', 'I']);
const headingLine = /^[ \t]*(#{1,6}) (\S[^\n]*)$/m;

/**
 * Turns a heading inside a link into a link inside a heading, as Markdown requires. Other content of the link, such as
 * a card's text, stays next to the heading. Images without text go below the heading, so that they do not end up in the
 * card before.
 */
function headedLink(content: string, heading: RegExpExecArray, linked: (text: string) => string): string {
  const before = content.slice(0, heading.index).trim();
  const line = `${heading[1]} ${linked(heading[2] ?? '')}`;
  const behind = content.slice(heading.index + heading[0].length).trim();
  const parts = inlineText(before).trim() === '' ? [line, before, behind] : [before, line, behind];
  return `\n\n${parts.filter((part) => part !== '').join('\n\n')}\n\n`;
}

function inHeading({ parentNode: parent }: DomNode): boolean {
  return [parent, parent?.parentNode].some((one) => /^H[1-6]$/.test(one?.nodeName ?? ''));
}

function leadsToItself(link: DomNode, baseUrl: string): boolean {
  const [page, hash] = attribute(link, 'href').split('#', 2);
  return hash !== undefined && inHeading(link) && (page === '' || page === baseUrl.split('#', 1)[0]);
}

/** Whether a check box begins a list item, and shows a state. Others are for the reader to tick. */
function isTask(box: DomNode): boolean {
  if (!has(box, 'disabled') && !has(box, 'checked')) return false;
  let at: DomNode | null = box;
  for (let level = 0; level < 3 && at !== null; level += 1) {
    if (isAfterText(at)) return false;
    at = at.parentNode;
    if (at?.nodeName === 'LI') return true;
  }
  return false;
}

function beginsQuotation(node: DomNode): boolean {
  const parent = node.parentNode;
  if (isAfterText(node) || parent === null) return false;
  return parent.nodeName === 'BLOCKQUOTE' || (parent.parentNode?.nodeName === 'BLOCKQUOTE' && !isAfterText(parent));
}

/** How many siblings before a node are examined. After more, it is not the first. */
const maxBefore = 8;

function isAfterText(node: DomNode): boolean {
  let at = node.previousSibling;
  for (let n = 0; n < maxBefore && at !== null; n += 1, at = at.previousSibling) {
    if (textOf(at).trim() !== '') return true;
  }
  return at !== null;
}

export function createHtmlToMarkdown(baseUrl: string): HtmlToMarkdown {
  const turndown = new TurndownService({
    headingStyle: 'atx',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    emDelimiter: '*',
    hr: '---',
  });
  turndown.use([strikethrough]);
  addTableRules(turndown);
  // Forms, buttons and noscript stay: whole pages are wrapped in forms, headings are in buttons, and non-content was removed
  // earlier.
  turndown.remove(['script', 'style', 'template', 'iframe', 'object', 'embed', 'select', 'head']);

  turndown.addRule('link', {
    filter: (node: DomNode) => node.nodeName === 'A',
    replacement: (content: string, node: DomNode) => {
      const target = attribute(node, 'href');
      const href = target === '' || leadsToItself(node, baseUrl) ? null : webAddress(target, baseUrl);
      const linked = (text: string): string => (href === null || text.trim() === '' ? text : `[${text}](${href})`);
      const heading = headingLine.exec(content);
      return heading === null ? linked(onOneLine(content)) : headedLink(content, heading, linked);
    },
  });
  turndown.addRule('heading', {
    filter: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
    replacement: (content: string, node: DomNode) => {
      const text = onOneLine(content.trim());
      return text === '' ? '' : `\n\n${'#'.repeat(Number(node.nodeName.charAt(1)))} ${text}\n\n`;
    },
  });
  turndown.addRule('task', {
    filter: (node: DomNode) => node.nodeName === 'INPUT' && attribute(node, 'type') === 'checkbox' && isTask(node),
    replacement: (_content: string, node: DomNode) => (has(node, 'checked') ? '[x] ' : '[ ] '),
  });
  // Turndown drops emphasis without words, and with it a line break, which joins the words around it. Marks do not reach over blocks.
  turndown.addRule('emphasis', {
    filter: (node: DomNode) => emphases.has(node.nodeName),
    replacement: (content: string, node: DomNode) => {
      if (content.trim() === '' || content.includes('\n\n')) return content;
      const mark = /^(?:STRONG|B)$/.test(node.nodeName) ? '**' : '*';
      return `${mark}${content}${mark}`;
    },
  });
  // Forums name the author of a quotation in its first line.
  turndown.addRule('quoted author', {
    filter: (node: DomNode) => node.nodeName === 'CITE' && beginsQuotation(node),
    replacement: (content: string) => `\n\n${content.trim()}\n\n`,
  });
  // The text of a button is not part of the adjacent word.
  turndown.addRule('button', {
    filter: 'button',
    replacement: (content: string, node: DomNode) =>
      // A heading may be a button as a whole.
      content === '' || content.includes('\n') || inHeading(node) ? content : ` ${content} `,
  });
  let before: string | null = null;
  turndown.addRule('image', {
    filter: 'img',
    replacement: (_content: string, node: DomNode) => {
      const address = attribute(node, 'src');
      const source = address === '' ? null : webAddress(address, baseUrl);
      // Skip a repeated image: pages include it again for readers without scripts.
      if (source !== null && source === before) return '';
      before = source;
      const alt = attribute(node, 'alt')
        .replaceAll(/[[\]\s]+/g, ' ')
        .trim();
      return source === null || alt === '' ? '' : `![${alt}](${source})`;
    },
  });
  // Turndown recognises code only in <pre><code>.
  turndown.addRule('preformatted', {
    filter: 'pre',
    replacement: (_content: string, node: DomNode) => {
      const code = codeText(node).replace(/^\n+/, '').trimEnd();
      return code === '' ? '' : `\n\n${fenced(code, codeLanguage(node))}\n\n`;
    },
  });
  turndown.addRule('prose', {
    // A page may write the attribute itself, with invisible words.
    filter: (node: DomNode) =>
      node.nodeName === 'P' &&
      attribute(node, proseLines) !== '' &&
      withoutSpaces(attribute(node, proseLines)) === withoutSpaces(textOf(node)),
    replacement: (_content: string, node: DomNode) =>
      `\n\n${proseMarkdown(attribute(node, proseLines), (text) => turndown.escape(text))}\n\n`,
  });
  addItemRule(turndown);
  // Use the formula's source: it says more than the text of its symbols.
  turndown.addRule('formula', {
    filter: (node: DomNode) => node.nodeName.toLowerCase() === 'math' && formulaOf(node) !== '',
    replacement: (_content: string, node: DomNode) => {
      // LaTeX ignores a space between signs. Without one, "<b" would become a tag for the next reader of the Markdown.
      const formula = onOneLine(formulaOf(node))
        .trim()
        .replaceAll(/<(?=[a-z/!?])/gi, '< ')
        .replaceAll('](', '] (');
      const isDisplay = attribute(node, 'display') === 'block';
      const marked = isDisplay ? `$$${formula}$$` : `$${formula}$`;
      const written = inlineText(marked) === marked ? marked : turndown.escape(marked);
      return isDisplay ? `\n\n${written}\n\n` : written;
    },
  });
  addSuperscripts(turndown);
  turndown.addRule('link to a note', {
    filter: (node: DomNode) => node.nodeName === 'A' && attribute(node, noteRef) !== '',
    replacement: (_content: string, node: DomNode) => `[^${attribute(node, noteRef)}]`,
  });
  turndown.addRule('note', {
    filter: (node: DomNode) => attribute(node, noteText) !== '',
    replacement: (content: string, node: DomNode) => {
      const text = content.trim().replaceAll('\n', '\n    ');
      return text === '' ? '' : `\n\n[^${attribute(node, noteText)}]: ${text}\n\n`;
    },
  });
  const escape = turndown.escape.bind(turndown);
  // Also escape a trailing `<`: linkedom splits text nodes at entities. Unescaped, a literal "<b>" would become a tag
  // for the next reader of the Markdown.
  turndown.escape = (text) => escape(text).replaceAll(/<(?=[a-z/!?]|$)/gi, '\\<');
  return (content) => turndown.turndown(content).trim();
}

/** The formula's source, from the `alttext` attribute, from a TeX annotation, or made of its MathML. */
function formulaOf(math: DomNode): string {
  const written = attribute(math, 'alttext');
  if (written !== '') return written;
  const source = textOf(math.querySelector('annotation[encoding="application/x-tex"]')).trim();
  return source === '' ? (latexOf(math) ?? '') : source;
}

function attribute(node: DomNode, name: string): string {
  return node.getAttribute(name) ?? '';
}

function has(node: DomNode, name: string): boolean {
  return typeof node.getAttribute(name) === 'string';
}

function withoutSpaces(text: string): string {
  return text.replaceAll(/\s/g, '');
}

function textOf(node: DomNode | null): string {
  return node?.textContent ?? '';
}

/*
 * Keeps superscripts and subscripts apart from the text: 10<sup>6</sup> is not 106, and a note's number is not part of
 * the word before it. Digits become Unicode superscripts and subscripts. Letters (5th, 1ère) stay as they are.
 */

const signs = '0123456789+-−–=()';
const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾';
const lowered = '₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎';
const raisedLetters = { n: 'ⁿ', i: 'ⁱ' };

const places = new Map<string, ReadonlyMap<string, string>>([
  [
    'SUP',
    new Map([...[...signs].map((sign, at) => [sign, raised[at] ?? sign] as const), ...Object.entries(raisedLetters)]),
  ],
  ['SUB', new Map([...signs].map((sign, at) => [sign, lowered[at] ?? sign] as const))],
]);
/** Longer ones are ordinary text, only set as superscript or subscript. */
const maxSigns = 12;

export function addSuperscripts(turndown: TurndownService): void {
  turndown.addRule('superscripts', {
    filter: (node: DomNode) => places.has(node.nodeName),
    replacement: (content: string, node: DomNode) => {
      const text = (node.textContent ?? '').trim();
      const known = places.get(node.nodeName);
      if (content.includes('[^') || known === undefined || text.length > maxSigns || !/\d|^[ni]$/.test(text))
        return content;
      const signsOf = [...text.replaceAll(/\s/gu, '')].map((sign) => known.get(sign));
      if (signsOf.includes(undefined)) return content;
      // A superscript may be a link to a note. Keep its address.
      const link = /^\s*\[[^\]]*\](\(\S*\))\s*$/.exec(content);
      return link === null ? signsOf.join('') : `[${signsOf.join('')}]${link[1]}`;
    },
  });
}
