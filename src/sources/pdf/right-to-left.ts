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
const shortestRun = 5;
/** Glyphs among which those of an item are looked for, where some before it were left out of the text. */
const farthest = 500;

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

export function withLetters(text: string): string {
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
    const others = texts.filter((text) => text.length < shortestRun);
    const isRun = (text: string): boolean =>
      text.length >= shortestRun &&
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
  let at = 0;
  return items.map((item) => {
    const wanted = solid(item.str);
    if (wanted === '') return item;
    const from = findGlyphs(glyphs, at, wanted);
    if (from === null) return item;
    let to = from;
    for (let length = 0; length < wanted.length; to += 1) length += solid(glyphs[to]?.text ?? '').length;
    at = to;
    const own = glyphs.slice(from, to);
    if (own.some(({ isFiller }) => isFiller)) {
      return { ...item, str: own.flatMap(({ text, isFiller }) => (isFiller ? [] : [text])).join(' ') };
    }
    return item.dir === 'rtl' ? { ...item, str: turnLigatures(item.str, own) } : item;
  });
}

/** Where the glyphs of an item begin: those that have its characters, in whatever order. */
function findGlyphs(glyphs: readonly Glyph[], at: number, wanted: string): number | null {
  const sorted = [...wanted].toSorted().join('');
  for (let from = at; from < Math.min(glyphs.length, at + farthest); from += 1) {
    let found = '';
    for (let i = from; i < glyphs.length && found.length < wanted.length; i += 1) found += solid(glyphs[i]?.text ?? '');
    if (found.length === wanted.length && [...found].toSorted().join('') === sorted) return from;
  }
  return null;
}

/** Turns each ligature that was turned wrongly; letters that stand like it by themselves are left. */
function turnLigatures(text: string, glyphs: readonly Glyph[]): string {
  const ligatures = new Set(glyphs.flatMap(({ text: one }) => (one.length > 1 && rightToLeft.test(one) ? [one] : [])));
  let mended = text;
  for (const ligature of ligatures) {
    const turned = [...ligature].toReversed().join('');
    // From right to left, as the text is read: at each place where these letters follow each other, whether one glyph has them.
    const places: boolean[] = [];
    let letters = '';
    for (const { text: one } of glyphs.toReversed()) {
      const isOne = one === ligature;
      letters = (letters + (isOne ? turned : [...solid(one)].toReversed().join(''))).slice(-200);
      if (letters.endsWith(turned)) places.push(isOne);
    }
    const parts = mended.split(new RegExp([...turned].map(escaped).join(String.raw`\s?`), 'u'));
    if (parts.length !== places.length + 1) continue;
    mended = parts.reduce((before, part, i) => before + (places[i - 1] === true ? ligature : turned) + part);
  }
  return mended;
}

function escaped(letter: string): string {
  return letter.replace(/[$()*+.?[\\\]^{|}]/, String.raw`\$&`);
}
