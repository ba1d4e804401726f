import { joinAccent } from './letters/drawn-letters.ts';
import { joinRuns, type TextRun, isUnspaced, type TextItem, type TextSegment } from './letters/join-runs.ts';

/** A wider gap than this separates two segments, in font sizes. Justified lines of narrow columns have gaps up to 1. */
const partingGap = 1.5;
/** The same between characters of scripts without spaces. */
const unspacedGap = 0.7;
/** A wider gap than this counts as a space even if the file has none, in font sizes. */
const spaceGap = 0.25;
/** A narrower gap than this has no room for a space, in font sizes. pdf.js sees spaces in it where a font is made of pictures. */
const minSpace = 0.08;
/** Maximum distance of superscripts and other marks above or below their line, in font sizes. */
const sameLine = 0.45;

/**
 * Joins pdf.js's items to segments, in the given order.
 * @param view the page's viewport transform at scale 1, which includes the page's rotation
 * @param linesBetween the x of the vertical table lines at a height between two places
 */
export function readSegments(
  items: readonly TextItem[],
  view: readonly number[],
  isVertical: (font: string) => boolean,
  linesBetween: (y: number, from: number, to: number) => readonly number[] = () => [],
) {
  const segments: TextSegment[] = [];
  let runs: TextRun[] = [];
  let extent: RunExtent | null = null;
  let isSpaced = false;
  const drawn = new DrawnTexts();
  const flush = (): void => {
    const segment = joinRuns(runs);
    if (segment !== null) segments.push(segment);
    runs = [];
    extent = null;
    isSpaced = false;
  };
  for (const item of items) {
    if (item.str.trim() === '') {
      if (item.str !== '') isSpaced = true;
      continue;
    }
    const whole = place(item, view, isVertical(item.fontName));
    if (whole === null || drawn.isRepeated(whole)) continue;
    const inside = whole.turn === 0 ? linesBetween(middleOf(whole), whole.x0 + slack, whole.x1 - slack) : [];
    for (const run of parted(whole, inside)) {
      const last = runs.at(-1);
      if (last !== undefined && extent !== null && !joinAccent(last, run)) {
        const gap = gapBetween(last, extent, run);
        if (gap === null || (run.turn === 0 && linesBetween(middleOf(run), last.x1 - slack, run.x0 + slack).length > 0))
          flush();
        else if ((isSpaced && hasRoom(gap, run)) || gap > spaceGap * Math.min(last.size, run.size)) {
          // Programs draw the letters of such lines from either side. The space keeps its position among them.
          if (extent.isRightToLeft || run.isRightToLeft) runs.push(spaceBetween(last, run));
          else addSpace(last, run);
        }
      }
      runs.push(run);
      extent = extended(extent, run);
      isSpaced = false;
    }
  }
  flush();
  return segments;
}

const middleOf = ({ y, size }: TextRun): number => y - size * 0.3;

/** How far a table's line may lie within the text at its sides, in points. */
const slack = 1;
/** Maximum distance of the space at which a text is parted from where the line is expected in it, in characters. */
const maxShift = 4;

/** Parts a run that pdf.js joined over the lines of a table, at the spaces nearest to these. */
function parted(run: TextRun, lines: readonly number[]): TextRun[] {
  if (lines.length === 0 || run.isRightToLeft) return [run];
  const runs: TextRun[] = [];
  let rest = run;
  for (const x of lines) {
    const expected = ((x - rest.x0) / (rest.x1 - rest.x0)) * rest.text.length;
    const before = rest.text.lastIndexOf(' ', Math.floor(expected));
    const after = rest.text.indexOf(' ', Math.ceil(expected));
    const at = after !== -1 && (before === -1 || after - expected < expected - before) ? after : before;
    if (at <= 0 || Math.abs(at - expected) > maxShift || x <= rest.x0) continue;
    runs.push({ ...rest, text: rest.text.slice(0, at), x1: x - slack });
    rest = { ...rest, text: rest.text.slice(at + 1), x0: x + slack };
  }
  return [...runs, rest].filter(({ text }) => text.trim() !== '');
}

function place(item: TextItem, view: readonly number[], isVertical: boolean): TextRun | null {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = item.transform;
  const [va = 1, vb = 0, vc = 0, vd = 1, ve = 0, vf = 0] = view;
  const along = [va * a + vc * b, vb * a + vd * b] as const;
  const up = [va * c + vc * d, vb * c + vd * d] as const;
  const [x, y] = [va * e + vc * f + ve, vb * e + vd * f + vf];
  const size = Math.hypot(up[0], up[1]) || Math.hypot(along[0], along[1]);
  if (![x, y, size, item.width].every(Number.isFinite) || size === 0) return null;
  const angle = Math.atan2(along[1], along[0]);
  // Vertical text runs downwards, with its columns from right to left, so it counts as turned once more.
  const turn = (((Math.round(angle / (Math.PI / 2)) + (isVertical ? 1 : 0)) % 4) + 4) % 4;
  const [px, py] = turnBack(x, y, turn);
  const length = isVertical ? Math.abs(item.height) || size * item.str.length : Math.abs(item.width);
  return {
    text: item.str,
    x0: px,
    x1: px + length,
    y: py,
    size,
    font: item.fontName,
    isRightToLeft: item.dir === 'rtl',
    turn,
  };
}

function turnBack(x: number, y: number, turn: number): [number, number] {
  if (turn === 1) return [y, -x];
  if (turn === 2) return [-x, -y];
  return turn === 3 ? [-y, x] : [x, y];
}

/** Updated with each run, since a page may draw each letter of a long line separately. */
interface RunExtent {
  x0: number;
  widest: TextRun;
  isRightToLeft: boolean;
}

function extended(extent: RunExtent | null, run: TextRun): RunExtent {
  if (extent === null) return { x0: run.x0, widest: run, isRightToLeft: run.isRightToLeft };
  const { widest } = extent;
  return {
    x0: Math.min(extent.x0, run.x0),
    widest: run.x1 - run.x0 > widest.x1 - widest.x0 ? run : widest,
    isRightToLeft: extent.isRightToLeft || run.isRightToLeft,
  };
}

/** The gap between a line and a run that may continue it; null when the run is elsewhere. */
function gapBetween(last: TextRun, extent: RunExtent, run: TextRun): number | null {
  if (last.turn !== run.turn) return null;
  const size = Math.max(last.size, run.size);
  // If the last run is as wide as the widest, compare with the last one.
  const isLast = last.x1 - last.x0 >= extent.widest.x1 - extent.widest.x0;
  const base = isLast ? last : extent.widest;
  if (Math.abs(run.y - base.y) > sameLine * Math.max(size, base.size)) return null;
  const right = run.x0 - last.x1;
  // Prose in scripts without spaces has no gaps.
  const limit = (isUnspaced(last.text, run.text) ? unspacedGap : partingGap) * size;
  if (right > -0.5 * size && right <= limit) return right;
  const left = extent.x0 - run.x1;
  if ((run.isRightToLeft || extent.isRightToLeft) && left > -0.5 * size && left <= limit) return left;
  return null;
}

/** The texts drawn so far, by place. Programs draw a text again, a little aside, to make it look bold. */
class DrawnTexts {
  readonly #places = new Map<string, TextRun[]>();

  isRepeated(run: TextRun): boolean {
    // A letter drawn separately may be repeated.
    const reach = Math.min(run.size * 0.2, (run.x1 - run.x0) * 0.5);
    const [row, column] = [Math.round(run.y), Math.floor(run.x0 / bucket)];
    for (const y of [row - 1, row, row + 1]) {
      for (const x of [column - 1, column, column + 1]) {
        const near = this.#places.get(`${run.turn} ${y} ${x} ${run.text}`);
        if (near?.some((other) => Math.abs(other.x0 - run.x0) < reach && Math.abs(other.y - run.y) < 1)) return true;
      }
    }
    const key = `${run.turn} ${row} ${column} ${run.text}`;
    const here = this.#places.get(key);
    if (here === undefined) this.#places.set(key, [run]);
    else if (here.length < maxInBucket) here.push(run);
    return false;
  }
}

/** In points. */
const bucket = 20;
const maxInBucket = 20;

/** Whether a gap has room for a space. Below 0, the widths of the glyphs are wrong, and the file is believed. */
function hasRoom(gap: number, { size }: TextRun): boolean {
  return gap < 0 || gap >= minSpace * size;
}

function spaceBetween(last: TextRun, run: TextRun): TextRun {
  // The runs of a line are sorted by their left ends.
  const x = Math.max(last.x0, run.x0) - 0.001;
  return { ...last, text: ' ', x0: x, x1: x, isRightToLeft: false };
}

function addSpace(last: TextRun, run: TextRun): void {
  if (!/\s$/.test(last.text) && !/^\s/.test(run.text) && !isUnspaced(last.text, run.text)) last.text += ' ';
}
