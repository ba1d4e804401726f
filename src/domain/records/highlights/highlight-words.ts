import { createDeepLinks } from '../../links/deep-links.ts';
import { createHighlightFinder } from '../../text/highlight-places.ts';
import type { AnalysedItem } from '../analyses/analysis.ts';
import { locatorAt, type Transcript } from '../texts/document.ts';
import type { Locator } from '../texts/locator.ts';

/*
 * Each passage is given the words that its highlights add to it: the notes, and the quotes of highlights that are not in
 * the text, which go to the first passage.
 */

/** Of one note or quote, and of one passage, so much is found by a search, in UTF-16 units. */
const maxMark = 2_000;
const maxMarks = 12_000;

interface PassageStart {
  id: number;
  start: number;
}

/**
 * The marks of each passage that has any.
 * @param highlights in the order of the text; `start` is null for one that is not in it
 * @param passages of the item, in the order of the text
 */
export function marksOfPassages(
  highlights: readonly { start: number | null; quote: string; note: string | null }[],
  passages: readonly PassageStart[],
): Map<number, string[]> {
  const wanted = new Map<number, string[]>();
  for (const { start, quote, note } of highlights) {
    const words = [start === null ? quote : null, note].filter((text) => text !== null);
    if (words.length === 0) continue;
    const passage = passageAt(passages, start ?? 0);
    if (passage === undefined) continue;
    const marks = wanted.get(passage) ?? [];
    wanted.set(passage, marks);
    let room = maxMarks - marks.reduce((sum, mark) => sum + mark.length, 0);
    for (const text of words) {
      if (room <= 0) break;
      const mark = text.slice(0, Math.min(maxMark, room)).toWellFormed();
      marks.push(mark);
      room -= mark.length;
    }
  }
  return wanted;
}

/** The last passage that begins at or before a place; the first one for a place before all of them. */
function passageAt(passages: readonly PassageStart[], at: number): number | undefined {
  let [low, high] = [0, passages.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((passages[middle]?.start ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return passages[Math.max(0, low - 1)]?.id;
}

/** The location of a highlight's words in the text of its item. */
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
