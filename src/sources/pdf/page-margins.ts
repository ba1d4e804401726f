import type { PdfPage } from './lines.ts';
import { gatherRows, firstIndex, isSameRow, median } from './reading-order.ts';
import type { TextSegment } from './letters/join-runs.ts';

/*
 * Removes headers, footers and page numbers: rows at the edges of pages that repeat at the same height on nearby pages.
 * A document of two pages is too short to recognise repeated text, so only page numbers are removed from it, and rows that count pages.
 */

interface PageRow {
  segments: TextSegment[];
  /** The text with `#` in place of each number. */
  key: string;
  numbers: string[];
  y: number;
  size: number;
  /** The page number, of a row that has nothing else. */
  number: number | null;
}

const edgeRows = 3;
/** Share of a page's height, measured from its edge, in which headers and footers are searched for. */
const edgeShare = 0.16;
/** Minimum distance between a header or footer and the text, in font sizes: more than the usual line spacing. */
const minDistance = 1.35;
/** A row that appears on fewer pages is ordinary text, unless it counts pages in words. */
const minPages = 3;

export function dropRunningLines(pages: readonly PdfPage[]): PdfPage[] {
  if (pages.length < 2) return [...pages];
  const edges = pages.map((page) => edgesOf(page));
  const counts = new Map<string, number>();
  for (const { top, bottom } of edges) {
    for (const key of new Set([...top, ...bottom].map((row) => row.key))) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return pages.map((page, i) => {
    const dropped = new Set<TextSegment>();
    for (const side of ['top', 'bottom'] as const) {
      const rows = edges[i]?.[side] ?? [];
      const runs = (row: PageRow): boolean =>
        [-2, -1, 1, 2].some((step) =>
          (edges[i + step]?.[side] ?? []).some((other) =>
            isSameRunning(row, other, step, (counts.get(row.key) ?? 0) >= minPages),
          ),
        );
      const end = rows.findIndex((row) => !runs(row));
      const running = rows.slice(0, end === -1 ? rows.length : end);
      if (running.length === 0 || !standsApart(running, rows, page)) continue;
      for (const row of running) for (const segment of row.segments) dropped.add(segment);
    }
    return dropped.size === 0 ? page : { ...page, segments: page.segments.filter((segment) => !dropped.has(segment)) };
  });
}

function edgesOf({ segments, height }: PdfPage): { top: PageRow[]; bottom: PageRow[] } {
  const limit = height * edgeShare;
  const rows = gatherRows(segments.filter(({ turn }) => turn === 0));
  const top = rows.slice(0, edgeRows).filter((row) => (row[0]?.y ?? 0) < limit);
  const bottom = rows
    .slice(-edgeRows)
    .toReversed()
    .filter((row) => (row[0]?.y ?? 0) > height - limit);
  return { top: top.map(toRow), bottom: bottom.map(toRow) };
}

/** "page 3", "3 of 12", where each number has become `#`. Titles count, too: "Step 1", "Results, part 2". */
const countingPages =
  /(?<!\p{L})(?:page|seite|pagina|página|pág\.|pag\.|sida|strona|p\.|s\.) ?#|# ?(?:of|\/|von|de|di|sur) ?#/u;
const anyNumber = /\d+|(?<![\p{L}\d])[ivxlc]{1,7}(?![\p{L}\d])/gu;

function toRow(segments: TextSegment[]): PageRow {
  const text = segments
    .toSorted((a, b) => a.x0 - b.x0)
    .map((segment) => segment.text)
    .join(' ')
    .toLowerCase();
  const bare =
    /^[^\p{L}\d]*(?:(?:page|seite|p\.|s\.)\s*)?(\d{1,5}|[ivxlc]{1,7})(?:\s*(?:of|\/|von|de)\s*\d{1,5})?[^\p{L}\d]*$/u.exec(
      text,
    )?.[1];
  return {
    segments,
    key: text.replaceAll(anyNumber, '#'),
    numbers: text.match(anyNumber) ?? [],
    y: segments[0]?.y ?? 0,
    size: segments[0]?.size ?? 0,
    number: bare === undefined ? null : valueOf(bare),
  };
}

function valueOf(number: string): number {
  return /\d/.test(number) ? Number(number) : romanNumber(number);
}

function romanNumber(text: string): number {
  const values: Record<string, number> = { i: 1, v: 5, x: 10, l: 50, c: 100 };
  const digits = [...text].map((letter) => values[letter] ?? 0);
  return digits.reduce((sum, digit, i) => sum + (digit < (digits[i + 1] ?? 0) ? -digit : digit), 0);
}

function isSameRunning(row: PageRow, other: PageRow, step: number, isFrequent: boolean): boolean {
  if (Math.abs(row.y - other.y) > Math.max(3, row.size * 0.6)) return false;
  if (row.number !== null && other.number !== null) return other.number - row.number === step;
  if (row.key !== other.key || !differAsPages(row.numbers, other.numbers, step)) return false;
  return isFrequent || (countingPages.test(row.key) && row.numbers.some((number, i) => number !== other.numbers[i]));
}

/**
 * Whether the numbers of two rows are the same, except for the page number. A sheet with two pages side by side has two page
 * numbers, and each is two more than on the sheet before. Footnotes that refer to one work differ in other ways:
 * "box 1, folio 4" and "box 4, folio 7".
 */
function differAsPages(numbers: readonly string[], others: readonly string[], step: number): boolean {
  const changes = numbers.flatMap((number, i) => {
    const other = others[i] ?? number;
    return number === other ? [] : [valueOf(other) - valueOf(number)];
  });
  return changes.every((change) => change === changes.length * step);
}

function standsApart(running: readonly PageRow[], rows: readonly PageRow[], page: PdfPage): boolean {
  if (running.every(({ number }) => number !== null)) return true;
  const last = running.at(-1);
  if (last === undefined) return false;
  const next = rows[running.length];
  const ownSegments = new Set(running.flatMap(({ segments }) => segments));
  const nextY =
    next?.y ??
    page.segments.reduce<number | null>((nearest, segment) => {
      if (ownSegments.has(segment) || segment.turn !== 0) return nearest;
      return nearest === null || Math.abs(segment.y - last.y) < Math.abs(nearest - last.y) ? segment.y : nearest;
    }, null);
  return nextY === null || Math.abs(nextY - last.y) >= minDistance * last.size;
}

/* Stamps along the side of a page (of arXiv, of a publisher), and the numbers of lines. */

/** A page with less text, in characters, may be a drawing with labels at its sides. */
const minText = 200;
/** The labels of a map or a drawing are shorter than lines of prose, in characters. */
const minProse = 25;
/** Fewer numbers below each other are not the numbers of lines. */
const minNumbers = 5;
/** Minimum characters in half of the numbered lines: such lines are prose. */
const minLineLength = 30;

export function withoutMarginText(segments: readonly TextSegment[]): TextSegment[] {
  const upright = segments.filter(({ turn }) => turn === 0);
  if (upright.reduce((sum, { text }) => sum + text.length, 0) < minText) return [...segments];
  if (median(upright.map(({ text }) => text.length)) < minProse) return [...segments];
  const numbers = lineNumbers(upright);
  const [left, right] = [
    Math.min(...upright.flatMap((segment) => (numbers.has(segment) ? [] : [segment.x0]))),
    Math.max(...upright.map(({ x1 }) => x1)),
  ];
  return segments.filter((segment) => {
    if (numbers.has(segment)) return false;
    // Turned text has turned coordinates.
    const x = segment.turn === 3 ? segment.y : segment.turn === 1 ? -segment.y : null;
    return x === null || (x > left && x < right + segment.size);
  });
}

/** Line numbers left of a text, at every line or every fifth. */
function lineNumbers(upright: readonly TextSegment[]): ReadonlySet<TextSegment> {
  const [counts, texts] = [[] as TextSegment[], [] as TextSegment[]];
  for (const segment of upright) (/^\d{1,4}$/.test(segment.text) ? counts : texts).push(segment);
  const none = new Set<TextSegment>();
  if (counts.length < minNumbers || texts.length < minNumbers) return none;
  const starts = texts.map(({ x0 }) => x0).toSorted((a, b) => a - b);
  const left = starts[Math.floor(starts.length / 10)] ?? 0;
  const beside = counts.filter(({ x1 }) => x1 < left).toSorted((a, b) => a.y - b.y);
  if (beside.length < minNumbers) return none;
  const steps = beside.slice(1).map(({ text }, i) => Number(text) - Number(beside[i]?.text));
  const step = median(steps);
  if ((step !== 1 && step !== 5) || steps.filter((one) => one !== step).length > steps.length * 0.1) return none;
  const down = texts.toSorted((a, b) => a.y - b.y);
  const lengths = beside.map((number) => {
    const near = firstIndex(down, ({ y }) => y > number.y - number.size);
    const line = down.slice(near, near + 4).find((text) => isSameRow(number, text));
    return line?.text.length ?? 0;
  });
  return median(lengths) < minLineLength ? none : new Set(beside);
}
