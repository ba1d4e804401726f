import type { ContentType } from '../domain/records/content.ts';
import { hasTextPlaces } from '../domain/links/deep-links.ts';
import type { Transcript } from '../domain/records/document.ts';
import type { Passage } from '../domain/records/passage.ts';
import { createTextFragments } from '../domain/links/text-fragment.ts';

/** In a longer text there are many passages, and each of them is looked for in all that stands before it. */
const maxLinkedLength = 400_000;

/** Passages with what their links say: every search would have to find it out anew, and reads the page for it. */
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
