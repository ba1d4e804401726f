import type { ContentType } from '../../domain/records/content.ts';
import { hasTextPlaces } from '../../domain/links/deep-links.ts';
import type { Transcript } from '../../domain/records/document.ts';
import type { Passage } from '../../domain/records/passage.ts';
import { createTextFragments } from '../../domain/links/text-fragment.ts';

/**
 * Passages of longer texts get no text fragment: there are many, and each is searched for in all the text before it.
 */
const maxLinkedLength = 400_000;

/**
 * Adds the text fragment of its link to each passage. Otherwise every search would have to read the page to compute it.
 */
export function linkPassages(
  passages: readonly Passage[],
  { transcript, contentType }: { transcript: Transcript; contentType: ContentType },
): Passage[] {
  if (!hasTextPlaces(contentType) || transcript.text.length > maxLinkedLength) return [...passages];
  const fragmentOf = createTextFragments(transcript);
  return passages.map((passage) =>
    passage.locator.kind === 'text' ? { ...passage, fragment: fragmentOf(passage.start, passage.end) } : passage,
  );
}
