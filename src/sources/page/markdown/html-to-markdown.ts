import { strikethrough, taskListItems } from '@truto/turndown-plugin-gfm';
import TurndownService from 'turndown';
import { inlineText } from '../../../domain/text/inline-text.ts';
import { addRaisedSigns } from './superscripts.ts';
import { addTableRules } from './table-markdown.ts';
import { onOneLine } from './tidy-markdown.ts';
import { webAddress } from '../html/web-address.ts';
import type { DomNode } from '../html/dom-node.ts';

/** Turns the HTML of an article's content into Markdown; links come out absolute, scripts not at all. */
export type HtmlToMarkdown = (content: DomNode) => string;

const headingLine = /^[ \t]*(#{1,6}) (\S[^\n]*)$/m;

/**
 * A heading within a link becomes a link within a heading, as Markdown has it. What else the link holds, as that of a card
 * does, stands beside the heading; pictures without a word stand below it, not at the end of the card before.
 */
function headedLink(content: string, heading: RegExpExecArray, linked: (text: string) => string): string {
  const before = content.slice(0, heading.index).trim();
  const line = `${heading[1]} ${linked(heading[2] ?? '')}`;
  const behind = content.slice(heading.index + heading[0].length).trim();
  const parts = inlineText(before).trim() === '' ? [line, before, behind] : [before, line, behind];
  return `\n\n${parts.filter((part) => part !== '').join('\n\n')}\n\n`;
}

export function createHtmlToMarkdown(baseUrl: string): HtmlToMarkdown {
  const turndown = new TurndownService({
    headingStyle: 'atx',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    emDelimiter: '*',
    hr: '---',
  });
  turndown.use([strikethrough, taskListItems]);
  addTableRules(turndown);
  // Forms, buttons and noscript stay: whole pages stand in forms, headings in buttons, and what is no text was taken out before.
  turndown.remove(['script', 'style', 'template', 'iframe', 'object', 'embed', 'select', 'head']);

  turndown.addRule('link', {
    filter: (node: DomNode) => node.nodeName === 'A',
    replacement: (content: string, node: DomNode) => {
      const target = attribute(node, 'href');
      const href = target === '' ? null : webAddress(target, baseUrl);
      const linked = (text: string): string => (href === null || text.trim() === '' ? text : `[${text}](${href})`);
      const heading = headingLine.exec(content);
      return heading === null ? linked(onOneLine(content)) : headedLink(content, heading, linked);
    },
  });
  let before: string | null = null;
  turndown.addRule('image', {
    filter: 'img',
    replacement: (_content: string, node: DomNode) => {
      const address = attribute(node, 'src');
      const source = address === '' ? null : webAddress(address, baseUrl);
      // The same once more for readers without scripts.
      if (source !== null && source === before) return '';
      before = source;
      const alt = attribute(node, 'alt')
        .replaceAll(/[[\]\s]+/g, ' ')
        .trim();
      return source === null || alt === '' ? '' : `![${alt}](${source})`;
    },
  });
  // Turndown sees code only in <pre><code>.
  turndown.addRule('preformatted', {
    filter: 'pre',
    replacement: (_content: string, node: DomNode) => {
      const code = textOf(node).replace(/^\n+/, '').trimEnd();
      if (code === '') return '';
      const longest = Math.max(2, ...[...code.matchAll(/`+/g)].slice(0, 1_000).map(([run]) => run.length));
      const fence = '`'.repeat(longest + 1);
      return `\n\n${fence}${languageOf(node)}\n${code}\n${fence}\n\n`;
    },
  });
  const itemsBefore = createItemCount();
  // Turndown pads the marks to four columns, which no person writes and a quotation would show.
  turndown.addRule('item', {
    filter: 'li',
    replacement: (content: string, node: DomNode) => {
      const list = node.parentNode ?? null;
      const ordered = list?.nodeName === 'OL' ? list : null;
      const start = Number.parseInt(ordered === null ? '' : attribute(ordered, 'start'), 10);
      const mark =
        ordered === null ? '- ' : `${(Number.isInteger(start) && start >= 0 ? start : 1) + itemsBefore(node)}. `;
      const text = content.replace(/^\n+/, '').trimEnd();
      return text === '' ? '' : `${mark}${text.replaceAll('\n', `\n${' '.repeat(mark.length)}`)}\n`;
    },
  });
  // The marks of a formula say more than its signs one after the other.
  turndown.addRule('formula', {
    filter: (node: DomNode) => node.nodeName.toLowerCase() === 'math' && formulaOf(node) !== '',
    replacement: (_content: string, node: DomNode) => `$${onOneLine(formulaOf(node)).trim()}$`,
  });
  addRaisedSigns(turndown);
  const escape = turndown.escape.bind(turndown);
  // At an end, too: linkedom makes a text of its own of each entity. Left alone, a written-out "<b>" would become a tag for the next reader of the Markdown.
  turndown.escape = (text) => escape(text).replaceAll(/<(?=[a-z/!?]|$)/gi, '\\<');
  return (content) => turndown.turndown(content).trim();
}

/** How many items stand before one in its list. Asked for each in order, it walks back to the last one only. */
function createItemCount(): (item: DomNode) => number {
  const last = new WeakMap<DomNode, { item: DomNode; count: number }>();
  return (item) => {
    const known = item.parentNode ? last.get(item.parentNode) : undefined;
    let count = 0;
    for (let at = item.previousSibling ?? null; at !== null; at = at.previousSibling ?? null) {
      if (at.nodeName === 'LI') count += 1;
      if (at === known?.item) {
        count += known.count;
        break;
      }
    }
    if (item.parentNode) last.set(item.parentNode, { item, count });
    return count;
  };
}

/** As its author wrote it: in an attribute, or in an annotation beside the marks for readers. */
function formulaOf(math: DomNode): string {
  const written = attribute(math, 'alttext');
  if (written !== '') return written;
  return textOf(math.querySelector?.('annotation[encoding="application/x-tex"]') ?? null).trim();
}

function attribute(node: DomNode, name: string): string {
  return node.getAttribute?.(name) ?? '';
}

function textOf(node: DomNode | null): string {
  return node?.textContent ?? '';
}

function languageOf(node: DomNode): string {
  const inner = node.firstChild;
  const marking = [node, inner].map((one) =>
    one === null ? '' : `${attribute(one, 'class')} ${attribute(one, 'data-lang')}`,
  );
  return (
    /(?:^|\s)(?:language|lang|highlight-source)-([\w+#-]{1,30})/i.exec(marking.join(' '))?.[1]?.toLowerCase() ?? ''
  );
}
