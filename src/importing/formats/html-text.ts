import { type HtmlToken, htmlTagsOf } from '../reading/html-tags.ts';

/*
 * Notes that other programs keep as HTML (Zotero, Goodreads) or as Evernote's ENML become Markdown: paragraphs, headings,
 * lists with their checkboxes, tables and links. Emphasis and pictures are left out.
 */

const blocks = new Set(
  'p div section article blockquote pre ul ol dl dt dd table thead tbody hr h1 h2 h3 h4 h5 h6 en-note'.split(' '),
);
const skipped = new Set(['script', 'style', 'title', 'en-crypt']);
const maxListDepth = 20;
const maxLinkLength = 2_000;

interface Line {
  text: string;
  /** Lines of one kind follow each other without an empty one between them. */
  kind: 'block' | 'item' | 'row' | 'break';
}

export function htmlToMarkdown(html: string): string {
  return markdownOf(htmlTagsOf(html));
}

function markdownOf(tokens: Iterable<HtmlToken>): string {
  const lines: Line[] = [];
  let line = '';
  let prefix = '';
  let kind = 'block' as Line['kind'];
  /** Whether each of the open lists is one of checkboxes. */
  const lists: boolean[] = [];
  let skipping = '';
  let preDepth = 0;
  /** Where the text of an open link begins in the line; null when the line ended inside of it. */
  let link: { href: string; from: number } | null = null;
  let cells: string[] | null = null;
  let isFirstRow = false;
  const end = (): void => {
    const text = preDepth > 0 ? line.trimEnd() : line.replaceAll(/[ \t]{1,1000}/g, ' ').trim();
    if (text !== '') lines.push({ text: prefix + text, kind });
    // A paragraph inside an item goes on behind its mark.
    if (text !== '' || kind === 'break') [prefix, kind] = ['', 'block'];
    [line, link] = ['', null];
  };
  const begin = (mark: string, as: Line['kind']): void => {
    end();
    [prefix, kind] = [mark, as];
  };
  for (const token of tokens) {
    if (token.kind === 'text') {
      if (skipping === '') line += preDepth > 0 ? token.text : token.text.replaceAll(/\s/g, ' ');
      continue;
    }
    const { name } = token;
    if (token.kind === 'close') {
      if (name === skipping) skipping = '';
      else if (name === 'a' && link !== null) {
        line = withLink(line, link);
        link = null;
      } else if (name === 'td' || name === 'th') {
        cells?.push(line.replaceAll(/\s/g, ' ').trim().replaceAll('|', '\\|'));
        line = '';
      } else if (name === 'tr' && cells !== null) {
        const row = cells;
        cells = null;
        lines.push({ text: `| ${row.join(' | ')} |`, kind: 'row' });
        if (isFirstRow) lines.push({ text: `|${row.map(() => ' --- |').join('')}`, kind: 'row' });
        isFirstRow = false;
      } else if ((blocks.has(name) && cells === null) || name === 'li') {
        end();
        if (name === 'ul' || name === 'ol') lists.pop();
        if (name === 'pre') preDepth = Math.max(0, preDepth - 1);
        if (name === 'li') [prefix, kind] = ['', 'block'];
      }
      continue;
    }
    const { attributes, isClosed } = token;
    if (skipping !== '') continue;
    if (skipped.has(name) && !isClosed) skipping = name;
    else if (name === 'a') {
      const href = attributes.get('href') ?? '';
      if (/^https?:/i.test(href) && href.length <= maxLinkLength) link = { href, from: line.length };
    } else if (name === 'br') {
      if (cells !== null) line += ' ';
      // Two of them end a paragraph.
      else if (kind === 'break' && line.trim() === '') kind = 'block';
      else begin('', 'break');
    } else if (name === 'en-todo') begin(checkbox(attributes.get('checked') === 'true'), 'item');
    else if (name === 'li') {
      const isChecked = (attributes.get('style') ?? '').includes('--en-checked:true');
      const indent = '  '.repeat(Math.min(maxListDepth, Math.max(0, lists.length - 1)));
      begin(indent + (lists.at(-1) === true ? checkbox(isChecked) : '- '), 'item');
    } else if (name === 'tr') {
      end();
      cells = [];
    } else if (blocks.has(name) && cells === null) {
      end();
      if (name === 'table') isFirstRow = true;
      if (name === 'ul' || name === 'ol') lists.push((attributes.get('style') ?? '').includes('--en-todo:true'));
      if (name === 'pre') preDepth += 1;
      const level = /^h([1-6])$/.exec(name)?.[1];
      if (level !== undefined) prefix = `${'#'.repeat(Number(level))} `;
      else if (name === 'blockquote') prefix = '> ';
    }
  }
  end();
  return lines.map((one, at) => separatorBefore(one, lines[at - 1]) + one.text).join('');
}

const checkbox = (isChecked: boolean): string => (isChecked ? '- [x] ' : '- [ ] ');

function separatorBefore({ kind }: Line, before: Line | undefined): string {
  if (before === undefined) return '';
  return kind === 'break' || (kind !== 'block' && kind === before.kind) ? '\n' : '\n\n';
}

function withLink(line: string, { href, from }: { href: string; from: number }): string {
  const text = line.slice(from);
  if (text.trim() === '' || text.trim() === href) return line;
  return `${line.slice(0, from)}[${text.trim().replaceAll(/[[\]]/g, ' ')}](${href.replaceAll(/[()\s]/g, (one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`)})`;
}
