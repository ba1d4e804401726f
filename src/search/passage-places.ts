import type { TextSpan } from '../domain/text/graphemes.ts';
import type { Locator } from '../domain/records/locator.ts';
import { deepLink } from '../domain/links/url.ts';
import type { AnsweringPassage } from './item-search.ts';
import type { FoundPassage, PassagePart, PassagePlace } from '../store/records/search-records.ts';

/** A part of a passage. */
export interface CitedPart {
  passage: FoundPassage & Pick<AnsweringPassage, 'place'>;
  span: TextSpan;
}

/** Where a part is, and the link that opens its source there. */
interface CitedPlace {
  locator: Locator;
  /** Null in an uploaded file and in a note. */
  url: string | null;
}

/** Finds where parts of passages are. Results are cached. */
export type PassagePlaces = ReturnType<typeof createPassagePlaces>;

/** @param locate null for a passage that is gone */
export function createPassagePlaces(locate: (parts: readonly PassagePart[]) => readonly (PassagePlace | null)[]) {
  const known = new Map<string, CitedPlace>();
  const find = (parts: readonly CitedPart[]): void => {
    const unknown = parts.filter((part) => placeAtHand(part) === null && !known.has(keyOf(part)));
    if (unknown.length === 0) return;
    const found = locate(unknown.map(({ passage: { passageId }, span }) => ({ passageId, ...span })));
    for (const [index, part] of unknown.entries()) known.set(keyOf(part), toPlace(part, found[index] ?? null));
  };
  return {
    /** Looks up all of these at once. */
    find,
    of(part: CitedPart): CitedPlace {
      const atHand = placeAtHand(part);
      if (atHand !== null) return toPlace(part, atHand);
      if (!known.has(keyOf(part))) find([part]);
      return known.get(keyOf(part)) ?? toPlace(part, null);
    },
  };
}

function keyOf({ passage: { passageId }, span: { start, end } }: CitedPart): string {
  return `${passageId} ${start} ${end}`;
}

/**
 * The place of a part, when it is known without a request: a passage of a recording or of pages holds its start, and
 * others may have got their place from the search.
 */
function placeAtHand({ passage, span }: CitedPart): PassagePlace | null {
  if (span.start > 0) return null;
  if (passage.locator.kind !== 'text') return { locator: passage.locator, fragment: null };
  return span.end === passage.text.length ? (passage.place ?? null) : null;
}

/** The address that links to places complete: that of the copy which the text is from, when the page is gone. */
export function linkedAddressOf({ itemUrl, itemCopy }: Pick<FoundPassage, 'itemUrl' | 'itemCopy'>): string | null {
  return itemCopy?.url ?? itemUrl;
}

/** @param found null: the passage is gone, and the link opens the whole item */
export function toPlace({ passage, span }: CitedPart, found: PassagePlace | null): CitedPlace {
  const locator: Locator =
    found?.locator ??
    (passage.locator.kind === 'text'
      ? { kind: 'text', start: passage.start + span.start, end: passage.start + span.end }
      : passage.locator);
  const address = linkedAddressOf(passage);
  return { locator, url: address === null ? null : deepLink(address, locator, found?.fragment ?? null) };
}
