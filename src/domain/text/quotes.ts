import type { TextSpan } from './graphemes.ts';
import { withoutTrailing } from './shortened.ts';

/*
 * Finds a quote in a text. The quote may differ from the text in details that a reader does not see: line breaks, the
 * kind of spaces, composed or decomposed letters, ligatures and full-width forms (NFKC), curly or straight quotation
 * marks, the length of a dash. No other difference is accepted. What is stored is always the slice of the text.
 */

/** Finds a quote in the text that the function was created for; null when the text does not have it. */
type FindQuote = (quote: string) => TextSpan | null;

/** Quotes with fewer visible characters match anywhere. Scripts with one or two characters per word need fewer. */
const minQuoteLength = 8;
const minDenseQuoteLength = 4;

const denseScript = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u;
const wordCharacter = /[\p{L}\p{N}]/u;

const typography: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '‚': "'",
  '‛': "'",
  '′': "'",
  ʼ: "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '‟': '"',
  '″': '"',
  '«': '"',
  '»': '"',
  '‐': '-',
  '‑': '-',
  '‒': '-',
  '–': '-',
  '—': '-',
  '―': '-',
  '−': '-',
};

/**
 * A cluster: characters that must be normalized together, because the normal form of some depends on those before.
 * A run of ASCII with single spaces is one match, for speed: each of its characters is its own normal form, unless a
 * mark follows. The length of a cluster is bounded: matching one of millions of characters overflows the stack.
 */
const cluster =
  /(?:[!-~]{1,50} ){0,20}[!-~]{1,500}(?!\p{M})|\s{1,500}|[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]{1,500}|[\p{Default_Ignorable_Code_Point}--[\u1100-\u11ff]]{1,500}|\P{M}\p{M}{0,500}|\p{M}{1,500}/gv;

interface Folded {
  text: string;
  /** For each UTF-16 unit of `text`: start and end, in the original, of the cluster that it comes from. */
  starts: Uint32Array;
  ends: Uint32Array;
}

function foldCluster(original: string): string {
  if (/^\s/u.test(original)) return ' ';
  if (/^\p{Default_Ignorable_Code_Point}+$/u.test(original)) return '';
  return original
    .normalize('NFKC')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/[‘’‚‛′ʼ“”„‟″«»‐‑‒–—―−]/g, (mark) => typography[mark] ?? mark);
}

/** Entries in the cache of folded clusters. A text has few distinct clusters, and normalizing is the main cost. */
const maxKnown = 10_000;
/** Strings collected before they are joined. */
const maxParts = 10_000;

/** Builds a `Folded` in typed arrays that double in size: plain arrays of that length take ten times the memory. */
class FoldedText {
  #text = '';
  #parts: string[] = [];
  #length = 0;
  #starts: Uint32Array<ArrayBuffer>;
  #ends: Uint32Array<ArrayBuffer>;

  constructor(expectedLength: number) {
    this.#starts = new Uint32Array(expectedLength + 64);
    this.#ends = new Uint32Array(expectedLength + 64);
  }

  /** Adds the folded form of `start`–`end` of the original. Each unit maps to its own unit, or to the whole range. */
  add(folded: string, start: number, end: number, isUnitForUnit: boolean): void {
    this.#makeRoom(folded.length);
    for (let unit = 0; unit < folded.length; unit++) {
      this.#starts[this.#length + unit] = isUnitForUnit ? start + unit : start;
      this.#ends[this.#length + unit] = isUnitForUnit ? start + unit + 1 : end;
    }
    this.#length += folded.length;
    this.#parts.push(folded);
    if (this.#parts.length === maxParts) this.#join();
  }

  finish(): Folded {
    this.#join();
    const { length } = this.#text;
    return { text: this.#text, starts: this.#starts.subarray(0, length), ends: this.#ends.subarray(0, length) };
  }

  #join(): void {
    this.#text += this.#parts.join('');
    this.#parts = [];
  }

  #makeRoom(more: number): void {
    if (this.#length + more <= this.#starts.length) return;
    const size = 2 * this.#starts.length + more;
    const [starts, ends] = [new Uint32Array(size), new Uint32Array(size)];
    starts.set(this.#starts);
    ends.set(this.#ends);
    [this.#starts, this.#ends] = [starts, ends];
  }
}

function fold(original: string): Folded {
  const result = new FoldedText(original.length);
  const known = new Map<string, string>();
  let lastIsSpace = false;
  for (const { 0: found, index } of original.matchAll(cluster)) {
    if (/^[!-~]/.test(found) && !/\P{ASCII}$/u.test(found)) {
      result.add(found, index, index + found.length, true);
      lastIsSpace = false;
      continue;
    }
    let folded = known.get(found) ?? foldCluster(found);
    if (known.size < maxKnown) known.set(found, folded);
    if (lastIsSpace && folded.startsWith(' ')) folded = folded.slice(1);
    if (folded === '') continue;
    result.add(folded, index, index + found.length, false);
    lastIsSpace = folded.endsWith(' ');
  }
  return result.finish();
}

/** The quote itself, then without quotation marks and brackets around it, then also without an ellipsis at its ends. */
function spellings(quote: string): string[] {
  const bare = quote.trim();
  const unquoted = withoutTrailing(bare.replace(/^["'([]+\s*/, ''), `"')]`).trimEnd();
  const uncut = withoutDots(unquoted.replace(/^(?:\.\.\.|…)\s*/, ''));
  return [...new Set([bare, unquoted, uncut])];
}

function withoutDots(quote: string): string {
  const dots = ['...', '…'].find((one) => quote.endsWith(one));
  return dots === undefined ? quote : quote.slice(0, -dots.length).trimEnd();
}

function isLongEnough(quote: string): boolean {
  const visible = quote.replaceAll(/\s/g, '');
  return visible.length >= (denseScript.test(visible) ? minDenseQuoteLength : minQuoteLength);
}

/** Whether the span begins or ends inside a word. Such a match is refused: the fragment may be part of many words. */
function cutsWords(text: string, start: number, end: number): boolean {
  const joined = (at: number): boolean => {
    const [before, after] = [text.charAt(at - 1), text.charAt(at)];
    return wordCharacter.test(before) && wordCharacter.test(after) && !denseScript.test(before + after);
  };
  return joined(start) || joined(end);
}

/** Give up after this many occurrences that all cut a word. */
const maxPlaces = 1_000;

function findIn({ text, starts, ends }: Folded, quote: string): TextSpan | null {
  let at = text.indexOf(quote);
  for (let place = 0; at !== -1 && place < maxPlaces; place += 1, at = text.indexOf(quote, at + 1)) {
    const last = at + quote.length;
    const [start, end] = [starts[at], ends[last - 1]];
    // The match must not split a cluster: a quote that ends with `f` does not match the first half of `ﬁ`.
    const isWhole = (at === 0 || starts[at - 1] !== start) && (last === text.length || ends[last] !== end);
    if (start !== undefined && end !== undefined && isWhole && !cutsWords(text, at, last)) return { start, end };
  }
  return null;
}

/**
 * Creates the finder for a text. The text is folded once, at the first quote without an exact match. For each returned
 * span, `text.slice(start, end)` is well-formed and has at least 8 visible characters (4 in scripts with one or two
 * characters per word).
 */
export function createQuoteFinder(text: string): FindQuote {
  let folded: Folded | undefined;
  return (quote) => {
    const exact = quote.trim();
    if (!isLongEnough(exact) || !exact.isWellFormed()) return null;
    const at = text.indexOf(exact);
    if (at !== -1 && !cutsWords(text, at, at + exact.length)) return { start: at, end: at + exact.length };
    folded ??= fold(text);
    for (const spelling of spellings(fold(exact).text)) {
      const found = isLongEnough(spelling) ? findIn(folded, spelling) : null;
      if (found !== null) return found;
    }
    return null;
  };
}
