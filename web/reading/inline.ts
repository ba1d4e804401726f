import { type Leaf, readInline as readLeaves } from '../../src/domain/text/inline-markdown.ts';

/** Inline Markdown in pieces, with their places. */
export function readInline(markdown: string): Leaf[] {
  return readLeaves(markdown, entity);
}

/** Inline Markdown as a reader sees it. */
export function plain(markdown: string): string {
  return readInline(markdown)
    .map(({ text, styles }) => (styles.has('sup') ? '' : text))
    .join('')
    .trimStart();
}

/** Names that Markdown of ours may hold; every other one stays as it is written. */
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

const form = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/iy;

/** What stands at an ampersand. The browser gets no table of all names. */
function entity(markdown: string, at: number): { length: number; text: string } {
  form.lastIndex = at;
  const found = form.exec(markdown);
  if (found === null) return { length: 1, text: '&' };
  const [whole, decimal, hexadecimal, name = ''] = found;
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  const shown = Number.isNaN(code)
    ? named[name.toLowerCase()]
    : code > 31 && code <= 0x10_ff_ff && (code < 0xd800 || code > 0xdfff)
      ? String.fromCodePoint(code)
      : undefined;
  return shown === undefined ? { length: 1, text: '&' } : { length: whole.length, text: shown };
}

const bare = (words: string): string =>
  words
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Whether a sentence says more than a title: most titles are their sentence, without its full stop. */
export function saysMore(sentence: string, title: string): boolean {
  const [whole, part] = [bare(sentence), bare(title)];
  return whole !== '' && !part.includes(whole) && !(whole.includes(part) && whole.length < 1.25 * part.length);
}
