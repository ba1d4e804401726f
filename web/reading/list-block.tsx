import type { JSX } from 'preact';
import { type BlockParts, Inline } from './inline-view.tsx';
import { type Line, restOfLine, sourceOfLines } from './source.ts';

interface Entry {
  lines: Line[];
  within: List | null;
}

interface List {
  isOrdered: boolean;
  first: number;
  indent: number;
  entries: Entry[];
}

const entryForm = /^(\s{0,60})(?:[-*+]|(\d{1,9})[.)])\s{1,4}(?:\[[ xX]\]\s)?/;
/** Lists within lists that are drawn as such. */
const maxDepth = 8;

/** A list with its nested lists. */
export function ListBlock({ lines, ...parts }: { lines: readonly Line[] } & BlockParts): JSX.Element {
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
