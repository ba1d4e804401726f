import type { PDFPageProxy } from 'pdfjs-dist';
import type { TextItem } from './join-runs.ts';

/*
 * pdf.js reads the characters of a line from left to right and reverses those of right-to-left scripts. A glyph for several letters
 * (lam with alef; in files of some programs a whole run of words) already has them in reading order, so they come out reversed.
 * Only the page's drawing operators show which glyphs those are.
 */

/** Letters of Hebrew, Arabic, Syriac, Thaana, N'Ko and their presentation forms. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
/** Presentation forms, ligatures, wide spaces and symbols that are letters. They are replaced by the plain letters. */
const forms = /[\u00a0\u00b5\u2000-\u200a\u202f\u2126\ufb00-\ufb04\ufb06-\ufdfc\ufe70-\ufefc]+/g;

/** A glyph with at least this many characters holds a run of text rather than a ligature. */
const minRunLength = 5;
/** How many glyphs ahead an item's glyphs are searched for, because pdf.js leaves some glyphs out of the text. */
const farthest = 500;

interface Glyph {
  text: string;
  /** It is beside one that holds the whole run, and its code is not a letter. Fillers are dropped. */
  isFiller: boolean;
  /** Its form does not join the next letter of the word, although its letter can. */
  isApart: boolean;
}

/** Corrects the order of letters in the items of a page, and replaces presentation forms by plain letters. */
export async function reorderRightToLeft(
  operators: () => ReturnType<PDFPageProxy['getOperatorList']>,
  items: readonly TextItem[],
): Promise<TextItem[]> {
  const mended = items.some(({ str }) => rightToLeft.test(str))
    ? withRuns(items, await readGlyphs(await operators()))
    : items;
  let letters = 0;
  for (const { dir, str } of items) letters += dir === 'rtl' ? str.length : -str.length;
  const isMain = letters > 0;
  return mended.map((item) => {
    const isTurned = isMain && item.dir === 'ltr' && rightToLeft.test(item.str);
    return { ...item, ...(isTurned && { dir: 'rtl' }), str: withLetters(isTurned ? fromRight(item.str) : item.str) };
  });
}

const direction = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|\p{L}/gu;

/**
 * A line that pdf.js took for one from left to right, since most of it is Latin, as it reads from right to left: its
 * words of either direction stay as they are, in the other order.
 */
function fromRight(text: string): string {
  const parts: string[] = [];
  let [start, end, isRight] = [0, 0, false];
  for (const { index, 0: letter } of text.matchAll(direction)) {
    const turns = rightToLeft.test(letter) !== isRight;
    if (end === 0 || turns) {
      if (end > 0) parts.push(text.slice(start, end));
      parts.push(text.slice(end, index));
      [start, isRight] = [index, rightToLeft.test(letter)];
    }
    end = index + letter.length;
  }
  parts.push(text.slice(start, end), text.slice(end));
  return parts.toReversed().join('');
}

function withLetters(text: string): string {
  return text.replaceAll(forms, (found) => found.normalize('NFKC')).replaceAll('ﬅ', 'st');
}

/** The glyphs that the page draws, read from its drawing operators. */
async function readGlyphs({
  fnArray,
  argsArray,
}: Awaited<ReturnType<PDFPageProxy['getOperatorList']>>): Promise<Glyph[]> {
  const { OPS } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const glyphs: (Glyph & { form: string })[] = [];
  let font = '';
  for (const [i, operator] of fnArray.entries()) {
    if (operator === OPS.setFont) font = String((argsArray as unknown[][])[i]?.[0]);
    if (operator !== OPS.showText && operator !== OPS.showSpacedText) continue;
    const drawn = (argsArray as unknown[][])[i]?.[0];
    const own = (Array.isArray(drawn) ? drawn : []).flatMap(
      (one: { unicode?: unknown; fontChar?: unknown } | number | null) => {
        if (typeof one === 'number') return one < -minSpace ? [{ text: ' ', form: '' }] : [];
        return typeof one?.unicode === 'string' ? [{ text: one.unicode, form: `${font} ${String(one.fontChar)}` }] : [];
      },
    );
    const texts = own.map(({ text }) => text);
    const others = texts.filter((text) => text.length < minRunLength);
    const isRun = (text: string): boolean =>
      text.length >= minRunLength &&
      text.length > others.length / 2 &&
      rightToLeft.test(text) &&
      others.filter((other) => rightToLeft.test(other)).length <= others.length / 2;
    const hasRun = texts.some(isRun);
    for (const one of own) glyphs.push({ ...one, isFiller: hasRun && !isRun(one.text), isApart: false });
  }
  findApart(glyphs);
  return glyphs.filter(({ text }) => solid(text) !== '');
}

/** Width of the gap that is a space between words, in thousandths of the font size. */
const minSpace = 150;
const nonJoiner = '\u200c';
/** Letters that join the one behind them. */
const joining = /^[ئبتثجحخسشصضطظعغفقكلمنهيپچڤکگہھی]$/;
/** From this share of its uses at the ends of words on, a glyph is a letter's final form. */
const minFinal = 0.15;
/** Another glyph of the letter that is used so often, and at the end of no word, shows that the font has forms. */
const minOther = 3;

/**
 * Finds the letters behind which Persian words have a non-joiner. The sign has no glyph, so programs leave it out, or pdf.js does: what
 * shows it is a letter inside a word in the form that it has at the end of words.
 */
function findApart(glyphs: readonly (Glyph & { form: string })[]): void {
  const forms = new Map<string, { letter: string; count: number; ends: number }>();
  // The glyph before one is to its left: it is the next letter of the word.
  const isEnd = (i: number): boolean => !rightToLeft.test(glyphs[i - 1]?.text ?? '');
  for (const [i, glyph] of glyphs.entries()) {
    const letter = glyph.text.normalize('NFKC');
    if (!joining.test(letter)) continue;
    const form = forms.get(glyph.form) ?? { letter, count: 0, ends: 0 };
    form.count += 1;
    if (isEnd(i)) form.ends += 1;
    forms.set(glyph.form, form);
  }
  const formed = new Set(
    [...forms.values()].filter(({ count, ends }) => count >= minOther && ends === 0).map(({ letter }) => letter),
  );
  for (const glyph of glyphs) {
    const { count = 0, ends = 0, letter = '' } = forms.get(glyph.form) ?? {};
    glyph.isApart = ends > 0 && ends >= count * minFinal && formed.has(letter);
  }
}

/** Characters between two letters of an item, such as a number from left to right, at most. */
const maxBetween = 100;

/** The text of an item with its ligatures in reading order, and with non-joiners behind letters that do not join the next one. */
function withLettersOf(glyphs: readonly Glyph[], text: string): string {
  let [ordered, at] = ['', 0];
  for (const { text: letters, isApart } of glyphs.toReversed()) {
    const turned = [...letters].toReversed().join('');
    const found = rightToLeft.test(letters) ? text.slice(at, at + maxBetween).indexOf(turned) : -1;
    if (found === -1) continue;
    ordered += text.slice(at, at + found) + letters + (isApart ? nonJoiner : '');
    at += found + turned.length;
  }
  return ordered + text.slice(at);
}

/** Without white space, and without `<` and `>`, which pdf.js drops when it reverses text. */
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
    if (own.some(({ isFiller }) => isFiller))
      return { ...item, str: own.flatMap(({ text, isFiller }) => (isFiller ? [] : [text])).join(' ') };
    return item.dir === 'rtl' ? { ...item, str: withLettersOf(own, item.str) } : item;
  });
}

class GlyphPlaces {
  readonly #texts: readonly string[];
  /** Prefix sums of lengths and character codes: two subtractions rule out most positions. */
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

  /** Finds the first glyphs from `at` on, within `farthest`, that have exactly the characters of `wanted`. */
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

/** Does not depend on the order. Squares: plain sums of different words are equal too often. */
function sumOf(text: string): number {
  let sum = 0;
  for (let i = 0; i < text.length; i += 1) sum += text.charCodeAt(i) ** 2;
  return sum;
}
