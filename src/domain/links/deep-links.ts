import type { ContentType } from '../records/content.ts';
import type { Transcript } from '../records/texts/document.ts';
import type { Locator } from '../records/texts/locator.ts';
import { shownAddress } from './shown-address.ts';
import { createTextFragments } from './text-fragment.ts';
import { deepLink } from './url.ts';

/** Types that a browser does not show as a page of text, or shows with other text than the stored one. */
const withoutTextPlaces: ReadonlySet<ContentType> = new Set(['youtube', 'pdf', 'ebook', 'document', 'image']);

/** Whether a link can lead to a place in the text of an item of this type. */
export function hasTextPlaces(contentType: ContentType): boolean {
  return !withoutTextPlaces.has(contentType);
}

/**
 * Creates the function that makes links to the locators of one item. A note and an uploaded file have none.
 * @param transcript null when the text is not loaded: text locators then get the item's plain address
 */
export function createDeepLinks(
  { url, contentType }: { url: string | null; contentType: ContentType },
  transcript: Transcript | null,
): (locator: Locator) => string | null {
  if (url === null || shownAddress(url) === null) return () => null;
  const fragmentOf = transcript === null || !hasTextPlaces(contentType) ? null : createTextFragments(transcript);
  return (locator) =>
    deepLink(url, locator, locator.kind === 'text' ? (fragmentOf?.(locator.start, locator.end) ?? null) : null);
}
