import type { TextSegment } from './letters/join-runs.ts';

/*
 * Most files store their text in reading order, and tables keep their order, too. Only where the stored order is
 * clearly not the reading order is the page split into columns at its white space (after the XY-cut of Nagy, Seth and
 * Viswanathan, 1992).
 */

/** Minimum number of lines on a side to count as a column. */
const minLines = 3;
/** Maximum share of a page's lines that may cross the gutter between columns: titles, captions, wide tables. */
const maxCrossing = 0.2;

export function inReadingOrder(segments: TextSegment[]): TextSegment[] {
  if (isRightToLeft(segments)) return inOrder(segments.map(mirrored)).map(mirrored);
  return inOrder(segments);
}

function inOrder(segments: TextSegment[]): TextSegment[] {
  return isChaotic(segments) ? cutIntoColumns(segments) : segments;
}

/** Whether most of the page's text is right-to-left (Arabic, Hebrew). Such a page is ordered as its mirror image. */
function isRightToLeft(segments: readonly TextSegment[]): boolean {
  const letters = (some: readonly TextSegment[]): number => some.reduce((sum, { text }) => sum + text.length, 0);
  return letters(segments.filter((segment) => segment.isRightToLeft)) * 2 > letters(segments);
}

function mirrored(segment: TextSegment): TextSegment {
  return { ...segment, x0: -segment.x1, x1: -segment.x0 };
}

function isChaotic(segments: readonly TextSegment[]): boolean {
  return jumpsBack(segments) || alternates(segments);
}

function jumpsBack(segments: readonly TextSegment[]): boolean {
  const flows = splitIntoFlows(segments);
  return flows.some((flow, i) => {
    const next = flows[i + 1];
    if (next === undefined || flow.length < minLines || next.length < minLines) return false;
    const [last, first] = [flow.at(-1), next[0]];
    if (last === undefined || first === undefined) return false;
    const isAbove = first.y < last.y - last.size;
    const [left, right] = [Math.min(...flow.map(({ x0 }) => x0)), Math.max(...next.map(({ x1 }) => x1))];
    // The text jumps up to a column on the left, or up within the same column.
    const isLeft = right <= left + last.size;
    const isSame = overlap(first, flow[0] ?? last) > 0.5 && first.y < (flow[0]?.y ?? 0) - last.size;
    return isAbove && (isLeft || isSame);
  });
}

function splitIntoFlows(segments: readonly TextSegment[]): TextSegment[][] {
  const flows: TextSegment[][] = [];
  let last: TextSegment | undefined;
  for (const segment of segments) {
    if (last === undefined || segment.y < last.y - last.size * 0.5) flows.push([]);
    flows.at(-1)?.push(segment);
    last = segment;
  }
  return flows;
}

function overlap(one: TextSegment, other: TextSegment): number {
  const shared = Math.min(one.x1, other.x1) - Math.max(one.x0, other.x0);
  return shared / Math.max(1, Math.min(one.x1 - one.x0, other.x1 - other.x0));
}

/** Minimum median length of a line of prose in characters; table cells are shorter. */
const proseLength = 20;

function alternates(segments: readonly TextSegment[]): boolean {
  const hops = segments.filter((segment, i) => {
    const next = segments[i + 1];
    return next !== undefined && isSameRow(segment, next) && (next.x0 > segment.x1 || next.x1 < segment.x0);
  }).length;
  if (hops < minLines || hops < segments.length * 0.2) return false;
  const gutter = findGutter(segments);
  if (gutter === null) return false;
  const left = segments.filter(({ x1 }) => x1 <= gutter.at);
  const right = segments.filter(({ x0 }) => x0 >= gutter.at);
  return [left, right].every((side) => median(side.map(({ text }) => text.length)) >= proseLength && flowsOn(side));
}

/** Whether sentences continue from line to line, as they do in prose but not in table cells. */
function flowsOn(side: readonly TextSegment[]): boolean {
  const ordered = side.toSorted((a, b) => a.y - b.y);
  const running = ordered.filter((segment, i) => {
    const next = ordered[i + 1];
    return next !== undefined && !/[.!?:;]["”’)]?$/.test(segment.text) && /^[\p{Ll}\p{Lo}]/u.test(next.text);
  });
  return running.length >= (ordered.length - 1) * 0.3;
}

/** Maximum distance between the baselines of one row, in font sizes. */
const rowReach = 0.45;

export function isSameRow(one: TextSegment, other: TextSegment): boolean {
  return one.turn === other.turn && Math.abs(one.y - other.y) < rowReach * Math.max(one.size, other.size);
}

function cutIntoColumns(segments: readonly TextSegment[], depth = 0): TextSegment[] {
  const gutter = depth < 4 ? findGutter(segments) : null;
  if (gutter === null) return byRows(segments);
  const ordered: TextSegment[] = [];
  let [left, right]: [TextSegment[], TextSegment[]] = [[], []];
  const flush = (): void => {
    ordered.push(...cutIntoColumns(left, depth + 1), ...cutIntoColumns(right, depth + 1));
    [left, right] = [[], []];
  };
  const isBesideRight = rowsOf(segments.filter(({ x0 }) => x0 >= gutter.at));
  for (const segment of byRows(segments)) {
    // A long line of the left column crosses the gutter, but the right column has a line in the same row.
    const runsOver = segment.x0 < gutter.at && isBesideRight(segment);
    if (segment.x1 <= gutter.at + segment.size * 0.2 || runsOver) left.push(segment);
    else if (segment.x0 >= gutter.at - segment.size * 0.2) right.push(segment);
    else {
      flush();
      ordered.push(segment);
    }
  }
  flush();
  return ordered;
}

/**
 * Returns a function that tells whether a segment is in the same row (as `isSameRow` defines it) as any of these
 * segments, without comparing it with each. It is in the same row if its own reach includes the nearest baseline, or if
 * the merged reaches of these segments include its baseline.
 */
function rowsOf(segments: readonly TextSegment[]): (segment: TextSegment) => boolean {
  const turns = Map.groupBy(segments, ({ turn }) => turn);
  const rows = new Map(
    [...turns].map(([turn, those]) => {
      const baselines = those.map(({ y }) => y).toSorted((a, b) => a - b);
      const reaches: { from: number; to: number }[] = [];
      for (const { y, size } of those.toSorted((a, b) => a.y - rowReach * a.size - (b.y - rowReach * b.size))) {
        const last = reaches.at(-1);
        const [from, to] = [y - rowReach * size, y + rowReach * size];
        if (last === undefined || from >= last.to) reaches.push({ from, to });
        else last.to = Math.max(last.to, to);
      }
      return [turn, { baselines, reaches }] as const;
    }),
  );
  return ({ turn, y, size }) => {
    const { baselines = [], reaches = [] } = rows.get(turn) ?? {};
    const nearest = baselines[firstIndex(baselines, (baseline) => baseline > y - rowReach * size)];
    if (nearest !== undefined && nearest < y + rowReach * size) return true;
    const reach = reaches[firstIndex(reaches, ({ to }) => to > y)];
    return reach !== undefined && reach.from < y;
  };
}

/** Binary search in a sorted list: the index of the first item for which `isSo` holds, or the list's length. */
export function firstIndex<T>(items: readonly T[], isSo: (item: T) => boolean): number {
  let [from, to] = [0, items.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const item = items[middle];
    if (item !== undefined && isSo(item)) to = middle;
    else from = middle + 1;
  }
  return from;
}

export function gatherRows(segments: readonly TextSegment[]): TextSegment[][] {
  const rows: TextSegment[][] = [];
  for (const segment of segments.toSorted((a, b) => a.y - b.y)) {
    const row = rows.at(-1);
    if (row?.[0] !== undefined && isSameRow(row[0], segment)) row.push(segment);
    else rows.push([segment]);
  }
  return rows;
}

function byRows(segments: readonly TextSegment[]): TextSegment[] {
  return gatherRows(segments).flatMap((row) => row.toSorted((a, b) => a.x0 - b.x0));
}

interface Gutter {
  at: number;
}

/** In points. */
const bin = 2;

/** Finds the widest white stretch between two columns that few lines cross; null when there is none. */
function findGutter(segments: readonly TextSegment[]): Gutter | null {
  if (segments.length < minLines * 2) return null;
  const start = Math.min(...segments.map(({ x0 }) => x0));
  const end = Math.max(...segments.map(({ x1 }) => x1));
  const bins = Math.ceil((end - start) / bin);
  if (!(bins > 10 && bins < 5_000)) return null;
  const steps = Array.from({ length: bins + 2 }, () => 0);
  for (const { x0, x1 } of segments) {
    const [from, to] = [Math.floor((x0 - start) / bin), Math.ceil((x1 - start) / bin)];
    steps[from] = (steps[from] ?? 0) + 1;
    steps[to] = (steps[to] ?? 0) - 1;
  }
  let covered = 0;
  const coverage = steps.map((step) => (covered += step));
  const inner = coverage.slice(Math.floor(bins * 0.15), Math.ceil(bins * 0.85));
  const minCoverage = Math.min(...inner);
  if (minCoverage > segments.length * maxCrossing) return null;
  const size = median(segments.map((segment) => segment.size));
  let best: { from: number; to: number } | null = null;
  for (let from = Math.floor(bins * 0.15); from < bins * 0.85; from += 1) {
    if ((coverage[from] ?? 0) > minCoverage) continue;
    let to = from;
    while (to < bins * 0.85 && (coverage[to] ?? 0) <= minCoverage) to += 1;
    if (best === null || to - from > best.to - best.from) best = { from, to };
    from = to;
  }
  if (best === null || (best.to - best.from) * bin < size * 0.6) return null;
  const at = start + ((best.from + best.to) / 2) * bin;
  const left = segments.filter(({ x1 }) => x1 <= at).length;
  const right = segments.filter(({ x0 }) => x0 >= at).length;
  return left >= minLines && right >= minLines ? { at } : null;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
