import { walkTerms } from './leaf.ts';
import { UnsupportedIndexFormat } from './unsupported-index-format.ts';
import type { Pages } from './pages.ts';
import type { IndexSegment } from './structure.ts';
import { compareBeginning, termOf } from './term.ts';

/** Characters of words that are cached for each file; for each prefix, so many more are counted. */
const maxLetters = 4_000_000;
const lettersOfPrefix = 100;
const space = 0x20;

const utf8Decoder = new TextDecoder();

/**
 * The words with a prefix, one string per segment: it takes a fifth of the memory of a list. Cached like pages, also
 * when somebody writes.
 */
export class PrefixIndex {
  readonly #pages: Pages;
  readonly #kept = new Map<string, Map<string, string>>();
  #letters = 0;
  #bytes = new Uint8Array(4_096);

  constructor(pages: Pages) {
    this.#pages = pages;
  }

  /** Forgets the words of segments that no longer exist or may have changed. Call whenever the structure was read. */
  keepOnly(segments: readonly IndexSegment[]): void {
    const identities = new Set(segments.map(({ identity }) => identity));
    for (const [key, texts] of this.#kept) {
      if (identities.has(key)) continue;
      for (const text of texts.values()) this.#letters -= text.length + lettersOfPrefix;
      this.#kept.delete(key);
    }
  }

  /**
   * The words in order, separated by spaces.
   * @throws {UnsupportedIndexFormat} when more than `maxTerms` words have the prefix
   */
  of(segment: IndexSegment, beginning: string, maxTerms: number): string {
    const key = segment.identity ?? `changing ${segment.id}`;
    const known = this.#kept.get(key)?.get(beginning);
    if (known !== undefined) return known;
    const text = this.#read(segment, termOf(beginning), maxTerms);
    if (this.#letters + text.length + lettersOfPrefix > maxLetters) {
      this.#kept.clear();
      this.#letters = 0;
    }
    const texts = this.#kept.get(key) ?? new Map<string, string>();
    this.#kept.set(key, texts.set(beginning, text));
    this.#letters += text.length + lettersOfPrefix;
    return text;
  }

  #read(segment: IndexSegment, beginning: Uint8Array, maxTerms: number): string {
    let [length, count] = [0, 0];
    const visit = (term: Uint8Array, termLength: number): boolean => {
      const order = compareBeginning(term, termLength, beginning);
      if (order !== 0) return order < 0;
      count += 1;
      if (count > maxTerms) throw new UnsupportedIndexFormat('too many words that begin so');
      if (length + termLength > this.#bytes.length) this.#widen(length + termLength);
      // Drop the leading type byte and append a space.
      for (let at = 1; at < termLength; at += 1) this.#bytes[length + at - 1] = term[at] ?? 0;
      length += termLength;
      this.#bytes[length - 1] = space;
      return true;
    };
    for (let page = this.#pages.find(segment, beginning); page <= segment.lastPage; page += 1) {
      if (!walkTerms(this.#pages.read(segment, page), visit)) break;
    }
    return utf8Decoder.decode(this.#bytes.subarray(0, Math.max(0, length - 1)));
  }

  #widen(least: number): void {
    const wider = new Uint8Array(2 * least);
    wider.set(this.#bytes);
    this.#bytes = wider;
  }
}
