import type { Highlight, ReadItem } from '../records.ts';

/** A place of the stored text that is marked on the page. */
export interface Mark {
  id: string;
  start: number;
  end: number;
  kind: 'highlight' | 'insight' | 'found';
  colour?: string | null;
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
    return place === null ? [] : [{ id: highlight.id, kind: 'highlight', colour: highlight.colour, ...place }];
  });
  return [...insights, ...own].toSorted((a, b) => a.start - b.start);
}

/** Those that touch a range of the text. */
export function marksWithin(marks: readonly Mark[], start: number, end: number): Mark[] {
  return marks.filter((mark) => mark.start < end && mark.end > start);
}
