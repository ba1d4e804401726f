import type { TextSpan } from './graphemes.ts';
import { createQuoteFinder } from './quotes.ts';
import { hiddenSpans } from './readable-text.ts';

/*
 * Finds marked words in a text. The quote comes from another program, which read the page in its own way: so the exact words are
 * tried first, then the visible text (`quotes.ts`), then only the words, without the marks and addresses of Markdown. Words are
 * never left out, added or changed.
 */

/** Minimum words to match a highlight by words alone: a single word occurs in many places. */
const minWords = 3;
/** Words of more characters are cut into several. */
const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]{0,199}/gu;

/** Creates the finder for a text. The text is prepared when the first highlight needs it. */
export function createHighlightFinder(text: string): (quote: string) => TextSpan | null {
  const findQuote = createQuoteFinder(text);
  let words: Words | undefined;
  return (given) => {
    const quote = given.trim();
    if (quote === '' || !quote.isWellFormed()) return null;
    const exact = findWhole(text, quote);
    if (exact !== null) return exact;
    const seen = findQuote(quote);
    if (seen !== null) return seen;
    words ??= wordsOf(text, hiddenSpans(text));
    return findWords(words, quote);
  };
}

const wordCharacter = /[\p{L}\p{N}]/u;
/** Give up after this many places that are part of longer words. */
const maxPlaces = 1_000;

/** The first place that does not cut a word; else the first place. */
function findWhole(text: string, quote: string): TextSpan | null {
  const first = text.indexOf(quote);
  if (first === -1) return null;
  for (let at = first, tries = 0; at !== -1 && tries < maxPlaces; at = text.indexOf(quote, at + 1), tries += 1) {
    const end = at + quote.length;
    const cuts = (place: number): boolean =>
      wordCharacter.test(text.charAt(place - 1)) && wordCharacter.test(text.charAt(place));
    if (!cuts(at) && !cuts(end)) return { start: at, end };
  }
  // Some people mark a part of a word; a long quote may have been cut by the other program.
  return quote.length >= 20 ? { start: first, end: first + quote.length } : null;
}

interface Words {
  /** The words in their folded form, each between two spaces. */
  text: string;
  /** For each word: where it begins in `text`, and its span in the original. */
  places: Uint32Array;
  starts: Uint32Array;
  ends: Uint32Array;
}

const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

/** The words of a text, without those in hidden spans. */
function wordsOf(text: string, hidden: readonly TextSpan[]): Words {
  let room = 1_024;
  let [places, starts, ends] = [new Uint32Array(room), new Uint32Array(room), new Uint32Array(room)];
  const parts: string[] = [' '];
  let [count, length, next] = [0, 1, 0];
  for (const { 0: found, index } of text.matchAll(word)) {
    const end = index + found.length;
    while ((hidden[next]?.end ?? Infinity) <= index) next += 1;
    if ((hidden[next]?.start ?? Infinity) <= index) continue;
    if (count === room) {
      room *= 2;
      [places, starts, ends] = [grown(places, room), grown(starts, room), grown(ends, room)];
    }
    const folded = fold(found);
    places[count] = length;
    starts[count] = index;
    ends[count] = end;
    count += 1;
    parts.push(folded, ' ');
    length += folded.length + 1;
  }
  const cut = (list: Uint32Array): Uint32Array => list.subarray(0, count);
  return { text: parts.join(''), places: cut(places), starts: cut(starts), ends: cut(ends) };
}

function grown(list: Uint32Array, room: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(room);
  larger.set(list);
  return larger;
}

function findWords({ text, places, starts, ends }: Words, quote: string): TextSpan | null {
  const wanted = wordsOf(quote, hiddenSpans(quote));
  if (wanted.places.length < minWords) return null;
  const at = text.indexOf(wanted.text);
  if (at === -1) return null;
  const first = lowerBound(places, at + 1);
  const last = first + wanted.places.length - 1;
  const [start, end] = [starts[first], ends[last]];
  return start === undefined || end === undefined ? null : { start, end };
}

/** The index of the first value that is not less than `value`. */
function lowerBound(sorted: Uint32Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
