import { inlineRuns } from './inline-markdown.ts';
import { run, type StyledRun } from './wrap.ts';

/** A part of a text, with the indent of its first line and of the lines after it. */
export interface TerminalBlock {
  first: string;
  rest: string;
  runs: readonly StyledRun[];
  /** Code and tables: lines that are not wrapped. */
  isVerbatim?: true;
}

interface Paragraph {
  first: string;
  rest: string;
  isItem: boolean;
  lines: string[];
}

const fence = /^ {0,12}(`{3,}|~{3,})/;
const heading = /^ {0,3}#{1,6}(?:[ \t]+|$)/;
const quote = /^ {0,3}>[ \t]?/;
const listItem = /^([ \t]{0,20})(?:[-*+]|(\d{1,9}[.)]))[ \t]{1,4}/;
const rule = /^ {0,3}(?:(?:\*[ \t]?){3,}|(?:-[ \t]?){3,}|(?:_[ \t]?){3,})$/;
const maxQuotes = 5;

/** Markdown as blocks, in order. Empty lines stay, one between two blocks. */
export function markdownBlocks(markdown: string): TerminalBlock[] {
  const blocks: TerminalBlock[] = [];
  let paragraph: Paragraph | null = null;
  let openFence: string | null = null;
  const endParagraph = (): void => {
    if (paragraph !== null) {
      const { first, rest, lines } = paragraph;
      blocks.push({ first, rest, runs: inlineRuns(joined(lines)) });
    }
    paragraph = null;
  };

  for (const whole of markdown.split('\n')) {
    const [bars, line] = withoutQuotes(whole);
    if (openFence !== null) {
      if (line.trim().startsWith(openFence)) openFence = null;
      else blocks.push(verbatim(bars, run(line, ['code'])));
      continue;
    }
    const current: Paragraph | null = paragraph;
    const item = listItem.exec(line);
    if (line.trim() === '') {
      endParagraph();
      if ((blocks.at(-1)?.runs.length ?? 0) > 0) blocks.push({ first: bars, rest: bars, runs: [] });
    } else if (fence.test(line)) {
      endParagraph();
      openFence = fence.exec(line)?.[1] ?? '```';
    } else if (rule.test(line)) {
      endParagraph();
      blocks.push({ first: bars, rest: bars, runs: [run('─'.repeat(24), ['meta'])] });
    } else if (heading.test(line)) {
      endParagraph();
      const words = inlineRuns(line.replace(heading, ''));
      blocks.push({
        first: bars,
        rest: bars,
        runs: words.map((one) => ({ ...one, styles: ['title', ...one.styles] })),
      });
    } else if (line.trimStart().startsWith('|')) {
      endParagraph();
      blocks.push(verbatim(bars, run(line)));
    } else if (item !== null && beginsItem(item[2], current)) {
      endParagraph();
      const [marker, before = '', number = '•'] = item;
      const indent = bars + before.replaceAll('\t', '    ');
      const first = `${indent}${number} `;
      paragraph = { first, rest: indent.padEnd(first.length), isItem: true, lines: [line.slice(marker.length)] };
    } else if (current === null) {
      paragraph = { first: bars, rest: bars, isItem: false, lines: [line.trimStart()] };
    } else current.lines.push(line.trimStart());
  }
  endParagraph();
  while (blocks.at(-1)?.runs.length === 0) blocks.pop();
  return blocks;
}

/** A line without its marks of quotation, and a bar for each of them. */
function withoutQuotes(line: string): [bars: string, line: string] {
  let rest = line;
  let depth = 0;
  while (depth < maxQuotes && quote.test(rest)) {
    rest = rest.replace(quote, '');
    depth += 1;
  }
  return ['▏ '.repeat(depth), rest];
}

/** Whether a line begins a list item. In a paragraph, a number other than 1 may be the end of a sentence: "in\n2024. ". */
function beginsItem(number: string | undefined, paragraph: Paragraph | null): boolean {
  return number === undefined || paragraph === null || paragraph.isItem || /^1[.)]$/.test(number);
}

function verbatim(bars: string, { text, ...look }: StyledRun): TerminalBlock {
  const indent = `${bars}  `;
  return { first: indent, rest: indent, runs: [{ ...look, text: text.replaceAll('\t', '    ') }], isVerbatim: true };
}

/** Two spaces or a backslash at the end of a line break it; every other line end is a space. */
function joined(lines: readonly string[]): string {
  return lines
    .map((line, index) => {
      if (index === lines.length - 1) return line;
      if (line.endsWith('  ')) return `${line.trimEnd()}\n`;
      return line.endsWith('\\') ? `${line.slice(0, -1)}\n` : `${line} `;
    })
    .join('');
}
