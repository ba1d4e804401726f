import { isSameRow } from './reading-order.ts';
import { isUnspaced, type Segment } from './segments.ts';

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
  /** More than one in a row with wide gaps. */
  cells: Segment[];
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

function toLine(cells: Segment[], page: number): Line {
  const main = cells.reduce((most, cell) => (cell.text.length > most.text.length ? cell : most));
  const isRightToLeft = main.isRightToLeft;
  const [x0, x1] = [Math.min(...cells.map((cell) => cell.x0)), Math.max(...cells.map((cell) => cell.x1))];
  const ordered = isRightToLeft ? cells.toSorted((a, b) => b.x0 - a.x0) : cells;
  return {
    text: ordered.reduce(
      (text, cell) => (text === '' ? cell.text : text + (isUnspaced(text, cell.text) ? '' : ' ') + cell.text),
      '',
    ),
    page,
    start: isRightToLeft ? -x1 : x0,
    end: isRightToLeft ? -x0 : x1,
    y: main.y,
    size: main.size,
    font: main.font,
    turn: main.turn,
    cells: ordered,
  };
}
