import type { JSX } from 'preact';
import { type BlockParts, Inline } from './inline-view.tsx';
import { type Line, sourceOfLines } from './source.ts';

/** A table of GitHub's Markdown: cells between bars, and a line of dashes below the heading. */
export function TableBlock({ lines, ...parts }: { lines: readonly Line[] } & BlockParts): JSX.Element {
  const rows = lines.filter(({ text }) => text.trim() !== '');
  const hasHeading = /^[\s|:-]+$/.test(rows[1]?.text ?? '');
  const [heading, body] = hasHeading ? [rows[0], rows.slice(2)] : [undefined, rows];
  const cells = (line: Line, Cell: 'th' | 'td') =>
    cellsOf(line).map((cell) => (
      <Cell>
        <Inline source={sourceOfLines([cell])} {...parts} />
      </Cell>
    ));
  return (
    <div class="table" tabindex={0}>
      <table>
        {heading !== undefined && (
          <thead>
            <tr>{cells(heading, 'th')}</tr>
          </thead>
        )}
        <tbody>
          {body.map((line) => (
            <tr>{cells(line, 'td')}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The cells of a row. A bar after a backslash is text. */
function cellsOf({ text, at }: Line): Line[] {
  const cells: Line[] = [];
  let start = 0;
  const add = (end: number): void => {
    const cell = text.slice(start, end);
    const trimmed = cell.trimStart();
    cells.push({ text: trimmed.trimEnd(), at: at + start + cell.length - trimmed.length });
  };
  for (let i = 0; i < text.length; i += 1) {
    if (text[i] === '\\') i += 1;
    else if (text[i] === '|') {
      add(i);
      start = i + 1;
    }
  }
  add(text.length);
  const isEmpty = (cell: Line | undefined): boolean => cell?.text === '';
  return cells.slice(isEmpty(cells[0]) ? 1 : 0, cells.length > 1 && isEmpty(cells.at(-1)) ? -1 : undefined);
}
