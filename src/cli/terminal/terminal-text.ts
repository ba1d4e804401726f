import { maskText } from '../../domain/text/clean-text.ts';
import type { Printed, Span } from '../../operations/answers/printed.ts';
import { type Look, plainText } from './look.ts';
import { markdownBlocks } from './block-markdown.ts';
import { columnsOf, fitting, paint, run, type StyledRun, wrap } from './wrap.ts';

/** No line is wrapped to less than this, however deep its indent. */
const minColumns = 20;
/** The indent of a record's fields, below its id and title. */
const afterId = 4;
/** A wider first column is text, under which nothing is aligned. */
const maxFirstColumn = 24;

/** An answer as it is shown: with styles and wrapped on a terminal, and as plain text in a pipe. */
export function shownText(printed: Printed, look: Look): string {
  if (look.width === null) return maskText(plainText(printed));
  return terminalLines(printed, look, look.width)
    .map((line) => paint(line, look))
    .join('\n');
}

function terminalLines(printed: Printed, look: Look, width: number): StyledRun[][] {
  return printed.flatMap((part) => {
    if ('spans' in part) {
      const runs = part.spans.map((span) => runOf(span, look, width - columnsOf(part.indent)));
      return indentedLines(runs, part.indent, part.indent + ' '.repeat(hangingIndent(runs)), width);
    }
    const blocks = look.styled
      ? markdownBlocks(maskText(part.prose))
      : part.prose.split('\n').map((line) => ({ first: '', rest: '', runs: [run(line)], isVerbatim: undefined }));
    return blocks.flatMap(({ first, rest, runs, isVerbatim }) =>
      isVerbatim === true
        ? [[run(part.indent + first, ['meta']), ...runs]]
        : indentedLines(runs, part.indent + first, part.indent + rest, width),
    );
  });
}

function runOf(span: Span, { links }: Look, columns: number): StyledRun {
  if (typeof span === 'string') return run(span);
  if (span.mark !== 'link') return run(span.text, [span.mark]);
  // A clickable link need not be readable in full.
  const text = links ? fitting(maskText(span.text), Math.max(columns, minColumns)) : span.text;
  return run(text, ['link'], span.url);
}

function indentedLines(runs: readonly StyledRun[], first: string, rest: string, width: number): StyledRun[][] {
  const columnsBeside = (indent: string) => Math.max(minColumns, width - columnsOf(indent));
  return wrap(runs, columnsBeside(first), columnsBeside(rest)).map((line, index) => {
    const indent = index === 0 ? first : rest;
    return line.length === 0 ? [run(indent.trimEnd(), ['meta'])] : [run(indent, ['meta']), ...line];
  });
}

/** How far the further lines of a wrapped line are indented: to below the text beside a number, a bullet or a name. */
function hangingIndent(runs: readonly StyledRun[]): number {
  const [first, ...others] = runs;
  if (first === undefined) return 0;
  if (others.length > 0 && first.styles.includes('meta') && !first.text.endsWith(' ')) return afterId;
  const column = columnsOf(first.text);
  if (others.length > 0 && first.text.endsWith(' ') && column <= maxFirstColumn) return column;
  return columnsOf(/^\s{0,20}(?:[•-]\s{1,4})?/.exec(first.text)?.[0] ?? '');
}
