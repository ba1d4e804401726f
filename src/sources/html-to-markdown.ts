import { tables, strikethrough, taskListItems } from '@truto/turndown-plugin-gfm';
import TurndownService from 'turndown';
import { onOneLine } from './tidy-markdown.ts';

/** Turns the HTML of an article's content into Markdown; links come out absolute, scripts not at all. */
export type HtmlToMarkdown = (content: DomNode) => string;

/** As much of a DOM node as is used here; the DOM's own types are not those of a server. */
export interface DomNode {
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly firstChild: DomNode | null;
  getAttribute?(name: string): string | null;
}

export function createHtmlToMarkdown(baseUrl: string): HtmlToMarkdown {
  const turndown = new TurndownService({
    headingStyle: 'atx',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    emDelimiter: '*',
    hr: '---',
  });
  turndown.use([tables, strikethrough, taskListItems]);
  turndown.remove(['script', 'style', 'noscript', 'template', 'iframe', 'object', 'embed', 'button', 'select', 'form']);

  turndown.addRule('link', {
    filter: (node: DomNode) => node.nodeName === 'A',
    replacement: (content: string, node: DomNode) => {
      const text = onOneLine(content);
      const href = webAddress(attribute(node, 'href'), baseUrl);
      return href === null || text.trim() === '' ? text : `[${text}](${href})`;
    },
  });
  turndown.addRule('image', {
    filter: 'img',
    replacement: (_content: string, node: DomNode) => {
      const source = webAddress(attribute(node, 'src'), baseUrl);
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
  // The plugin's own rule asks a table for its rows, which linkedom does not know, and drops it.
  turndown.addRule('wholeTable', {
    filter: 'table',
    replacement: (content: string) => {
      const [first = '', ...rest] = content.split('\n').filter((line) => line.trim() !== '');
      if (first === '') return '';
      const columns = first.replaceAll('\\|', '').split('|').length - 2;
      // A table of one column holds a page's layout, or a box around a text.
      if (columns < 2)
        return `\n\n${[first, ...rest].map((line) => line.replaceAll(/^\| | \|$/g, '')).join('\n\n')}\n\n`;
      const isRuled = /^\|(?: --- \|)+$/.test(rest[0] ?? '');
      return `\n\n${[first, ...(isRuled ? [] : [`|${' --- |'.repeat(columns)}`]), ...rest].join('\n')}\n\n`;
    },
  });
  const escape = turndown.escape.bind(turndown);
  // Left alone, a written-out "<b>" would become a tag for the next reader of the Markdown.
  turndown.escape = (text) => escape(text).replaceAll(/<(?=[a-z/!?])/gi, '\\<');
  return (content) => turndown.turndown(content).trim();
}

/** An http, https or mail address, absolute; null for everything that a reader must not be led to. */
export function webAddress(href: string, baseUrl: string): string | null {
  const url = URL.parse(href.trim(), baseUrl);
  if (url === null || !['http:', 'https:', 'mailto:'].includes(url.protocol)) return null;
  return url.href.replaceAll('(', '%28').replaceAll(')', '%29');
}

function attribute(node: DomNode, name: string): string {
  return node.getAttribute?.(name) ?? '';
}

function textOf(node: DomNode): string {
  return node.textContent ?? '';
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
