import type { TextSpan } from './graphemes.ts';

/*
 * Whether a quote stands in a text, and where. Who copies a sentence may change what no reader sees: line breaks, the kind
 * of spaces, composed or decomposed letters, ligatures and full-width forms (NFKC), curly or straight quotation marks,
 * the length of a dash. Nothing else is forgiven. What is kept is always the text's own slice.
 */

/** Finds a quote in the text it was made for; null when it does not stand there. */
type FindQuote = (quote: string) => TextSpan | null;

/** A quote of fewer visible characters can be found anywhere; scripts that write a word in one or two need fewer. */
const shortestQuote = 8;
const shortestDenseQuote = 4;

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
 * spaces is taken at once, for speed: each of its characters is its own normal form, unless a mark follows.
 */
const cluster =
  /(?:[!-~]+ )*[!-~]+(?!\p{M})|\s+|[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]+|[\p{Default_Ignorable_Code_Point}--[\u1100-\u11ff]]+|\P{M}\p{M}*|\p{M}+/gv;

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

function fold(original: string): Folded {
  const parts: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let lastIsSpace = false;
  for (const { 0: found, index } of original.matchAll(cluster)) {
    if (/^[!-~]/.test(found) && !/\P{ASCII}$/u.test(found)) {
      parts.push(found);
      lastIsSpace = false;
      for (let unit = index; unit < index + found.length; unit++) {
        starts.push(unit);
        ends.push(unit + 1);
      }
      continue;
    }
    let folded = foldCluster(found);
    if (lastIsSpace && folded.startsWith(' ')) folded = folded.slice(1);
    if (folded === '') continue;
    parts.push(folded);
    lastIsSpace = folded.endsWith(' ');
    for (let unit = 0; unit < folded.length; unit++) {
      starts.push(index);
      ends.push(index + found.length);
    }
  }
  return { text: parts.join(''), starts: Uint32Array.from(starts), ends: Uint32Array.from(ends) };
}

/** The quote, then without the marks that a quotation is put into, then without the dots of one that was cut short. */
function spellings(quote: string): string[] {
  const bare = quote.trim();
  const unquoted = bare.replace(/^["'([]+\s*/, '').replace(/\s*["')\]]+$/, '');
  const uncut = unquoted.replace(/^(?:\.\.\.|…)\s*/, '').replace(/\s*(?:\.\.\.|…)$/, '');
  return [...new Set([bare, unquoted, uncut])];
}

function isLongEnough(quote: string): boolean {
  const visible = quote.replaceAll(/\s/g, '');
  return visible.length >= (denseScript.test(visible) ? shortestDenseQuote : shortestQuote);
}

/** Half a word is no quote: it could be a part of many. */
function cutsWords(text: string, start: number, end: number): boolean {
  const joined = (at: number): boolean => {
    const [before, after] = [text.charAt(at - 1), text.charAt(at)];
    return wordCharacter.test(before) && wordCharacter.test(after) && !denseScript.test(before + after);
  };
  return joined(start) || joined(end);
}

function findIn({ text, starts, ends }: Folded, quote: string): TextSpan | null {
  for (let at = text.indexOf(quote); at !== -1; at = text.indexOf(quote, at + 1)) {
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
