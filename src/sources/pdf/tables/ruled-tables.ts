import { isUnspaced, spanOf, type TextSegment, type TextItem } from '../letters/join-runs.ts';
import { firstIndex, isSameRow } from '../reading-order.ts';
import type { Grid } from './grids.ts';

/** Minimum share of a grid's cells that hold text; a form's boxes are mostly empty. */
const minFilled = 0.3;
/** The same of small grids, which drawings have. */
const minFilledOfFew = 0.5;
const fewCells = 13;
/** Text with a longer cell is laid out by its lines and is no data, in characters. */
const maxCellLength = 800;

/** Replaces the segments within each grid by one segment with the table, at the position of the first. */
export function gatherTables(segments: readonly TextSegment[], grids: readonly Grid[]): TextSegment[] {
  let rest: readonly TextSegment[] = segments;
  for (const grid of grids) rest = gatherTable(rest, grid);
  return [...rest];
}

function gatherTable(segments: readonly TextSegment[], { xs, ys, owners }: Grid): readonly TextSegment[] {
  const width = xs.length - 1;
  const cells = new Map<number, TextSegment[]>();
  const inside: TextSegment[] = [];
  for (const segment of segments) {
    if (segment.turn !== 0 || segment.table !== undefined) continue;
    const [column, row] = [between(xs, segment.x0 + segment.size * 0.3), between(ys, segment.y - segment.size * 0.3)];
    const owner = column === -1 || row === -1 ? undefined : owners[row * width + column];
    if (owner === undefined) continue;
    const cell = cells.get(owner);
    if (cell === undefined) cells.set(owner, [segment]);
    else cell.push(segment);
    inside.push(segment);
  }
  const first = inside[0];
  const table = first === undefined ? null : filledPart(cells, width);
  if (first === undefined || table === null) return segments;
  const gathered: TextSegment = {
    ...first,
    ...spanOf(inside),
    text: table.flat().join(' '),
    y: Math.min(...[...cells.values()].map((those) => Math.min(...those.map(({ y }) => y)))),
    table,
  };
  const left = new Set(inside);
  return segments.flatMap((segment) => (segment === first ? [gathered] : left.has(segment) ? [] : [segment]));
}

/** The index of the pair of neighbouring positions that the value lies between; -1 when it lies outside. */
function between(positions: readonly number[], value: number): number {
  if (value < (positions[0] ?? 0) || value > (positions.at(-1) ?? 0)) return -1;
  return Math.min(positions.length - 2, firstIndex(positions, (position) => position > value) - 1);
}

function textOf(segments: readonly TextSegment[]): string {
  const texts = segments.map(({ text }) => text);
  return texts.map((text, i) => (i === 0 || isUnspaced(texts[i - 1] ?? '', text) ? text : ` ${text}`)).join('');
}

/** The rows and columns that hold text; null when they are no table. */
function filledPart(cells: ReadonlyMap<number, TextSegment[]>, width: number): string[][] | null {
  const owners = [...cells.keys()];
  const columns = [...new Set(owners.map((owner) => owner % width))].toSorted((a, b) => a - b);
  const rows = [...new Set(owners.map((owner) => Math.floor(owner / width)))].toSorted((a, b) => a - b);
  const places = columns.length * rows.length;
  if (columns.length < 2 || cells.size < places * (places < fewCells ? minFilledOfFew : minFilled)) return null;
  const texts = rows.flatMap((row) => partedRows(columns.map((column) => cells.get(row * width + column) ?? [])));
  if (texts.length < 2 || texts.some((row) => row.some(({ length }) => length > maxCellLength))) return null;
  return texts;
}

/** The rows between two lines: several where the lines of all cells are side by side, like columns of numbers. */
function partedRows(cells: readonly TextSegment[][]): string[][] {
  const lines = cells.map((cell) => linesOf(cell));
  const filled = lines.filter(({ length }) => length > 0);
  const [first = []] = filled;
  const areBeside =
    filled.length > 1 &&
    first.length > 1 &&
    filled.every((cell) => cell.length === first.length && cell.every((line, i) => isBeside(line, first[i]))) &&
    (first.length > 2 || filled.some((cell) => cell.every((line) => line.some(({ text }) => /\d/.test(text)))));
  if (!areBeside) return [cells.map(textOf)];
  return first.map((_, i) => lines.map((cell) => textOf(cell[i] ?? [])));
}

function linesOf(segments: readonly TextSegment[]): TextSegment[][] {
  const lines: TextSegment[][] = [];
  for (const segment of segments) {
    const last = lines.at(-1)?.[0];
    if (last !== undefined && isSameRow(last, segment)) lines.at(-1)?.push(segment);
    else lines.push([segment]);
  }
  return lines;
}

function isBeside([one]: readonly TextSegment[], others: readonly TextSegment[] | undefined): boolean {
  const other = others?.[0];
  return one !== undefined && other !== undefined && isSameRow(one, other);
}

/** Minimum breaks in a table of several rows: places where the text goes on to the right at the same height, or further up. */
const minBreaks = 2;

/** Whether a page's text stops and goes on elsewhere often enough for a table. Only such pages are asked for their lines. */
export function mayHoldTable(items: readonly TextItem[]): boolean {
  let breaks = 0;
  let last: TextItem | undefined;
  for (const item of items) {
    if (item.str.trim() === '') continue;
    if (last !== undefined) {
      const [before, here] = [last.transform, item.transform];
      const isLevel = Math.abs((before[5] ?? 0) - (here[5] ?? 0)) < item.height * 0.5;
      const gap = (here[4] ?? 0) - ((before[4] ?? 0) + last.width);
      if ((isLevel && Math.abs(gap) > item.height * 0.3) || (here[5] ?? 0) > (before[5] ?? 0) + item.height * 0.5)
        breaks += 1;
    }
    if (breaks >= minBreaks) return true;
    last = item;
  }
  return false;
}
