import { formulaEnd } from './formula-end.ts';
import { matchBrackets, runLength, tickRuns } from './inline-markdown.ts';
import { linkEnd } from './link-end.ts';
import type { TextSpan } from './graphemes.ts';

/*
 * Stored text as a reader of the page sees it, still Markdown: link addresses, images and the marks of footnotes and
 * headings' own links are left out, because a model pays for them and cannot use them. Characters are only removed, so
 * what is shown stands in the stored text in the same order.
 */

/** The characters of a slice that a reader sees, with no more white space than they need. */
export function readableText(markdown: string, hidden: readonly TextSpan[], { start, end }: TextSpan): string {
  let text = '';
  let at = start;
  for (const span of hidden) {
    if (span.end <= at) continue;
    if (span.start >= end) break;
    text += markdown.slice(at, Math.max(at, span.start));
    at = Math.min(end, span.end);
  }
  const shown = text + markdown.slice(at, end);
  return withNarrowTables(shown.length === end - start ? shown : withoutEmptyLines(shown));
}

/** Rows of tables without what only lines up their columns in a file: a model pays for each of these spaces and dashes. */
function withNarrowTables(text: string): string {
  // A slice may begin within code, whose spaces matter.
  if (!text.includes('|') || /^\s{0,20}(?:```|~~~)/m.test(text)) return text;
  return text
    .split('\n')
    .map((line) => {
      if (!line.startsWith('|') || !line.trimEnd().endsWith('|')) return line;
      const narrow = line.split('|').map(withNarrowEnds).join('|');
      return /^[|:\- ]+$/.test(narrow) ? narrow.replaceAll(/-{4,}/g, '---') : narrow;
    })
    .join('\n');
}

/** A cell with at most one space on each side. */
function withNarrowEnds(cell: string): string {
  const words = cell.trim();
  if (words === '') return cell.slice(0, 1);
  return (cell.startsWith(' ') ? ' ' : '') + words + (cell.endsWith(' ') ? ' ' : '');
}

/** Empty lines are left by an image or a mark on a separate line. */
function withoutEmptyLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** Spans of Markdown that a reader does not see, in order. Code and formulas are left as they are. One pass over the characters. */
export function hiddenSpans(markdown: string): TextSpan[] {
  if (!markdown.includes('](') && !markdown.includes('[^')) return [];
  const closers = matchBrackets(markdown);
  const ticks = tickRuns(markdown);
  const hidden: TextSpan[] = [];
  /** For the closing bracket of a link: where its address ends. */
  const addresses = new Map<number, number>();
  for (let at = 0; at < markdown.length;) {
    const char = markdown[at];
    const addressEnd = addresses.get(at);
    if (addressEnd !== undefined) {
      hidden.push({ start: at, end: addressEnd });
      at = addressEnd;
    } else if (char === '\\') {
      at += 2;
    } else if (char === '`') {
      const length = runLength(markdown, at);
      at = (ticks.closer(at, length) ?? at) + length;
    } else if (char === '$') {
      at = formulaEnd(markdown, at) ?? at + 1;
    } else if (char === '!' && markdown[at + 1] === '[') {
      const end = endOfLink(markdown, closers.get(at + 1));
      if (end !== undefined) hidden.push({ start: at, end });
      at = end ?? at + 1;
    } else if (char === '[') {
      const close = closers.get(at);
      const end = endOfLink(markdown, close);
      if (close !== undefined && (markdown[at + 1] === '^' || (end !== undefined && isMark(markdown, at, close)))) {
        hidden.push({ start: at, end: end ?? close + 1 });
        at = end ?? close + 1;
      } else {
        if (close !== undefined && end !== undefined) {
          hidden.push({ start: at, end: at + 1 });
          addresses.set(close, end);
        }
        at += 1;
      }
    } else at += 1;
  }
  return hidden;
}

function endOfLink(markdown: string, close: number | undefined): number | undefined {
  return close !== undefined && markdown[close + 1] === '(' ? linkEnd(markdown, close) : undefined;
}

/** The longest mark: `[\[12\]](#note)`. */
const maxMark = 12;

/** Whether a link to a place on the same page is only a mark: a footnote's number, `¶`, `#`, `↩`, or nothing. */
function isMark(markdown: string, open: number, close: number): boolean {
  const words = close - open > maxMark ? 'long' : markdown.slice(open + 1, close);
  if (words.trim() === '') return true;
  return markdown[close + 2] === '#' && /^[\d\s[\]\\¶#§^↑↩*†‡]+$/u.test(words);
}
