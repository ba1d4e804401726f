import { hasTextPlaces } from '../domain/links/deep-links.ts';
import { locatorAt, type Transcript } from '../domain/records/texts/document.ts';
import { createTextFragments } from '../domain/links/text-fragment.ts';
import type { IndexReader, PassageOrigin } from '../store/index-reader.ts';
import type { FoundPassage, PassagePart, PassagePlace } from '../store/records/search-records.ts';

/** A document's text, and a function that makes links into it. */
interface KeptText {
  transcript: Transcript;
  fragmentOf: (start: number, end: number) => string | null;
}

/** Characters of text to cache: an answer asks repeatedly for places in the same texts until all of it fits. */
const maxKeptCharacters = 400_000;

/** The place of a whole passage, when its source does not have to be read for it; otherwise null. */
export function placeOfWhole(
  passage: Pick<FoundPassage, 'start' | 'end' | 'locator' | 'itemContentType'>,
  fragment: string | null | undefined,
): PassagePlace | null {
  const { locator, start, end, itemContentType } = passage;
  if (locator.kind !== 'text') return { locator, fragment: null };
  const known = itemContentType !== null && hasTextPlaces(itemContentType) ? fragment : null;
  return known === undefined ? null : { locator: { kind: 'text', start, end }, fragment: known };
}

/**
 * Locates parts of passages in their sources. Caches the most recently used texts: making a link into a cached text
 * takes a fraction of the time of reading it.
 */
export class Citations {
  readonly #texts = new Map<string, KeptText>();
  #characters = 0;

  /** See `Searches.locate`. */
  locate(index: IndexReader, parts: readonly PassagePart[]): (PassagePlace | null)[] {
    const origins = index.readOrigins([...new Set(parts.map(({ passageId }) => passageId))]);
    const byId = new Map(origins.map((origin) => [origin.passageId, origin]));
    const places: (PassagePlace | null)[] = [];
    for (const part of parts) {
      const origin = byId.get(part.passageId);
      places.push(origin === undefined ? null : this.#place(index, origin, part));
    }
    return places;
  }

  #place(index: IndexReader, origin: PassageOrigin, part: PassagePart): PassagePlace {
    const whole = origin.locator;
    const [start, end] = [origin.start + part.start, Math.min(origin.end, origin.start + part.end)];
    if (whole.kind === 'text') {
      const fragment = this.#fragment(index, origin, start, end);
      return { locator: { kind: 'text', start, end }, fragment };
    }
    if (part.start === 0) return { locator: whole, fragment: null };
    const { transcript } = this.#text(index, origin.sourceKey);
    const visible = start + transcript.text.slice(start, end).search(/\S|$/);
    return { locator: locatorAt(transcript, visible, end), fragment: null };
  }

  #fragment(index: IndexReader, whole: PassageOrigin, start: number, end: number): string | null {
    if (!hasTextPlaces(whole.contentType)) return null;
    if (whole.fragment !== undefined && start === whole.start && end === whole.end) return whole.fragment;
    return this.#text(index, whole.sourceKey).fragmentOf(start, end);
  }

  #text(index: IndexReader, key: string): KeptText {
    let kept = this.#texts.get(key);
    if (kept === undefined) {
      const transcript = index.readSource(key);
      kept = { transcript, fragmentOf: createTextFragments(transcript) };
    }
    this.#characters -= this.#texts.get(key)?.transcript.text.length ?? 0;
    // Stored again, so that it counts as the most recently used.
    this.#texts.delete(key);
    this.#texts.set(key, kept);
    this.#characters += kept.transcript.text.length;
    for (const [oldest, { transcript }] of this.#texts) {
      if (this.#characters <= maxKeptCharacters || this.#texts.size === 1) break;
      this.#texts.delete(oldest);
      this.#characters -= transcript.text.length;
    }
    return kept;
  }
}
