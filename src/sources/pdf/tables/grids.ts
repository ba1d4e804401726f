import { firstIndex } from '../reading-order.ts';
import type { Ruling, Rulings } from './rulings.ts';

/** A table's lines: cells lie between neighbouring `xs` and neighbouring `ys`. */
export interface Grid {
  /** Positions of the vertical lines from left to right, and of the horizontal ones from top to bottom. */
  xs: number[];
  ys: number[];
  /** The cell that each cell's text belongs to (row × columns + column): the first that no line parts from it. */
  owners: number[];
}

/** Lines at most this far apart are one, in points. */
const sameLine = 3;
/** Lines nearer to each other than this have no text between them, in points: the edges of a shaded cell, doubled lines. */
const minWidth = 8;
const minHeight = 5;
/** How far lines may miss each other and still cross, in points. */
const reach = 4;
/** Fewer lines are no table. */
const minLines = 4;
/** Limits on the pairs of lines that are compared, and on the cells of a page's tables. */
const maxPairs = 1_000_000;
const maxCells = 40_000;
const maxGrids = 100;

export function findGrids({ horizontal, vertical }: Rulings): Grid[] {
  const [across, down] = [merged(horizontal), merged(vertical)];
  if (across.length < 3 || down.length < 2 || across.length * down.length > maxPairs) return [];
  const grids: Grid[] = [];
  let cells = 0;
  for (const { rows, columns } of groups(across, down)) {
    const grid = toGrid(rows, columns);
    if (grid === null) continue;
    cells += grid.owners.length;
    if (cells > maxCells || grids.length === maxGrids) return [];
    grids.push(grid);
  }
  return grids;
}

/** Joins lines that lie on each other or continue each other. */
function merged(rulings: readonly Ruling[]): Ruling[] {
  const lines: Ruling[][] = [];
  let at = Number.NEGATIVE_INFINITY;
  for (const ruling of rulings.toSorted((a, b) => a.at - b.at)) {
    if (ruling.at - at > sameLine) {
      lines.push([]);
      at = ruling.at;
    }
    lines.at(-1)?.push(ruling);
  }
  return lines.flatMap((line) => {
    const middle = line.reduce((sum, ruling) => sum + ruling.at, 0) / line.length;
    const parts: Ruling[] = [];
    for (const { from, to } of line.toSorted((a, b) => a.from - b.from)) {
      const last = parts.at(-1);
      if (last !== undefined && from <= last.to + reach) last.to = Math.max(last.to, to);
      else parts.push({ at: middle, from, to });
    }
    return parts;
  });
}

function groups(across: readonly Ruling[], down: readonly Ruling[]): { rows: Ruling[]; columns: Ruling[] }[] {
  const parents = Array.from({ length: across.length + down.length }, (_, i) => i);
  const root = (of: number): number => {
    let at = of;
    while (parents[at] !== at) {
      parents[at] = parents[parents[at] ?? at] ?? at;
      at = parents[at] ?? at;
    }
    return at;
  };
  for (const [i, row] of across.entries()) {
    for (const [j, column] of down.entries()) {
      const crosses =
        column.at >= row.from - reach &&
        column.at <= row.to + reach &&
        row.at >= column.from - reach &&
        row.at <= column.to + reach;
      if (crosses) parents[root(i)] = root(across.length + j);
    }
  }
  const found = Map.groupBy(parents.keys(), root);
  return [...found.values()].map((members) => ({
    rows: members.flatMap((i) => across[i] ?? []),
    columns: members.flatMap((i) => down[i - across.length] ?? []),
  }));
}

function toGrid(rows: readonly Ruling[], columns: readonly Ruling[]): Grid | null {
  // Tables often have no line at their sides: the ends of the crossing lines replace it.
  const xs = positions(columns, rows, minWidth);
  const ys = positions(rows, columns, minHeight);
  // Two crossing lines are the axes of a drawing.
  if (columns.length + rows.length < minLines) return null;
  const [width, height] = [xs.length - 1, ys.length - 1];
  if (width < 2 || height < 2 || width * height > maxCells) return null;
  const nearest = (positions: readonly number[], at: number): number =>
    Math.max(0, firstIndex(positions, (position) => position > at + sameLine) - 1);
  const isParted = (lines: readonly Ruling[], middle: number): boolean =>
    lines.some((line) => line.from <= middle && middle <= line.to);
  const rowsAt = Map.groupBy(rows, ({ at }) => nearest(ys, at));
  const columnsAt = Map.groupBy(columns, ({ at }) => nearest(xs, at));
  const owners: number[] = [];
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const own = row * width + column;
      const [x, y] = [middleOf(xs, column), middleOf(ys, row)];
      const isBelow = row > 0 && !isParted(rowsAt.get(row) ?? [], x);
      const isBeside = column > 0 && !isParted(columnsAt.get(column) ?? [], y);
      owners.push((isBelow ? owners[own - width] : isBeside ? owners[own - 1] : own) ?? own);
    }
  }
  return { xs, ys, owners };
}

const middleOf = (positions: readonly number[], at: number): number =>
  ((positions[at] ?? 0) + (positions[at + 1] ?? 0)) / 2;

/** Space between the end of the crossing lines and the nearest line from which on there is a cell without a side line. */
const minOpenCell = 12;

function positions(lines: readonly Ruling[], crossing: readonly Ruling[], least: number): number[] {
  const found: number[] = [];
  for (const at of lines.map((line) => line.at).toSorted((a, b) => a - b)) {
    if (found.length === 0 || at - (found.at(-1) ?? at) > least) found.push(at);
  }
  const [first, last] = [found[0], found.at(-1)];
  if (first === undefined || last === undefined) return found;
  let [from, to] = [first, last];
  for (const line of crossing) [from, to] = [Math.min(from, line.from), Math.max(to, line.to)];
  return [...(first - from > minOpenCell ? [from] : []), ...found, ...(to - last > minOpenCell ? [to] : [])];
}

/** Returns a function that lists the lines of the grids between two places at this height, as their x from left to right. */
export function linesBetween(grids: readonly Grid[]): (y: number, from: number, to: number) => number[] {
  return (y, from, to) =>
    grids.flatMap(({ xs, ys, owners }) => {
      if (y < (ys[0] ?? 0) || y > (ys.at(-1) ?? 0) || to < from) return [];
      const first = Math.max(0, firstIndex(ys, (at) => at > y) - 1) * (xs.length - 1);
      const start = firstIndex(xs, (x) => x >= from);
      return xs
        .slice(
          start,
          firstIndex(xs, (x) => x > to),
        )
        .filter((_, i) => {
          const column = start + i;
          return column === 0 || column === xs.length - 1 || owners[first + column - 1] !== owners[first + column];
        });
    });
}
