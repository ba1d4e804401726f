import type { PDFPageProxy } from 'pdfjs-dist';

/** A straight line drawn on the page along one axis, in the coordinates of the displayed page. */
export interface Ruling {
  /** The coordinate that all its points share: y of a horizontal line, x of a vertical one. */
  at: number;
  from: number;
  to: number;
}

export interface Rulings {
  horizontal: Ruling[];
  vertical: Ruling[];
}

type Operators = Awaited<ReturnType<PDFPageProxy['getOperatorList']>>;
type TransformMatrix = readonly [number, number, number, number, number, number];

/** A page with more lines is a drawing. */
const maxRulings = 20_000;
/** Maximum depth of saved graphics states. */
const maxSaved = 1_000;
/** A filled shape at most this thick, in points, is a line. */
const maxThickness = 3;
/** Shorter lines are parts of letters and symbols, in points. */
const minLength = 4;

/** The straight lines that a page draws, and the edges of its rectangles; none for a drawing of very many lines. */
export async function readRulings({ fnArray, argsArray }: Operators, view: readonly number[]): Promise<Rulings> {
  const { OPS } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const strokes = new Set<number>([OPS.stroke, OPS.closeStroke]);
  const paints = new Set<number>([
    ...strokes,
    OPS.fill,
    OPS.eoFill,
    OPS.fillStroke,
    OPS.eoFillStroke,
    OPS.closeFillStroke,
    OPS.closeEOFillStroke,
  ]);
  const found: Rulings = { horizontal: [], vertical: [] };
  const saved: TransformMatrix[] = [];
  let matrix = asMatrix(view);
  for (const [i, operator] of fnArray.entries()) {
    const args = (argsArray as unknown[][])[i] ?? [];
    if (operator === OPS.save || operator === OPS.paintFormXObjectBegin) {
      if (saved.length < maxSaved) saved.push(matrix);
      const own = operator === OPS.save ? null : args[0];
      if (isNumbers(own)) matrix = product(matrix, own);
    } else if (operator === OPS.restore || operator === OPS.paintFormXObjectEnd) {
      matrix = saved.pop() ?? matrix;
    } else if (operator === OPS.transform && isNumbers(args)) {
      matrix = product(matrix, args);
    } else if (operator === OPS.constructPath && paints.has(args[0] as number)) {
      const path = (args[1] as unknown[] | undefined)?.[0];
      if (isNumbers(path)) addPath(path, matrix, strokes.has(args[0] as number), found);
      if (found.horizontal.length + found.vertical.length > maxRulings) return { horizontal: [], vertical: [] };
    }
  }
  return found;
}

function isNumbers(value: unknown): value is ArrayLike<number> {
  return Array.isArray(value) || ArrayBuffer.isView(value);
}

function asMatrix(numbers: ArrayLike<number>): TransformMatrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = Array.from(numbers);
  return [a, b, c, d, e, f];
}

function product([a, b, c, d, e, f]: TransformMatrix, numbers: ArrayLike<number>): TransformMatrix {
  const [g, h, i, j, k, l] = asMatrix(numbers);
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

/** Numbers that follow each code of pdf.js's paths: a move, a line, two kinds of curves, the end of an outline. */
const argumentsOf = [2, 2, 6, 4, 0];

function addPath(
  path: ArrayLike<number>,
  [a, b, c, d, e, f]: TransformMatrix,
  isStroke: boolean,
  found: Rulings,
): void {
  let outline: [number, number][] = [];
  let isCurved = false;
  const flush = (): void => {
    if (!isCurved && outline.length > 1) addOutline(outline, isStroke, found);
    outline = [];
    isCurved = false;
  };
  for (let i = 0; i < path.length;) {
    const code = path[i] ?? 0;
    const count = argumentsOf[code];
    if (count === undefined) return;
    if (code === 0) flush();
    const first = outline[0];
    if (code === 4 && first !== undefined) outline.push(first);
    if (code === 2 || code === 3) isCurved = true;
    if (count >= 2) {
      const [x, y] = [path[i + count - 1] ?? 0, path[i + count] ?? 0];
      outline.push([a * x + c * y + e, b * x + d * y + f]);
    }
    i += 1 + count;
    // The rectangles of one path are separate outlines.
    if (code === 4) flush();
  }
  flush();
}

function addOutline(points: readonly (readonly [number, number])[], isStroke: boolean, found: Rulings): void {
  let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [x, y] of points) {
    [x0, x1] = [Math.min(x0, x), Math.max(x1, x)];
    [y0, y1] = [Math.min(y0, y), Math.max(y1, y)];
  }
  if (![x0, x1, y0, y1].every(Number.isFinite)) return;
  if (y1 - y0 <= maxThickness || x1 - x0 <= maxThickness) {
    if (y1 - y0 <= x1 - x0) add(found.horizontal, (y0 + y1) / 2, x0, x1);
    else add(found.vertical, (x0 + x1) / 2, y0, y1);
    return;
  }
  // Filled shapes other than rectangles are drawings.
  if (!isStroke && points.length > 6) return;
  for (const [i, [x, y]] of points.entries()) {
    const [nextX, nextY] = points[i + 1] ?? [x, y];
    if (Math.abs(nextY - y) < 1) add(found.horizontal, y, Math.min(x, nextX), Math.max(x, nextX));
    else if (Math.abs(nextX - x) < 1) add(found.vertical, x, Math.min(y, nextY), Math.max(y, nextY));
  }
}

function add(rulings: Ruling[], at: number, from: number, to: number): void {
  if (to - from >= minLength) rulings.push({ at, from, to });
}
