import { inlineText } from './inline-text.ts';
import { beginningOf, shortened } from './shortened.ts';

/**
 * The text of Markdown as a reader sees it: no heading marks, emphasis, link targets, images, table pipes, fences or list markers.
 * A blank line separates paragraphs, which have no line breaks. List items and table rows are on separate lines, tabs separate
 * cells, and code keeps its lines.
 */
export function plainText(markdown: string): string {
  let text = '';
  for (const block of renderBlocks(markdown)) text += (text === '' ? '' : block.before) + block.text;
  return text;
}

/**
 * The same text, split where a browser begins a new block: at each paragraph, heading, list item, table cell and
 * line of code. White space is collapsed, and empty blocks are left out.
 */
export function plainBlocks(markdown: string): string[] {
  if (isPlainLine(markdown)) return [collapsed(markdown)];
  return renderBlocks(markdown)
    .flatMap((block) => block.text.split('\n'))
    .map(collapsed)
    .filter((line) => line !== '');
}

/** True for one line that begins with a letter or quotation mark and has no Markdown syntax, as most paragraphs do. */
export function isPlainLine(markdown: string): boolean {
  return /^[\p{L}"“„‘']/u.test(markdown) && !/[\n\\`[\]<&*_~=|]/.test(markdown);
}

function collapsed(line: string): string {
  return (/[^\S ]|  /u.test(line) ? line.replaceAll(/\s+/gu, ' ') : line).trim();
}

interface RenderedBlock {
  text: string;
  /** The separator from the block before. */
  before: '\n\n' | '\n' | '\t';
}

/*
 * Each pattern takes linear time on any line: no two parts of a pattern can match the same run of characters, and no
 * pattern searches for the end of a line from every position within it.
 */
const fenceStart = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))([^`]*)$/;
const container = /^[ \t]*(?:>[ \t]?|(?:[-*+]|\d{1,9}[.)])(?:[ \t]+(?:\[[ xX]\][ \t]+)?|$))/;
const listMarker = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
const rule = /^[ \t]{0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const setext = /^ {0,3}(?:=+|-+)[ \t]*$/;
const heading = /^ {0,3}#{1,6}(?:[ \t]+|$)/;
const tableDelimiter = /^[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)*(?:[ \t]*:?-+:?)?[ \t]*$/;
const linkDefinition = /^ {0,3}\[[^\]^][^\]]{0,200}\]:[ \t]+\S+/;
const footnoteDefinition = /^ {0,3}\[\^[^\]]{1,100}\]:[ \t]*/;

function renderBlocks(markdown: string): RenderedBlock[] {
  const blocks: RenderedBlock[] = [];
  const lines = markdown.split('\n');
  let paragraph: string[] = [];
  let before: RenderedBlock['before'] = '\n\n';
  let inList = false;
  let inTable = false;

  const endParagraph = (): void => {
    const rendered = inlineText(joinLines(paragraph)).trim();
    paragraph = [];
    if (rendered !== '') blocks.push({ text: rendered, before });
    before = '\n\n';
  };

  for (let i = 0; i < lines.length; i += 1) {
    let line = lines[i] ?? '';
    if (line.trim() === '') {
      endParagraph();
      inTable = false;
      continue;
    }
    if (rule.test(line) && !(paragraph.length > 0 && setext.test(line))) {
      endParagraph();
      continue;
    }
    if (paragraph.length > 0 && setext.test(line)) {
      endParagraph();
      continue;
    }
    if (paragraph.length === 0 && !inList && /^(?: {4}|\t)/.test(line)) {
      const code = [];
      while (i < lines.length && /^(?: {4}|\t|\s*$)/.test(lines[i] ?? '')) {
        code.push((lines[i] ?? '').replace(/^(?: {4}|\t)/, ''));
        i += 1;
      }
      i -= 1;
      blocks.push({ text: code.join('\n').trimEnd(), before: '\n\n' });
      continue;
    }
    if (!/^[ \t]/.test(line) && !listMarker.test(line)) inList = false;
    for (let found = container.exec(line); found !== null; found = container.exec(line)) {
      if (listMarker.test(line)) {
        // A wrapped line may begin with "2024. "; only a first item interrupts a paragraph.
        if (paragraph.length > 0 && !inList && /^[ \t]*(?!1[.)])\d/.test(line)) break;
        endParagraph();
        if (inList) before = '\n';
        inList = true;
      }
      line = line.slice(found[0].length);
    }
    const fence = fenceStart.exec(inList ? line.trimStart() : line);
    if (fence !== null) {
      endParagraph();
      const mark = fence[1] ?? '```';
      const indent = /^[ \t]*/.exec(line)?.[0].length ?? 0;
      const code = [];
      for (i += 1; i < lines.length && !closesFence(lines[i] ?? '', mark); i += 1) {
        code.push(withoutIndent(lines[i] ?? '', indent));
      }
      const text = code.join('\n').replace(/^\n+/, '').trimEnd();
      if (text !== '') blocks.push({ text, before: '\n\n' });
    } else if (heading.test(line)) {
      endParagraph();
      paragraph.push(withoutClosingMarks(line.replace(heading, '')));
      endParagraph();
    } else if (tableDelimiter.test(line) && line.includes('|')) {
      endParagraph();
      inTable = true;
    } else if (inTable || isTableRow(line) || tableFollows(line, lines[i + 1])) {
      endParagraph();
      for (const cell of tableRow(line, inTable)) blocks.push(cell);
      inTable = true;
    } else if (linkDefinition.test(line)) {
      endParagraph();
    } else {
      if (footnoteDefinition.test(line)) endParagraph();
      paragraph.push(line.replace(footnoteDefinition, ''));
    }
  }
  endParagraph();
  return blocks;
}

/** Two spaces or a backslash at the end of a line make a line break; any other line end becomes a space. */
function joinLines(lines: readonly string[]): string {
  const parts: string[] = [];
  for (const [i, line] of lines.entries()) {
    const text = i === 0 ? line : line.replace(/^[ \t]+/, '');
    if (i === lines.length - 1) parts.push(text);
    else if (text.endsWith('\\')) parts.push(text.slice(0, -1), '<br>');
    else parts.push(withoutEndBlanks(text), line.endsWith('  ') ? '<br>' : ' ');
  }
  return parts.join('');
}

function withoutEndBlanks(line: string): string {
  let end = line.length;
  while (end > 0 && isSpaceOrTab(line, end - 1)) end -= 1;
  return line.slice(0, end);
}

/** The text of a heading without an optional closing `##`. */
function withoutClosingMarks(text: string): string {
  const bare = withoutEndBlanks(text);
  let end = bare.length;
  while (end > 0 && bare[end - 1] === '#') end -= 1;
  return end < bare.length && end > 0 && isSpaceOrTab(bare, end - 1) ? withoutEndBlanks(bare.slice(0, end)) : text;
}

function withoutIndent(line: string, maxIndent: number): string {
  let indent = 0;
  while (indent < maxIndent && isSpaceOrTab(line, indent)) indent += 1;
  return line.slice(indent);
}

function isSpaceOrTab(text: string, at: number): boolean {
  return text[at] === ' ' || text[at] === '\t';
}

function isTableRow(line: string): boolean {
  const bare = line.trim();
  return bare.length > 1 && bare.startsWith('|') && bare.endsWith('|');
}

function closesFence(line: string, mark: string): boolean {
  const text = line.replace(/^[ \t>]*/, '').trimEnd();
  return text.length >= mark.length && text === mark.charAt(0).repeat(text.length);
}

function tableFollows(line: string, next: string | undefined): boolean {
  return line.includes('|') && next !== undefined && next.includes('|') && tableDelimiter.test(next);
}

function tableRow(line: string, following: boolean): RenderedBlock[] {
  const cells = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/);
  return cells.map((cell, i) => ({
    text: inlineText(cell.replaceAll('\\|', '|').trim()).trim(),
    before: i > 0 ? '\t' : following ? '\n' : '\n\n',
  }));
}

/** Every passage and sentence under a heading stores its name, and a page may mark megabytes as a heading. */
const maxName = 300;
/** Characters of Markdown that are read for a name: with links and markup it is longer than the text shown. */
const maxMarkdown = 4_000;

/** The plain text of a heading on one line, shortened if it is very long. */
export function headingName(markdown: string): string {
  return shortened(plainText(beginningOf(markdown, maxMarkdown)).replaceAll(/\s+/gu, ' ').trim(), maxName);
}
