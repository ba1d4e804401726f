import { OpenElements, readTokens } from './html-tokens.ts';

const headings = new Map(Array.from({ length: 6 }, (_, at) => [`h${at + 1}`, `${'#'.repeat(at + 1)} `]));
const left = new Set(
  (
    'script style noscript template svg iframe object nav footer aside form button select textarea dialog menu head ' +
    'audio video canvas rt rp'
  ).split(' '),
);
/** Elements without text, in any page or file. */
const silent = new Set('script style template svg object head audio video canvas rt rp'.split(' '));
const blocks = new Set(
  (
    'address article blockquote body caption center dd details div dl dt fieldset figcaption figure h1 h2 h3 h4 h5 h6 ' +
    'header hr html li main ol p pre section summary table tbody td tfoot th thead tr ul'
  ).split(' '),
);
/** From this share of link text on, a line belongs to a list of links around the article. */
const maxLinked = 0.6;

interface HtmlLine {
  text: string;
  linked: number;
  kind: 'text' | 'heading' | 'item' | 'code' | 'row';
  inMain: boolean;
}

/**
 * Converts a page that is too large or too deep for a DOM to Markdown, in one pass linear in the page's length. Without
 * a DOM there are no links, no emphasis and no scoring of sections. Navigation, forms and scripts are recognised by
 * their tags alone, lists of links by their share of link text. If an `article` or `main` holds most of the text, only
 * that is kept.
 */
export function linearMarkdown(html: string, isContent = false): string {
  const lines: HtmlLine[] = [];
  let parts: string[] = [];
  let linked = 0;
  let skipped = 0;
  let links = 0;
  let mains = 0;
  let pres = 0;
  let mark = '';
  let cells: string[] | null = null;

  const endLine = (): void => {
    const raw = parts.join('');
    parts = [];
    const text = pres > 0 ? raw.replace(/^\n+/, '').trimEnd() : raw.replaceAll(/\s+/gu, ' ').trim();
    const share = linked / Math.max(1, text.length);
    linked = 0;
    if (text === '') return;
    if (cells !== null) cells.push(text);
    else if (pres > 0) lines.push({ text, linked: 0, kind: 'code', inMain: mains > 0 });
    else {
      const kind = mark.startsWith('#') ? 'heading' : mark === '' ? 'text' : 'item';
      lines.push({ text: mark + text, linked: share, kind, inMain: mains > 0 });
    }
    mark = '';
  };
  const breakCode = (): void => {
    if (parts.length > 0 && parts.at(-1)?.endsWith('\n') !== true) parts.push('\n');
  };
  const endRow = (): void => {
    endLine();
    if (cells !== null && cells.length > 0) {
      const text = `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
      lines.push({ text, linked: 0, kind: 'row', inMain: mains > 0 });
    }
    cells = null;
  };

  const isLeft = (name: string): boolean => (isContent ? silent : left).has(name);
  const stack = new OpenElements<string>((name) => {
    if (isLeft(name)) skipped -= 1;
    // Elements in code are its lines.
    if (blocks.has(name) && (name === 'pre' || pres === 0)) endLine();
    else if (blocks.has(name)) breakCode();
    if (name === 'a') links -= 1;
    if (name === 'pre') pres -= 1;
    if (name === 'tr' && pres === 0) endRow();
    if (name === 'article' || name === 'main') mains -= 1;
  });

  readTokens(html, {
    open(name) {
      if (name === 'br' || name === 'hr') parts.push(pres > 0 ? '\n' : ' ');
      if (blocks.has(name) && skipped === 0 && pres === 0) endLine();
      else if (blocks.has(name) && skipped === 0) breakCode();
      stack.push(name, name);
      if (isLeft(name)) skipped += 1;
      if (name === 'a') links += 1;
      if (name === 'pre') pres += 1;
      if (name === 'article' || name === 'main') mains += 1;
      if (name === 'tr' && pres === 0) cells = [];
      if (cells === null) mark = headings.get(name) ?? (name === 'li' ? '- ' : mark);
    },
    close: (name) => stack.close(name),
    text(text) {
      if (skipped > 0) return;
      parts.push(text);
      if (links > 0) linked += text.length;
    },
  });
  stack.closeAll();
  endRow();
  return toMarkdown(isContent ? lines : chosen(lines));
}

function chosen(lines: readonly HtmlLine[]): HtmlLine[] {
  const kept = lines.filter(({ kind, linked, text }) => kind === 'heading' || linked < maxLinked || text.length > 400);
  const main = kept.filter(({ inMain }) => inMain);
  return characters(main) * 2 > characters(kept) ? main : kept;
}

function characters(lines: readonly HtmlLine[]): number {
  return lines.reduce((sum, { text }) => sum + text.length, 0);
}

function toMarkdown(lines: readonly HtmlLine[]): string {
  const parts: string[] = [];
  let before: HtmlLine['kind'] | null = null;
  for (const { text, kind } of lines) {
    const joined = (kind === 'item' || kind === 'row') && kind === before;
    parts.push(before === null ? '' : joined ? '\n' : '\n\n');
    if (kind === 'code') parts.push(fenced(text));
    else {
      parts.push(kind === 'text' ? text.replace(/^([#>*+-]|\d+[.)])(?=\s)/, '\\$1') : text);
      // Markdown recognises a table only by its delimiter row.
      if (kind === 'row' && before !== 'row') parts.push(`\n|${' --- |'.repeat(text.split(/(?<!\\)\|/).length - 2)}`);
    }
    before = kind;
  }
  return parts.join('');
}

export function fenced(code: string, language = ''): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].slice(0, 1_000).map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}
