import type { Block } from '../../domain/records/texts/document.ts';

const fenceStart = /^([ \t]*)(`{3,}(?!`)|~{3,}(?!~))([^`]*)$/;
const closingFence = /^[ \t]*(`{3,}|~{3,})[ \t]*$/;
const atxHeading = /^ {0,3}(#{1,6})(?:[ \t]+|$)/;
const rule = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const setextLine = /^ {0,3}(=+|-+)[ \t]*$/;
const listItem = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
/** The marker of a list item, or of nested items on one line. */
const itemMarks = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)+/;
const startsList = /^ {0,3}(?:[-*+]|1[.)])[ \t]+\S/;
const quoteLine = /^ {0,3}>/;
const indented = /^(?: {4}|\t)/;
const indentedInList = /^(?: {2}|\t)/;
const tableDelimiter = /^[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)*(?:[ \t]*:?-+:?)?[ \t]*$/;

/**
 * Splits Markdown into blocks. Every line with text is in exactly one block, in order and as written. Only blank lines
 * and thematic breaks between blocks are left out, and underlined headings are rewritten with `#`.
 */
export function markdownBlocks(markdown: string): Block[] {
  const lines = markdown.split(/\r\n?|\n/);
  const blocks: Block[] = [];
  let at = 0;
  const take = (end: number, kind: Block['kind']): void => {
    const text = lines.slice(at, end).join('\n').trimEnd();
    if (text !== '') blocks.push({ text, kind });
    at = end;
  };

  while (at < lines.length) {
    const line = lines[at] ?? '';
    if (line.trim() === '' || rule.test(line)) {
      at += 1;
      continue;
    }
    const heading = atxHeading.exec(line);
    if (fenceStart.test(line) && !indented.test(line)) take(fenceEnd(lines, at), 'code');
    else if (heading !== null) {
      blocks.push({ text: line.trim(), kind: 'heading', level: heading[1]?.length ?? 1 });
      at += 1;
    } else if (indented.test(line))
      take(
        lastWhile(lines, at, (one) => indented.test(one)),
        'code',
      );
    else if (listItem.test(line)) take(listEnd(lines, at), 'list');
    else if (quoteLine.test(line)) take(quoteEnd(lines, at), 'quote');
    else if (startsTable(lines, at))
      take(
        lastWhile(lines, at, (one) => one.includes('|')),
        'table',
      );
    else at = takeParagraph(lines, at, blocks);
  }
  return blocks;
}

/** Index after the closing fence of the one at `at`, or after the last line if the fence is never closed. */
function fenceEnd(lines: readonly string[], at: number): number {
  const mark = fenceStart.exec((lines[at] ?? '').replace(itemMarks, ''))?.[2] ?? '```';
  let end = at + 1;
  while (end < lines.length && closingFence.exec(lines[end] ?? '')?.[1]?.startsWith(mark) !== true) end += 1;
  return Math.min(end + 1, lines.length);
}

/** Index after the last line that fits. Blank lines between fitting lines are included, except in a table. */
function lastWhile(lines: readonly string[], at: number, fits: (line: string) => boolean): number {
  const blanks = lines[at]?.includes('|') !== true || indented.test(lines[at] ?? '');
  let end = at + 1;
  for (let i = at + 1; i < lines.length; i += 1) {
    const line = lines[i] ?? '';
    if (line.trim() === '') {
      if (!blanks) break;
    } else if (fits(line)) end = i + 1;
    else break;
  }
  return end;
}

function listEnd(lines: readonly string[], at: number): number {
  let end = at;
  let blank = false;
  for (let i = at; i < lines.length; i += 1) {
    const line = lines[i] ?? '';
    if (line.trim() === '') {
      blank = true;
      continue;
    }
    const belongs = listItem.test(line) || indentedInList.test(line);
    if (rule.test(line) || (!belongs && (blank || interrupts(line)))) break;
    if (belongs && fenceStart.test(line.replace(itemMarks, ''))) i = fenceEnd(lines, i) - 1;
    end = i + 1;
    blank = false;
  }
  return end;
}

function quoteEnd(lines: readonly string[], at: number): number {
  let end = at + 1;
  while (end < lines.length) {
    const line = lines[end] ?? '';
    if (line.trim() === '' || (!quoteLine.test(line) && (interrupts(line) || startsList.test(line)))) break;
    end += 1;
  }
  return end;
}

function startsTable(lines: readonly string[], at: number): boolean {
  return (
    (lines[at] ?? '').includes('|') && tableDelimiter.test(lines[at + 1] ?? '') && (lines[at + 1] ?? '').includes('|')
  );
}

function interrupts(line: string): boolean {
  return (
    atxHeading.test(line) || (fenceStart.test(line) && !indented.test(line)) || quoteLine.test(line) || rule.test(line)
  );
}

function takeParagraph(lines: readonly string[], at: number, blocks: Block[]): number {
  let end = at + 1;
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? '';
    const underline = setextLine.exec(line);
    if (underline !== null) {
      const level = underline[1]?.startsWith('=') === true ? 1 : 2;
      const text = lines
        .slice(at, end)
        .map((one) => one.trim())
        .join(' ');
      blocks.push({ text: `${'#'.repeat(level)} ${text}`, kind: 'heading', level });
      return end + 1;
    }
    if (line.trim() === '' || interrupts(line) || startsList.test(line) || startsTable(lines, end)) break;
  }
  blocks.push({ text: lines.slice(at, end).join('\n').trimEnd(), kind: 'paragraph' });
  return end;
}
