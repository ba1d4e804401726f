import type { Highlight, ReadItem } from '../data/records.ts';
import { isWaiting } from '../kept/laid-over.ts';
import { plain } from './inline.ts';

/**
 * A piece of the stored text without what stands before its lines (the `>` of a quotation, the indentation of a list), which still
 * knows where each of its characters stands in the whole.
 */
export interface Source {
  readonly text: string;
  /** The offset in the stored text of the character at `at`. */
  offsetOf(at: number): number;
}

/** A piece that stands in the stored text as it is. */
export function wholeSource(text: string, start: number): Source {
  return { text, offsetOf: (at) => start + at };
}

export interface Line {
  text: string;
  /** Where it stands in the stored text. */
  at: number;
}

/** Lines joined by line breaks. */
export function sourceOfLines(lines: readonly Line[]): Source {
  const starts: number[] = [];
  let length = 0;
  for (const { text } of lines) {
    starts.push(length);
    length += text.length + 1;
  }
  return {
    text: lines.map(({ text }) => text).join('\n'),
    offsetOf(at) {
      let [low, high] = [0, starts.length - 1];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((starts[middle] ?? 0) <= at) low = middle;
        else high = middle - 1;
      }
      return (lines[low]?.at ?? 0) + at - (starts[low] ?? 0);
    },
  };
}

export function linesOf({ text, offsetOf }: Source): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    lines.push({ text: line, at: offsetOf(start) });
    start += line.length + 1;
  }
  return lines;
}

/** The rest of a line, without its first characters. */
export function restOfLine({ text, at }: Line, skipped: number): Line {
  return { text: text.slice(skipped), at: at + skipped };
}

/** A paragraph of a passage, or the lines between two code fences. */
interface PassagePart {
  source: Source;
  isCode: boolean;
}

/** A passage as a reader sees it. */
export function plainPassage(passage: string): string {
  return partsOf(passage)
    .map(({ source, isCode }) => (isCode ? source.text : plain(source.text)))
    .join('\n')
    .trim();
}

const fence = /^\s{0,20}(?:```|~~~)/;

/**
 * A passage as paragraphs and code. The heading above it is shown with its path, and marks of lists and quotations would
 * only disturb. Where a passage begins or ends within code, an odd fence does not say which side of it is code: then all
 * of it is paragraphs.
 */
export function partsOf(passage: string): PassagePart[] {
  const parts: PassagePart[] = [];
  const lines = passage.split('\n');
  const hasPairs = lines.filter((line) => fence.test(line)).length % 2 === 0;
  let start = 0;
  let codeStart: number | null = null;
  for (const line of lines) {
    const end = start + line.length + 1;
    if (fence.test(line)) {
      if (codeStart !== null && codeStart < start)
        parts.push({ source: wholeSource(passage.slice(codeStart, start - 1), codeStart), isCode: true });
      codeStart = hasPairs && codeStart === null ? end : null;
    } else if (codeStart === null) {
      const [mark = ''] = /^\s{0,20}(?:#{1,6} |> ?|[-*+] )?/.exec(line) ?? [];
      if (line.trim() !== '' && !mark.includes('#'))
        parts.push({ source: wholeSource(line.slice(mark.length), start + mark.length), isCode: false });
    }
    start = end;
  }
  return parts.length === 0 ? [{ source: wholeSource(passage, 0), isCode: false }] : parts;
}

/** A place of the stored text that is marked on the page. */
export interface Mark {
  id: string;
  start: number;
  end: number;
  kind: 'highlight' | 'insight' | 'found';
  colour?: string | null;
  /** One's own words about a highlight. */
  note?: string | null;
  /** The highlight waits to be sent. */
  isWaiting?: boolean;
}

/** Where a quote stands: at its offsets, or where the text has these words first. */
export function placeOf(
  text: string,
  { quote, locator }: { quote: string | null; locator: Highlight['locator'] },
): { start: number; end: number } | null {
  if (locator?.kind === 'text') return { start: locator.start, end: locator.end };
  if (quote === null) return null;
  const start = text.indexOf(quote);
  return start === -1 ? null : { start, end: start + quote.length };
}

export function marksOf({ transcript = '', keyInsights }: ReadItem, highlights: readonly Highlight[]): Mark[] {
  const insights = keyInsights.flatMap((insight, index): Mark[] => {
    const place = placeOf(transcript, insight);
    return place === null ? [] : [{ id: `insight-${index}`, kind: 'insight', ...place }];
  });
  const own = highlights.flatMap((highlight): Mark[] => {
    const place = highlight.place === 'found' ? placeOf(transcript, highlight) : null;
    const { id, colour, note } = highlight;
    return place === null ? [] : [{ id, kind: 'highlight', colour, note, isWaiting: isWaiting(highlight), ...place }];
  });
  return [...insights, ...own].toSorted((a, b) => a.start - b.start);
}

/** Those that touch a range of the text. */
export function marksWithin(marks: readonly Mark[], start: number, end: number): Mark[] {
  return marks.filter((mark) => mark.start < end && mark.end > start);
}
