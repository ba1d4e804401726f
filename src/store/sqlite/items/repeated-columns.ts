import type { Locator } from '../../../domain/records/locator.ts';

/*
 * What a row says already stands in it once: a column that would repeat others is an empty string
 * (docs/decisions/writes-and-disk.md).
 */

/** Offsets into the document's text, in UTF-16 units. */
interface Span {
  start: number | null;
  end: number | null;
}

/** The `locator` column of a row that has the offsets in columns of their own. */
export function locatorColumn(locator: Locator, { start, end }: Span): string {
  const isSpan = locator.kind === 'text' && locator.start === start && locator.end === end;
  return isSpan ? '' : JSON.stringify(locator);
}

/** @param stored as `locatorColumn` gives it */
export function locatorOf(stored: string, { start, end }: Span): Locator {
  if (stored !== '') return JSON.parse(stored) as Locator;
  return { kind: 'text', start: start ?? 0, end: end ?? 0 };
}

/**
 * The `quote` column of an insight. Most insights are sentences of the text, which quote themselves. An empty quote, which
 * an import may have, counts as no quote.
 */
export function quoteColumn(quote: string | null, text: string): string | null {
  if (quote === '') return null;
  return quote === text ? '' : quote;
}

/** SQL: the quote of the insight `i`. */
export const quoteOfInsight = `iif(i.quote = '', i.text, i.quote)`;
