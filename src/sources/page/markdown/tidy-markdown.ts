import { formulaEnd } from '../../../domain/text/formula-end.ts';

/**
 * Repairs Markdown of extractors in one pass. A link's markup may not span paragraphs, so a link with line breaks loses
 * its markup and keeps its text. An image's description is put on one line. Needless backslashes are removed. Code and
 * formulas are left unchanged.
 */
export function tidyMarkdown(markdown: string): string {
  const cuts: TextCut[] = [];
  let open: number[] = [];
  let lastBreak = -1;
  let nextBreak = markdown.indexOf('\n');
  token.lastIndex = 0;
  for (let match = token.exec(markdown); match !== null; match = token.exec(markdown)) {
    const at = match.index;
    if (match[0].startsWith('\\')) {
      if (isNeedless(markdown, at)) cuts.push({ from: at, to: at + 1, joined: false });
      continue;
    }
    if (match[1] !== undefined) {
      const close = closingFence(markdown, token.lastIndex, match[1]);
      open = [];
      token.lastIndex = close;
    } else if (match[0] === '$') token.lastIndex = formulaEnd(markdown, at) ?? at + 1;
    else if (match[0] === '[') open.push(at);
    else {
      const start = open.pop();
      target.lastIndex = at;
      const end = start === undefined ? null : target.exec(markdown);
      for (; nextBreak !== -1 && nextBreak < at; nextBreak = markdown.indexOf('\n', nextBreak + 1))
        lastBreak = nextBreak;
      if (start === undefined || end === null || lastBreak < start) continue;
      if (markdown[start - 1] === '!') cuts.push({ from: start + 1, to: at, joined: true });
      else {
        cuts.push({ from: start, to: start + 1, joined: false }, { from: at, to: at + end[0].length, joined: false });
      }
    }
  }
  return apply(markdown, cuts);
}

const wordCharacter = /[\p{L}\p{N}]/u;

/**
 * Whether the backslash at `at` is needless and would only show up in quotations: before an underscore inside a word
 * (`ERR\_CODE`), or after the number in a heading (`## 3\. Thirds`).
 */
function isNeedless(markdown: string, at: number): boolean {
  const [before, escaped, after] = [markdown[at - 1] ?? '', markdown[at + 1], markdown[at + 2] ?? ''];
  if (escaped === '_') return wordCharacter.test(before) && wordCharacter.test(after);
  if (escaped !== '.' || !/\d/.test(before)) return false;
  // Look only at the 20 characters before it: a line may be a megabyte long.
  const near = `${at > 20 ? ' ' : ''}${markdown.slice(Math.max(0, at - 20), at)}`;
  return /(?:^|\n)#{1,6} +\d{1,9}$/.test(near);
}

interface TextCut {
  from: number;
  to: number;
  /** Whether the text of the cut is kept, joined onto one line. */
  joined: boolean;
}

const token = /\\.|^ {0,3}(`{3,}|~{3,})|[[\]$]/gm;
const fence = /^ {0,3}(`{3,}|~{3,})[ \t]*$/gm;
const target = /\]\((?:[^()\s]|\([^()\s]{0,2000}\)){0,8000}(?:\s{1,5}"[^"\n]{0,500}")?\)/y;

function closingFence(markdown: string, from: number, mark: string): number {
  fence.lastIndex = from;
  for (let found = fence.exec(markdown); found !== null; found = fence.exec(markdown)) {
    if (found[1]?.startsWith(mark) === true) return found.index + found[0].length;
  }
  return markdown.length;
}

/** An image inside a removed link has a separate cut: cuts never overlap, but may be out of order. */
function apply(markdown: string, cuts: readonly TextCut[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { from, to, joined } of cuts.toSorted((a, b) => a.from - b.from)) {
    if (from < at) continue;
    parts.push(markdown.slice(at, from), joined ? onOneLine(markdown.slice(from, to)).trim() : '');
    at = to;
  }
  parts.push(markdown.slice(at));
  return parts.join('');
}

/** Replaces each line break, with the white space around it, by one space. */
export function onOneLine(text: string): string {
  if (!text.includes('\n')) return text;
  const lines = text.split('\n').map((line, i, all) => {
    const start = i === 0 ? line : line.trimStart();
    return i === all.length - 1 ? start : start.trimEnd();
  });
  // Drop blank lines inside the text: they are part of one break. An empty first or last line represents white space at that end.
  return lines.filter((line, i) => line !== '' || i === 0 || i === lines.length - 1).join(' ');
}

/**
 * A picture in Markdown whose address is its data, or the definition of one. Descriptions and titles have at most 500
 * characters. The type tells data from a sentence: `[Q1]: Data: 40 % of users`.
 */
const dataPicture =
  /!\[[^\][\n]{0,500}\]\(\s{0,5}<?data:(?:[a-z]{1,20}\/[\w.+-]{1,100})?[;,][^()\s]*(?:\s{1,5}"[^"]{0,500}")?\s{0,5}\)|^[ \t]{0,20}\[[^\][\n]{0,500}\]:[ \t]{0,5}<?data:[a-z]{1,20}\/[\w.+-]{1,100}[;,][^\n]*/gim;

/**
 * Markdown without the pictures that it contains as data (`data:image/png;base64,…`): their thousands of letters are unreadable,
 * and they would be split into passages like words. Exports of Google Docs define them at the end.
 */
export function withoutDataPictures(markdown: string): string {
  return markdown.replaceAll(dataPicture, '');
}
