import type { ContentType } from '../records/content.ts';
import type { Transcript } from '../records/document.ts';
import type { Locator } from '../records/locator.ts';
import { createTextFragments } from './text-fragment.ts';
import { deepLink } from './url.ts';

/** What is no page that a browser shows as text, or not with the text that was kept. */
const withoutTextPlaces: ReadonlySet<ContentType> = new Set(['youtube', 'pdf', 'ebook', 'document', 'image']);

/** Whether a link can lead to a place in the text of an item of this type. */
export function hasTextPlaces(contentType: ContentType): boolean {
  return !withoutTextPlaces.has(contentType);
}

/**
 * Makes the links that open one item at its places.
 * @param transcript null when its text is not at hand: then places in the text have no link of their own
 */
export function createDeepLinks(
  { url, contentType }: { url: string; contentType: ContentType },
  transcript: Transcript | null,
): (locator: Locator) => string {
  const fragmentOf = transcript === null || !hasTextPlaces(contentType) ? null : createTextFragments(transcript);
  return (locator) =>
    deepLink(url, locator, locator.kind === 'text' ? (fragmentOf?.(locator.start, locator.end) ?? null) : null);
}
