import { createDeepLinks } from '../../links/deep-links.ts';
import { createHighlightFinder } from '../../text/highlight-places.ts';
import type { AnalysedItem } from '../analysis.ts';
import { locatorAt, type Transcript } from '../document.ts';
import type { Locator } from '../locator.ts';

/** Where the words of a highlight stand in the text of its item. */
export interface FoundPlace {
  start: number;
  end: number;
  locator: Locator;
  url: string | null;
}

/** The places of quotes in the text of an item; null for a quote that the text does not have. */
export function placeQuotes(
  quotes: readonly string[],
  transcript: Transcript,
  item: AnalysedItem,
): (FoundPlace | null)[] {
  const find = createHighlightFinder(transcript.text);
  const linkTo = createDeepLinks(item, transcript);
  return quotes.map((quote) => {
    const span = find(quote);
    if (span === null) return null;
    const locator = locatorAt(transcript, span.start, span.end);
    return { ...span, locator, url: linkTo(locator) };
  });
}

/** `placeQuotes` on another thread than the caller's; accounts take turns. */
export type PlaceQuotes = (
  ...parts: [...Parameters<typeof placeQuotes>, signal: AbortSignal, accountId?: string]
) => Promise<(FoundPlace | null)[]>;
