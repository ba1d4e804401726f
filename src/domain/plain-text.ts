import { inlineText } from './inline-text.ts';

/**
 * The text of Markdown as a reader sees it: no heading marks, emphasis, link targets, images, table pipes,
 * fences or list markers. Paragraphs are parted by a blank line and have no line breaks of their own; list items
 * and table rows stand on lines, cells are parted by tabs; code keeps its lines.
 */
export function plainText(markdown: string): string {
  let text = '';
  for (const block of renderBlocks(markdown)) text += (text === '' ? '' : block.before) + block.text;
  return text;
}

/**
 * The same text cut where a browser begins a new block: each paragraph, heading, list item, table cell and
 * line of code by itself, white space collapsed, empty ones left out.
 */
export function plainBlocks(markdown: string): string[] {
  return renderBlocks(markdown)
    .flatMap((block) => block.text.split('\n'))
    .map((line) => line.replaceAll(/\s+/gu, ' ').trim())
    .filter((line) => line !== '');
}

interface RenderedBlock {
  text: string;
  /** What parts it from the block before. */
  before: '\n\n' | '\n' | '\t';
}

const fenceStart = /^ {0,3}(`{3,}|~{3,})([^`]*)$/;
const container = /^[ \t]*(?:>[ \t]?|(?:[-*+]|\d{1,9}[.)])(?:[ \t]+(?:\[[ xX]\][ \t]+)?|$))/;
const listMarker = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
const rule = /^[ \t]{0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const setext = /^ {0,3}(?:=+|-+)[ \t]*$/;
const heading = /^ {0,3}#{1,6}(?:[ \t]+|$)/;
const tableDelimiter = /^[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?)?[ \t]*$/;
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
    const text = paragraph
      .join('\n')
      // Two spaces or a backslash before a line's end break the line, any other line end is a space.
      .replaceAll(/(?: {2,}|\\)\n[ \t]*/g, '<br>')
      .replaceAll(/[ \t]*\n[ \t]*/g, ' ');
    paragraph = [];
    const rendered = inlineText(text).trim();
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
        code.push((lines[i] ?? '').replace(new RegExp(`^[ \\t]{0,${indent}}`), ''));
      }
      const text = code.join('\n').replaceAll(/^\n+|\s+$/g, '');
      if (text !== '') blocks.push({ text, before: '\n\n' });
    } else if (heading.test(line)) {
      endParagraph();
      paragraph.push(line.replace(heading, '').replace(/[ \t]+#+[ \t]*$/, ''));
      endParagraph();
    } else if (tableDelimiter.test(line) && line.includes('|')) {
      endParagraph();
      inTable = true;
    } else if (inTable || /^[ \t]*\|.*\|[ \t]*$/.test(line) || tableFollows(line, lines[i + 1])) {
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
