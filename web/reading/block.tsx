import type { JSX } from 'preact';
import type { PlacedBlock } from '../data/records.ts';
import { type BlockParts, type InlineParts, Inline } from './inline-view.tsx';
import { type Line, type Source, linesOf, restOfLine, sourceOfLines, wholeSource } from './source.ts';

/** One block of the stored text. */
export function Block({
  block,
  transcript,
  ...parts
}: { block: PlacedBlock; transcript: string } & BlockParts): JSX.Element {
  const source = wholeSource(transcript.slice(block.start, block.end), block.start);
  switch (block.kind) {
    case 'heading':
      return <Heading level={block.level ?? 2} source={withoutHashes(source)} {...parts} />;
    case 'code':
      return <Code lines={linesOf(source)} />;
    case 'list':
      return <ListBlock lines={linesOf(source)} {...parts} />;
    case 'quote':
      return <Quote lines={linesOf(source)} {...parts} />;
    case 'table':
      return <TableBlock lines={linesOf(source)} {...parts} />;
    default:
      return (
        <p>
          <Inline source={source} {...parts} />
        </p>
      );
  }
}

/** The title of the item is the only heading of the first level. */
function Heading({ level, ...parts }: { level: number } & InlineParts): JSX.Element {
  const Tag = level <= 2 ? 'h2' : level === 3 ? 'h3' : 'h4';
  return (
    <Tag id={`at-${parts.source.offsetOf(0)}`}>
      <Inline {...parts} />
    </Tag>
  );
}

function withoutHashes(source: Source): Source {
  const [marks = ''] = /^#{1,6}\s{0,9}/.exec(source.text) ?? [];
  return { text: source.text.slice(marks.length), offsetOf: (at) => source.offsetOf(at + marks.length) };
}

function Code({ lines }: { lines: readonly Line[] }): JSX.Element {
  const isFence = (line: Line | undefined): boolean => /^\s{0,3}(?:```|~~~)/.test(line?.text ?? '');
  const inside = lines.slice(isFence(lines[0]) ? 1 : 0, isFence(lines.at(-1)) ? -1 : undefined);
  return (
    <pre tabindex={0}>
      <code>{inside.map(({ text }) => text).join('\n')}</code>
    </pre>
  );
}

function Quote({ lines, ...parts }: { lines: readonly Line[] } & BlockParts): JSX.Element {
  const inside = lines.map((line) => restOfLine(line, /^\s{0,3}>\s?/.exec(line.text)?.[0].length ?? 0));
  return (
    <blockquote>
      {paragraphsOf(inside).map((paragraph) => (
        <p>
          <Inline source={sourceOfLines(paragraph)} {...parts} />
        </p>
      ))}
    </blockquote>
  );
}

function paragraphsOf(lines: readonly Line[]): Line[][] {
  const paragraphs: Line[][] = [[]];
  for (const line of lines) {
    if (line.text.trim() === '') paragraphs.push([]);
    else paragraphs.at(-1)?.push(line);
  }
  return paragraphs.filter((paragraph) => paragraph.length > 0);
}

interface List {
  isOrdered: boolean;
  first: number;
  indent: number;
  entries: { lines: Line[]; within: List | null }[];
}

const entryForm = /^(\s{0,60})(?:[-*+]|(\d{1,9})[.)])\s{1,4}(?:\[[ xX]\]\s)?/;
/** Lists within lists that are drawn as such. */
const maxDepth = 8;

/** A list with its nested lists. */
function ListBlock({ lines, ...parts }: { lines: readonly Line[] } & BlockParts): JSX.Element {
  return <>{readLists(lines).map((list) => drawList(list, parts))}</>;
}

function readLists(lines: readonly Line[]): List[] {
  const whole: List[] = [];
  const open: List[] = [];
  for (const line of lines) {
    const found = entryForm.exec(line.text);
    const last = open.at(-1)?.entries.at(-1);
    if (found === null) {
      const spaces = /^\s{0,60}/.exec(line.text)?.[0].length ?? 0;
      if (line.text.trim() !== '') last?.lines.push(restOfLine(line, spaces));
      continue;
    }
    const [marker, spaces = '', digits] = found;
    const indent = spaces.length;
    while (open.length > 0 && indent < (open.at(-1)?.indent ?? 0)) open.pop();
    const isDeeper = open.length === 0 || (indent > (open.at(-1)?.indent ?? 0) + 1 && open.length < maxDepth);
    if (isDeeper) {
      const list: List = { isOrdered: digits !== undefined, first: Number(digits ?? 1), indent, entries: [] };
      const parent = open.at(-1)?.entries.at(-1);
      if (parent === undefined) whole.push(list);
      else parent.within = list;
      open.push(list);
    }
    open.at(-1)?.entries.push({ lines: [restOfLine(line, marker.length)], within: null });
  }
  return whole;
}

function drawList({ isOrdered, first, entries }: List, parts: BlockParts): JSX.Element {
  const drawn = entries.map(({ lines, within }) => (
    <li>
      <Inline source={sourceOfLines(lines)} {...parts} />
      {within !== null && drawList(within, parts)}
    </li>
  ));
  return isOrdered ? <ol start={first}>{drawn}</ol> : <ul>{drawn}</ul>;
}

/** A table of GitHub's Markdown: cells between bars, and a line of dashes below the heading. */
function TableBlock({ lines, ...parts }: { lines: readonly Line[] } & BlockParts): JSX.Element {
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
