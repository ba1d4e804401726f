import { type Line, isContentsEntry } from '../lines.ts';
import { median } from '../reading-order.ts';
import { spanOf, type TextSegment } from '../letters/join-runs.ts';

/* Tables without lines: rows whose cells begin or end under each other, with white space between the columns. */

/** Fewer rows with cells are no table. */
const minRows = 3;
/** Steps between rows, in font sizes. */
const minStep = 0.7;
const maxStep = 3;
/** Minimum width of the white space between columns, in font sizes. */
const minGutter = 0.6;
/** Maximum share of the rows that reach over the space between two columns: headings of several columns. */
const maxCrossing = 0.1;
/** Minimum share of the cells of the rows that hold text, also for tables of few rows. */
const minFilled = 0.5;
const minFilledOfFew = 0.7;
const fewRows = 5;
/** Minimum share of the cells that are aligned. */
const minAligned = 0.75;
/** Median cells of two columns that are longer than this are prose, in characters. */
const maxProse = 40;

/** A row of a table: one line, or the lines of cells that a file draws one after the other. */
interface TableRow {
  cells: TextSegment[];
  y: number;
  /** Baseline of its last line. */
  bottom: number;
  size: number;
  turn: number;
  isRow: boolean;
  /** Number of lines that it represents. */
  lines: number;
}

/** Replaces the rows of each table by one line that holds it. */
export function gatherAligned(lines: readonly Line[]): Line[] {
  const gathered: Line[] = [];
  for (let i = 0; i < lines.length;) {
    const line = lines[i];
    if (line === undefined) break;
    const rows = rowsFrom(lines, i);
    const count = rows.reduce((sum, row) => sum + row.lines, 0);
    const table = rows.length < minRows ? null : toTable(rows);
    if (table !== null) gathered.push({ ...line, text: table.flat().join(' '), table });
    else gathered.push(...lines.slice(i, i + Math.max(1, count)));
    i += Math.max(1, count);
  }
  return gathered;
}

const bullet = /^[•◦▪●○■□∙·⁃➢\uf0a7\uf0b7\uf0d8-](?:\s|$)/u;

/** The row that begins with a line: the line itself, or all lines up to the end of its last cell. */
function rowAt(lines: readonly Line[], at: number): TableRow | null {
  const first = lines[at];
  if (first === undefined || first.table !== undefined) return null;
  const { y, size, turn, cells } = first;
  const single: TableRow = {
    cells,
    y,
    bottom: y,
    size,
    turn,
    isRow: cells.length > 1 && !isContentsEntry(first.text) && !cells.some((cell) => bullet.test(cell.text)),
    lines: 1,
  };
  const drawn = cells.map((cell) => ({ cell, parts: [cell.text] }));
  let [last, end, right] = [first, at + 1, spanOf(cells).x1];
  let bottom = y;
  let [cellsAtEnd, bottomAtEnd, endOfRow] = [0, y, at];
  for (; end < lines.length && end < at + maxLinesOfRow; end += 1) {
    const line = lines[end];
    const current = drawn.at(-1);
    const [cell, ...others] = line?.cells ?? [];
    if (line === undefined || cell === undefined || current === undefined || line.table !== undefined) break;
    if (line.turn !== turn || line.isRightToLeft) break;
    const step = line.y - last.y;
    const goesOn = step > 0 && step < size * maxLeading && Math.abs(cell.x0 - current.cell.x0) < size;
    // Cells may be centred beside each other, so that a shorter one begins below the others.
    const isBeside = cell.x0 > right && step < size * sameBaseline && line.y > y - size * maxRise;
    if (others.some((other) => other.x0 <= Math.max(right, cell.x1))) break;
    if (goesOn) {
      current.parts.push(cell.text);
      right = Math.max(right, cell.x1);
    } else if (isBeside) drawn.push({ cell, parts: [cell.text] });
    else break;
    for (const other of others) drawn.push({ cell: other, parts: [other.text] });
    bottom = Math.max(bottom, line.y);
    if (isBeside || others.length > 0) {
      right = Math.max(right, ...line.cells.map(({ x1 }) => x1));
      [cellsAtEnd, bottomAtEnd, endOfRow] = [drawn.length, bottom, end];
    }
    last = line;
  }
  if (cellsAtEnd < 2 || endOfRow === at) return single;
  // The lines below the last cell may be its own or begin the next row, which tells the first cell apart.
  const [start] = drawn;
  const [lastCell] = drawn.slice(-1);
  const own = lines.slice(endOfRow + 1, end);
  const isOwn = lastCell !== undefined && Math.abs(lastCell.cell.x0 - (start?.cell.x0 ?? 0)) > size;
  if (!isOwn && lastCell !== undefined) lastCell.parts.splice(1);
  return {
    ...single,
    cells: drawn.map(({ cell, parts }) => ({ ...cell, text: parts.join(' ') })),
    bottom: Math.max(bottomAtEnd, ...(isOwn ? own.map((line) => line.y) : [])),
    isRow: true,
    lines: endOfRow - at + 1 + (isOwn ? own.length : 0),
  };
}

/** Lines of a row at most; longer cells are columns of prose. */
const maxLinesOfRow = 40;
/** Maximum distance of the lines within a cell, in font sizes. */
const maxLeading = 1.7;
const sameBaseline = 0.45;
/** How far a longer cell may begin above the first cell of its row, in font sizes. */
const maxRise = 4;

/** The consecutive lines from here on that may be rows of one table: they begin and end with several cells. */
function rowsFrom(lines: readonly Line[], at: number): TableRow[] {
  const rows: TableRow[] = [];
  let length = 0;
  for (let i = at; i < lines.length;) {
    const row = rowAt(lines, i);
    if (row === null) break;
    const last = rows.at(-1);
    if (last !== undefined) {
      const step = row.y - last.bottom;
      if (row.turn !== last.turn || step < minStep * row.size || step > maxStep * Math.max(row.size, last.size)) break;
      if (Math.abs(row.size - last.size) > last.size * 0.3) break;
    }
    if (!row.isRow && (last === undefined || !last.isRow || isContentsEntry(lines[i]?.text ?? ''))) break;
    rows.push(row);
    if (row.isRow) length = rows.length;
    i += row.lines;
  }
  return rows.slice(0, length);
}

function toTable(rows: readonly TableRow[]): string[][] | null {
  const full = rows.filter((row) => row.isRow);
  if (full.length < minRows) return null;
  const size = full[0]?.size ?? 10;
  const columns = columnsOf(full, size);
  if (columns.length < 2) return null;
  const placed = rows.map((row) => placeCells(row.cells, columns));
  if (!areAligned(placed, size)) return null;
  const texts = merged(
    rows,
    placed.map((cells) => cells.map(textOf)),
  );
  const filled = texts.flat().filter((text) => text !== '').length;
  const minShare = texts.length < fewRows ? minFilledOfFew : minFilled;
  if (texts.length < minRows || filled < texts.length * columns.length * minShare) return null;
  const lengths = columns.map((_, i) => median(texts.flatMap((row) => row[i]?.length || [])));
  if (lengths.some((length) => length === 0) || isContents(texts)) return null;
  return columns.length === 2 && lengths.every((length) => length > maxProse) ? null : texts;
}

/** Whether the cells of most columns begin, end or are centred under each other. Labels of a drawing are not. */
function areAligned(rows: readonly (readonly TextSegment[][])[], size: number): boolean {
  let [aligned, all] = [0, 0];
  for (let column = 0; column < (rows[0]?.length ?? 0); column += 1) {
    const spans = rows.flatMap((cells) => {
      const own = cells[column] ?? [];
      return own.length > 0 ? [spanOf(own)] : [];
    });
    const shares = [spans.map(({ x0 }) => x0), spans.map(({ x1 }) => x1), spans.map(({ x0, x1 }) => (x0 + x1) / 2)].map(
      (places) => {
        const middle = median(places);
        return places.filter((place) => Math.abs(place - middle) < size * 0.5).length;
      },
    );
    aligned += Math.max(...shares);
    all += spans.length;
  }
  return aligned >= all * minAligned;
}

function isContents(rows: readonly (readonly string[])[]): boolean {
  if (rows[0]?.length !== 2) return false;
  const numbers = rows.flatMap((row) => (/^\d{1,4}$/.test(row[1] ?? '') ? [Number(row[1])] : []));
  return (
    numbers.length > rows.length * 0.7 &&
    numbers.every((number, i) => number >= (numbers[i - 1] ?? 0)) &&
    numbers.at(-1) !== numbers[0]
  );
}

/** The stretches across the page that hold cells, with white space between them that few rows reach over. */
function columnsOf(rows: readonly TableRow[], size: number): { from: number; to: number }[] {
  const edges = rows.flatMap(({ cells }) =>
    cells.flatMap(({ x0, x1 }) => [
      { at: x0, step: 1 },
      { at: x1, step: -1 },
    ]),
  );
  const limit = Math.floor(rows.length * maxCrossing);
  const columns: { from: number; to: number }[] = [];
  let covered = 0;
  let from: number | null = null;
  for (const { at, step } of edges.toSorted((a, b) => a.at - b.at || b.step - a.step)) {
    covered += step;
    if (from === null && covered > limit) from = at;
    else if (from !== null && covered <= limit) {
      const last = columns.at(-1);
      if (last !== undefined && from - last.to < minGutter * size) last.to = at;
      else columns.push({ from, to: at });
      from = null;
    }
  }
  return columns;
}

/** The cells of each column. One that spans several columns is in the first. */
function placeCells(cells: readonly TextSegment[], columns: readonly { from: number; to: number }[]): TextSegment[][] {
  const placed: TextSegment[][] = columns.map(() => []);
  let at = 0;
  for (const cell of cells.toSorted((a, b) => a.x0 - b.x0)) {
    while (at + 1 < columns.length && (columns[at]?.to ?? 0) <= cell.x0) at += 1;
    placed[at]?.push(cell);
  }
  return placed;
}

function textOf(cells: readonly TextSegment[]): string {
  return cells.map(({ text }) => text).join(' ');
}

/** Joins rows that continue the cells of the row above: their first cell is empty, and they are close to it. */
function merged(rows: readonly TableRow[], placed: readonly string[][]): string[][] {
  const steps = rows.slice(1).map((row, i) => row.y - (rows[i]?.bottom ?? 0));
  const usual = median(steps.filter((_, i) => placed[i + 1]?.[0] !== ''));
  const texts: string[][] = [];
  for (const [i, cells] of placed.entries()) {
    const last = texts.at(-1);
    const isContinued = last !== undefined && cells[0] === '' && (steps[i - 1] ?? 0) < usual * 0.9;
    if (isContinued) {
      for (const [column, text] of cells.entries()) {
        if (text !== '') last[column] = [last[column], text].filter((part) => part !== '').join(' ');
      }
    } else texts.push([...cells]);
  }
  return texts;
}
