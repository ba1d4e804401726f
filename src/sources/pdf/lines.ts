import { isSameRow } from './reading-order.ts';
import { isUnspaced, spanOf, type Segment } from './segments.ts';

/** A page's text in the order in which it is read. */
export interface PdfPage {
  /** 1-based. */
  number: number;
  height: number;
  segments: Segment[];
}

/** Segments of one row that follow each other: a line of prose, or a row of a table. */
export interface Line {
  text: string;
  page: number;
  /** Where the line begins and ends, counted in the direction of its script. */
  start: number;
  end: number;
  y: number;
  size: number;
  font: string;
  turn: number;
  isRightToLeft: boolean;
  /** More than one in a row with wide gaps. */
  cells: Segment[];
}

/** Dots and spaces with a word or a number behind them. From their first one: else each would be tried as the first. */
const dottedGap = /(?<![ .])[ .]{5,}(?=[\p{L}\d])/gu;
const minDots = 5;

/** Makes one sign of the dots that lead to a page number in a table of contents, to an amount in a bill. */
export function withoutLeaders(text: string): string {
  return text.replaceAll(dottedGap, (gap) => {
    const dots = gap.replaceAll(' ', '').length;
    return dots < minDots ? gap : `${' '.repeat(Math.max(0, gap.indexOf('.') - 1))} … `;
  });
}

/** Whether a line is an entry of a table of contents. */
export function isContentsEntry(text: string): boolean {
  return / … [\divxlc]{1,7}$/i.test(text);
}

export function joinRows({ number, segments }: PdfPage): Line[] {
  const rows: Segment[][] = [];
  for (const segment of segments) {
    const row = rows.at(-1);
    const last = row?.at(-1);
    if (row !== undefined && last !== undefined && isSameRow(last, segment)) row.push(segment);
    else rows.push([segment]);
  }
  return rows.map((cells) => toLine(cells, number));
}

/** In font sizes: cells that stand higher or lower are of labels beside each other, each with lines of its own. */
const sameBaseline = 0.15;

function toLine(cells: Segment[], page: number): Line {
  const main = cells.reduce((most, cell) => (cell.text.length > most.text.length ? cell : most));
  const isRightToLeft = main.isRightToLeft;
  const { x0, x1 } = spanOf(cells);
  // Files may give the cells of a row in any order, amounts before names.
  const isLevel = cells.every(({ y }) => Math.abs(y - main.y) < main.size * sameBaseline);
  const across = cells.toSorted((a, b) => a.x0 - b.x0);
  const ordered = isRightToLeft ? across.toReversed() : isLevel ? across : cells;
  // Compared with the cell before, not with all that was joined: a page may have a row of a hundred thousand cells.
  const text = ordered
    .map((cell, i) => {
      const before = ordered[i - 1];
      return before === undefined || isUnspaced(before.text, cell.text) ? cell.text : ` ${cell.text}`;
    })
    .join('');
  return {
    text: withoutLeaders(text),
    page,
    start: isRightToLeft ? -x1 : x0,
    end: isRightToLeft ? -x0 : x1,
    y: main.y,
    size: main.size,
    font: main.font,
    turn: main.turn,
    isRightToLeft,
    cells: ordered,
  };
}
