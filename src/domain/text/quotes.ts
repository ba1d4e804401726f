import type { TextSpan } from './graphemes.ts';
import { withoutTrailing } from './trailing.ts';

/*
 * Whether a quote stands in a text, and where. Who copies a sentence may change what no reader sees: line breaks, the kind
 * of spaces, composed or decomposed letters, ligatures and full-width forms (NFKC), curly or straight quotation marks,
 * the length of a dash. Nothing else is forgiven. What is kept is always the text's own slice.
 */

/** Finds a quote in the text it was made for; null when it does not stand there. */
type FindQuote = (quote: string) => TextSpan | null;

/** A quote of fewer visible characters can be found anywhere; scripts that write a word in one or two need fewer. */
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
 * Characters whose normal form depends on what stands before them, together with that. A run of ASCII with single
 * spaces is taken at once, for speed: each of its characters is its own normal form, unless a mark follows. A cluster has a
 * longest form: matching one of millions of characters overflows the stack.
 */
const cluster =
  /(?:[!-~]{1,50} ){0,20}[!-~]{1,500}(?!\p{M})|\s{1,500}|[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]{1,500}|[\p{Default_Ignorable_Code_Point}--[\u1100-\u11ff]]{1,500}|\P{M}\p{M}{0,500}|\p{M}{1,500}/gv;

interface Folded {
  text: string;
  /** For each unit of `text`: where the cluster that it is from begins and ends in the original. */
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

/** Clusters whose folded form is remembered: a text has few different ones, and normalizing each anew takes most of the time. */
const maxKnown = 10_000;
/** Strings that wait to be joined. */
const maxParts = 10_000;

/** What is folded so far, in memory that grows in few steps: lists of millions of numbers and words would take ten times as much. */
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

  /** Adds what stands for `start`–`end` of the original: for all of it, or unit for unit. */
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

/** The quote, then without the marks that a quotation is put into, then without the dots of one that was cut short. */
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

/** Half a word is no quote: it could be a part of many. */
function cutsWords(text: string, start: number, end: number): boolean {
  const joined = (at: number): boolean => {
    const [before, after] = [text.charAt(at - 1), text.charAt(at)];
    return wordCharacter.test(before) && wordCharacter.test(after) && !denseScript.test(before + after);
  };
  return joined(start) || joined(end);
}

/** A quote that stands at more places than this, and cuts a word at each of them, is none. */
const maxPlaces = 1_000;

function findIn({ text, starts, ends }: Folded, quote: string): TextSpan | null {
  let at = text.indexOf(quote);
  for (let place = 0; at !== -1 && place < maxPlaces; place += 1, at = text.indexOf(quote, at + 1)) {
    const last = at + quote.length;
    const [start, end] = [starts[at], ends[last - 1]];
    // A cluster stands in the quote whole or not at all: `ﬁ` is no place for a quote that ends with `f`.
    const isWhole = (at === 0 || starts[at - 1] !== start) && (last === text.length || ends[last] !== end);
    if (start !== undefined && end !== undefined && isWhole && !cutsWords(text, at, last)) return { start, end };
  }
  return null;
}

/**
 * Makes the finder for a text. The text is folded once, at the first quote that does not stand in it letter by letter.
 * `text.slice(start, end)` of a span that it gives is well-formed and has at least 8 visible characters (4 where a word is
 * written with one or two).
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
