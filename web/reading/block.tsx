import type { JSX } from 'preact';
import type { PlacedBlock } from '../records.ts';
import { type BlockParts, Inline, type InlineParts } from './inline-view.tsx';
import { ListBlock } from './list-block.tsx';
import { type Line, linesOf, restOfLine, type Source, sourceOfLines, wholeSource } from './source.ts';
import { TableBlock } from './table-block.tsx';

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
  if (level <= 2)
    return (
      <h2 id={`at-${parts.source.offsetOf(0)}`}>
        <Inline {...parts} />
      </h2>
    );
  if (level === 3)
    return (
      <h3>
        <Inline {...parts} />
      </h3>
    );
  return (
    <h4>
      <Inline {...parts} />
    </h4>
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
