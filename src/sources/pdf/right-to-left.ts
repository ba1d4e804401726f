import type { PDFPageProxy } from 'pdfjs-dist';
import type { TextItem } from './segments.ts';

/*
 * pdf.js takes the characters of a page as they stand from left to right and turns those of right-to-left scripts around. A glyph that
 * stands for several letters (lam with alef; in some programs' files a whole run of words) has them in their own order already, and
 * comes out turned wrongly. Which glyphs those are only the page's drawing operators tell.
 */

/** Letters of Hebrew, Arabic, Syriac, Thaana, N'Ko and their presentation forms. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
/** Forms of letters by their place in a word, ligatures, wide spaces, signs that are letters: the text has the letters. */
const forms = /[\u00a0\u00b5\u2000-\u200a\u202f\u2126\ufb00-\ufb04\ufb06-\ufdfc\ufe70-\ufefc]+/g;

/** A run of at least so many characters in one glyph is no ligature. */
const minRunLength = 5;
/** Glyphs among which those of an item are looked for, where some before it were left out of the text. */
const farthest = 500;
/** Ligatures of one item that are turned, and letters of one: the longest of Unicode has 18. */
const maxLigatures = 50;
const maxLigatureLetters = 40;

interface Glyph {
  text: string;
  /** Beside a glyph that holds the whole run: its code is a number, no letter. */
  isFiller: boolean;
}

/** The items of a page in the order of their letters, in letters instead of their forms. */
export async function mendRightToLeft(page: PDFPageProxy, items: readonly TextItem[]): Promise<TextItem[]> {
  const mended = items.some(({ str }) => rightToLeft.test(str)) ? withRuns(items, await readGlyphs(page)) : items;
  return mended.map((item) => ({ ...item, str: withLetters(item.str) }));
}

function withLetters(text: string): string {
  return text.replaceAll(forms, (found) => found.normalize('NFKC')).replaceAll('ﬅ', 'st');
}

/** The glyphs that the page draws, by the operators that draw them. */
async function readGlyphs(page: PDFPageProxy): Promise<Glyph[]> {
  const { OPS } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const { fnArray, argsArray } = await page.getOperatorList();
  const glyphs: Glyph[] = [];
  for (const [i, operator] of fnArray.entries()) {
    if (operator !== OPS.showText && operator !== OPS.showSpacedText) continue;
    const drawn = (argsArray as unknown[][])[i]?.[0];
    const texts = (Array.isArray(drawn) ? drawn : []).flatMap((one: { unicode?: unknown } | number | null) =>
      typeof one === 'object' && typeof one?.unicode === 'string' ? [one.unicode] : [],
    );
    const others = texts.filter((text) => text.length < minRunLength);
    const isRun = (text: string): boolean =>
      text.length >= minRunLength &&
      text.length > others.length / 2 &&
      rightToLeft.test(text) &&
      others.filter((other) => rightToLeft.test(other)).length <= others.length / 2;
    const hasRun = texts.some(isRun);
    for (const text of texts) glyphs.push({ text, isFiller: hasRun && !isRun(text) });
  }
  return glyphs.filter(({ text }) => solid(text) !== '');
}

/** As pdf.js has it in its items: without white space, and `<` and `>`, which it drops where it turns text around. */
function solid(text: string): string {
  return text.replaceAll(/[\s<>\p{Cf}]+/gu, '');
}

function withRuns(items: readonly TextItem[], glyphs: readonly Glyph[]): TextItem[] {
  const texts = glyphs.map(({ text }) => solid(text));
  const places = new GlyphPlaces(texts);
  let at = 0;
  return items.map((item) => {
    const wanted = solid(item.str);
    if (wanted === '') return item;
    const found = places.find(at, wanted);
    if (found === null) return item;
    at = found.to;
    const own = glyphs.slice(found.from, found.to);
    if (own.some(({ isFiller }) => isFiller)) {
      return { ...item, str: own.flatMap(({ text, isFiller }) => (isFiller ? [] : [text])).join(' ') };
    }
    return item.dir === 'rtl' ? { ...item, str: turnLigatures(item.str, own) } : item;
  });
}

/** Finds glyphs by their characters, in whatever order those are. */
class GlyphPlaces {
  readonly #texts: readonly string[];
  /** Of the glyphs before each: characters, and the sum of their codes, so that most places are passed over by two subtractions. */
  readonly #lengths = [0];
  readonly #sums = [0];
  readonly #startOf = new Map<number, number>([[0, 0]]);

  constructor(texts: readonly string[]) {
    this.#texts = texts;
    for (const [i, text] of texts.entries()) {
      const length = (this.#lengths[i] ?? 0) + text.length;
      this.#lengths.push(length);
      this.#sums.push((this.#sums[i] ?? 0) + sumOf(text));
      this.#startOf.set(length, i + 1);
    }
  }

  /** The first glyphs from `at` on, not too far away, that have the characters of `wanted` and no others. */
  find(at: number, wanted: string): { from: number; to: number } | null {
    const sum = sumOf(wanted);
    let sorted: string | undefined;
    for (let from = at; from < Math.min(this.#texts.length, at + farthest); from += 1) {
      const to = this.#startOf.get((this.#lengths[from] ?? 0) + wanted.length);
      if (to === undefined || (this.#sums[to] ?? 0) - (this.#sums[from] ?? 0) !== sum) continue;
      sorted ??= [...wanted].toSorted().join('');
      if ([...this.#texts.slice(from, to).join('')].toSorted().join('') === sorted) return { from, to };
    }
    return null;
  }
}

/** The same for the same characters in any order. Squares, since the sums of different words are the same too often. */
function sumOf(text: string): number {
  let sum = 0;
  for (let i = 0; i < text.length; i += 1) sum += text.charCodeAt(i) ** 2;
  return sum;
}

/** Turns each ligature that was turned wrongly; letters that stand like it by themselves are left. */
function turnLigatures(text: string, glyphs: readonly Glyph[]): string {
  const isLigature = (one: string): boolean =>
    one.length > 1 && one.length <= maxLigatureLetters && rightToLeft.test(one);
  const ligatures = new Set(glyphs.flatMap(({ text: one }) => (isLigature(one) ? [one] : [])));
  let mended = text;
  for (const ligature of [...ligatures].slice(0, maxLigatures)) {
    const turned = [...ligature].toReversed().join('');
    // From right to left, as the text is read: at each place where these letters follow each other, whether one glyph has them.
    const places: boolean[] = [];
    let letters = '';
    for (const { text: one } of glyphs.toReversed()) {
      const isOne = one === ligature;
      letters = (letters + (isOne ? turned : [...solid(one)].toReversed().join(''))).slice(-200);
      if (letters.endsWith(turned)) places.push(isOne);
    }
    const parts = splitAt(mended, turned);
    if (parts.length !== places.length + 1) continue;
    mended = parts.reduce((before, part, i) => before + (places[i - 1] === true ? ligature : turned) + part);
  }
  return mended;
}

/** The parts of a text around these letters, between which a space may stand. */
function splitAt(text: string, letters: string): string[] {
  const [first = '', ...others] = letters;
  const endOf = (start: number): number | null => {
    let end = start + first.length;
    for (const letter of others) {
      if (!text.startsWith(letter, end) && /\s/.test(text.charAt(end))) end += 1;
      if (!text.startsWith(letter, end)) return null;
      end += letter.length;
    }
    return end;
  };
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf(first); at !== -1;) {
    const end = endOf(at);
    if (end !== null) {
      parts.push(text.slice(from, at));
      from = end;
    }
    at = text.indexOf(first, end ?? at + 1);
  }
  return [...parts, text.slice(from)];
}
