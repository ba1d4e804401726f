import type TurndownService from 'turndown';
import type { DomNode } from '../html/dom-node.ts';

/** A table with a longer cell (in characters) arranges the page's layout and is not data. */
const maxCellLength = 800;
const notInCells = 'h1, h2, h3, h4, h5, h6, pre, blockquote';
/** Cells with these are as often layout, unless the table has heads or is a grid. */
const rich = 'ul, ol, p + p, table';
const maxNested = 20;
const maxColumns = 100;
const maxRows = 10_000;

/** Converts data tables to Markdown tables. Layout tables are replaced by their contents, cell after cell. */
export function addTableRules(turndown: TurndownService): void {
  const data = new WeakMap<DomNode, boolean>();
  /** Columns before a cell that a cell of a row above reaches down to. */
  const before = new WeakMap<DomNode, number>();
  const isData = (table: DomNode): boolean => {
    const known = data.get(table);
    if (known !== undefined) return known;
    const found = holdsData(table);
    data.set(table, found);
    if (found) placeCells(table, before);
    return found;
  };
  const inData = (node: DomNode): boolean => {
    const table = tableOf(node);
    return table !== null && isData(table);
  };
  turndown.addRule('cell', {
    filter: ['td', 'th'],
    replacement: (content: string, node: DomNode) => {
      if (!inData(node)) return `\n\n${content}\n\n`;
      const text = inCell(content).replaceAll(/(?<!\\)\|/g, String.raw`\|`);
      return `${'  |'.repeat(before.get(node) ?? 0)} ${text} |${'  |'.repeat(Math.min(maxColumns, span(node) - 1))}`;
    },
  });
  turndown.addRule('row', {
    filter: 'tr',
    replacement: (content: string, node: DomNode) => {
      const table = tableOf(node);
      if (table === null || !isData(table)) return `\n\n${content}\n\n`;
      const row = `\n|${content}`;
      if (table.querySelector('tr') !== node) return row;
      // The first row serves as the header, whether it is marked up as one or not.
      const cells = [...node.querySelectorAll('td, th')].reduce(
        (sum, cell) => sum + Math.min(maxColumns, span(cell)),
        0,
      );
      return `${row}\n|${' --- |'.repeat(cells)}`;
    },
  });
  turndown.addRule('rows', { filter: ['thead', 'tbody', 'tfoot'], replacement: (content: string) => content });
  turndown.addRule('table', {
    filter: 'table',
    replacement: (content: string) => `\n\n${content.replace(/^\n+/, '')}\n\n`,
  });
}

const itemMark = /^(?:[-*] |\d{1,9}\. )/;

/** Items, paragraphs and rows of a cell on one line. */
function inCell(content: string): string {
  let text = '';
  let isItem = false;
  for (const line of content.split('\n').map((one) => one.trim())) {
    if (line === '' || /^\|(?: --- \|)+$/.test(line)) {
      isItem ||= line === '' && text !== '';
      continue;
    }
    const isRow = line.startsWith('| ') && line.endsWith(' |');
    isItem ||= isRow || itemMark.test(line);
    const bare = isRow
      ? line
          .slice(2, -2)
          .split(' | ')
          .filter((cell) => cell.trim() !== '')
          .join(', ')
      : line.replace(itemMark, '');
    text += `${text === '' ? '' : isItem && !/[.!?:;,。！？：；、]$/.test(text) ? '; ' : ' '}${bare}`;
    isItem = false;
  }
  return text;
}

function tableOf(node: DomNode): DomNode | null {
  let at = node.parentNode;
  while (at !== null && at.nodeName !== 'TABLE') at = at.parentNode;
  return at;
}

function holdsData(table: DomNode): boolean {
  if (table.querySelector(notInCells) !== null) return false;
  const isRich = table.querySelector(rich) !== null;
  const nested = [...table.querySelectorAll('table')];
  const hasNested = nested.length > 0;
  if (nested.length > maxNested || nested.some((one) => tableOf(one) !== table)) return false;
  let columns = 0;
  let rows = 0;
  for (const row of table.querySelectorAll('tr')) {
    if (hasNested && tableOf(row) !== table) continue;
    const cells = [...row.querySelectorAll('td, th')];
    if (cells.length > 1) rows += 1;
    columns = Math.max(columns, cells.length);
    if (cells.some(({ textContent }) => (textContent ?? '').length > maxCellLength)) return false;
  }
  if (columns < 2) return false;
  if (!isRich) return true;
  const hasHeads = table.querySelector('th, caption') !== null;
  return hasNested
    ? hasHeads
    : (hasHeads || rows > 1) && !/^(?:presentation|none)$/i.test(table.getAttribute('role') ?? '');
}

/** Finds for each cell the columns before it that are taken by cells of the rows above (`rowspan`). */
function placeCells(table: DomNode, before: WeakMap<DomNode, number>): void {
  /** For each column: the number of rows below that a cell still reaches. */
  const taken: number[] = [];
  for (const row of table.querySelectorAll('tr')) {
    let column = 0;
    const reached = taken.map((rows) => rows > 0);
    for (const [at, rows] of taken.entries()) if (rows > 0) taken[at] = rows - 1;
    for (const cell of row.querySelectorAll('td, th')) {
      let skipped = 0;
      while (reached[column] === true && column < maxColumns) {
        column += 1;
        skipped += 1;
      }
      if (skipped > 0) before.set(cell, skipped);
      const end = Math.min(maxColumns, column + span(cell));
      const rows = span(cell, 'rowspan') - 1;
      for (; column < end; column += 1) if (rows > 0) taken[column] = Math.min(rows, maxRows);
    }
  }
}

function span(cell: DomNode, direction: 'colspan' | 'rowspan' = 'colspan'): number {
  const cells = Number.parseInt(cell.getAttribute(direction) ?? '1', 10);
  return Number.isInteger(cells) && cells > 0 ? cells : 1;
}
