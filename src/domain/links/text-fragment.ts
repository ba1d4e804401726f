import type { Transcript } from '../records/texts/document.ts';
import { foldText } from '../text/words/folded-text.ts';
import {
  closingWords,
  encodeTerm,
  enoughCharacters,
  hasWords,
  headOf,
  openingWords,
  tailOf,
  weigh,
} from './fragment-words.ts';
import type { TextSpan } from '../text/graphemes.ts';
import {
  isBefore,
  renderText,
  type RenderedLine,
  type RenderedPlace,
  type RenderedText,
} from '../text/rendered-text.ts';

/*
 * Text fragments as in https://wicg.github.io/scroll-to-text-fragment/: `[prefix-,]textStart[,textEnd][,-suffix]`.
 * A browser takes the first match and ignores case and accents. Each term must begin and end at a word boundary
 * and lie within one block of the page. Only white space may separate a term from its prefix or suffix.
 */

/**
 * Words in `textStart`: the fewest that no earlier place has, since a model pays for each. At least four: a page has menus and
 * headings that are not stored, where three words may occur by chance
 * (docs/decisions/passages.md).
 */
const startWords = [4, 6, 16];
const maxStartWords = Math.max(...startWords);
/** Words in `textEnd`. Only the text between the two counts, so two are enough. */
const endWords = [2, 3, 9];
const contextWords = [3, 10];
/** A passage in one block of at most this many words is quoted whole. */
const wholeWords = 10;
/** A line with fewer words, such as a short heading or cell, is too ambiguous for `textStart`. */
const minOpeningWords = 3;

/** The part of a line that the fragment must select. */
interface Stretch extends TextSpan {
  place: RenderedPlace;
  text: string;
}

/**
 * Returns a function that makes the percent-encoded value after `:~:text=` for a slice of a stored text. On a page
 * with the same text, the fragment selects the slice and no earlier place. The function returns null when the slice
 * has no word, or when no context distinguishes it from an earlier place.
 */
export function createTextFragments(transcript: Transcript): (start: number, end: number) => string | null {
  const page = renderText(transcript);
  return (start, end) => {
    const slice = transcript.text.slice(start, end);
    const from = start + (slice.length - slice.trimStart().length);
    const to = start + slice.trimEnd().length;
    return to <= from ? null : directive(page, page.placesOf(from, to));
  };
}

type RenderedPlaces = ReturnType<RenderedText['placesOf']>;

/** The lines of a passage, forwards or backwards. A generator, so that blocks are rendered only when needed. */
function* stretchesOf(page: RenderedText, { first, last }: RenderedPlaces, step: 1 | -1): Generator<Stretch> {
  if (!isBefore(first, last)) return;
  const isWithin = (at: RenderedPlace) => (step === 1 ? isBefore(at, last) : !isBefore(at, { ...first, offset: 0 }));
  const from = step === 1 ? first : { ...last, offset: 0 };
  for (let at: RenderedPlace | null = from; at !== null && isWithin(at); at = page.neighbour(at, step)) {
    const { text } = lineAt(page, at);
    const start = isOn(at, first) ? first.offset : 0;
    const end = isOn(at, last) ? last.offset : text.length;
    // If the passage ends before a line's first character, that line is not part of it.
    if (start < end || isOn(at, first)) yield { place: { ...at, offset: start }, text, start, end };
  }
}

/** Whether two places are in one line. */
function isOn(one: RenderedPlace, other: RenderedPlace): boolean {
  return one.block === other.block && one.line === other.line;
}

/** At most this many lines of a passage are tried as the start of the range. */
const maxOpenings = 4;
/** Real passages are shorter. But if the position within a long table is unknown, the passage covers all of it. */
const maxLines = 1_000;

/**
 * The stored text may lack neighbouring lines that the page has (a caption, a line of names and dates). So a line
 * that is unique without its neighbours is preferred to one that needs them. Text below a heading is preferred to
 * the heading: a table of contents or menu repeats headings earlier, and the heading of a post (its author and date)
 * is often not one line on the page.
 */
function directive(page: RenderedText, places: RenderedPlaces): string | null {
  const closing = stretchesOf(page, places, -1).find(({ text, start, end }) => hasWords(text, start, end));
  if (closing === undefined) return null;
  let opening: Stretch | null = null;
  let tried = 0;
  const headings: Stretch[] = [];
  const having: Stretch[] = [];
  for (const one of stretchesOf(page, places, 1).take(maxLines)) {
    const weight = weigh(openingWords(one.text, one.start, one.end, minOpeningWords));
    if (weight >= minOpeningWords && page.isHeading(one.place.block)) headings.push(one);
    else if (weight >= minOpeningWords) {
      const made = directiveFrom(page, one, closing, false);
      if (made !== null) return made;
      opening ??= one;
      tried += 1;
      if (tried === maxOpenings) break;
    } else if (weight > 0) having.push(one);
  }
  for (const one of headings.slice(0, maxOpenings)) {
    const made = directiveFrom(page, one, closing, false);
    if (made !== null) return made;
    opening ??= one;
  }
  if (opening === null) {
    // No line has enough words: try the short ones.
    for (const one of having.slice(0, maxOpenings)) {
      const made = directiveFrom(page, one, closing, false);
      if (made !== null) return made;
    }
    opening = having[0] ?? null;
  }
  return opening === null ? null : directiveFrom(page, opening, closing, true);
}

/** @param overLines whether the prefix and suffix may come from neighbouring lines */
function directiveFrom(page: RenderedText, opening: Stretch, closing: Stretch, overLines: boolean): string | null {
  const words = openingWords(opening.text, opening.start, opening.end, maxStartWords);
  const isWhole =
    isOn(opening.place, closing.place) && weigh(words) <= wholeWords && opening.end - opening.start <= enoughCharacters;
  for (const context of [0, ...contextWords]) {
    for (const maxWords of isWhole ? [Number.POSITIVE_INFINITY] : startWords) {
      const head = headOf(words, maxWords);
      if (head === null) return null;
      const start = context === 0 ? head : withMarksBefore(opening.text, head);
      const prefix = context === 0 ? null : prefixOf(page, opening, start, context, overLines);
      if (context > 0 && prefix === null) continue;
      const spelled = prefix === null ? '' : `${encodeTerm(prefix)}-,`;
      const quote = opening.text.slice(start.start, start.end);
      if (isFirst(page, opening, start, prefix, null)) {
        const end = isWhole ? null : endOf(page, opening, start, closing);
        return spelled + encodeTerm(quote) + (end === null ? '' : `,${encodeTerm(end)}`);
      }
      const suffix = isWhole && context > 0 ? suffixOf(page, opening, start, context, overLines) : null;
      if (suffix !== null && isFirst(page, opening, start, prefix, suffix))
        return `${spelled}${encodeTerm(quote)},-${encodeTerm(suffix)}`;
    }
  }
  return null;
}

/** Includes punctuation at the start of the line in the term: none may separate it from a prefix in the line before. */
function withMarksBefore(text: string, { start, end }: TextSpan): TextSpan {
  const before = text.slice(0, start);
  return { start: /[\p{L}\p{N}]/u.test(before) ? start : before.length - before.trimStart().length, end };
}

/** Whether no earlier place of the page matches the term with its prefix and suffix. */
function isFirst(
  page: RenderedText,
  { place, text }: Stretch,
  { start, end }: TextSpan,
  prefix: string | null,
  suffix: string | null,
): boolean {
  const term = foldText(text.slice(start, end));
  const target = { ...place, offset: start };
  const [before, after] = [prefix, suffix].map((context) => (context === null ? null : foldText(context)));
  for (const block of page.blocksWith(term, place.block)) {
    for (const [line, { folded }] of page.linesOf(block).entries()) {
      for (let offset = folded.indexOf(term); offset !== -1; offset = folded.indexOf(term, offset + 1)) {
        const found = { block, line, offset };
        if (!isBefore(found, target)) return true;
        const hasPrefix = before === null || textBefore(page, found).endsWith(before ?? '');
        if (hasPrefix && (after === null || textAfter(page, found, term.length).startsWith(after ?? ''))) return false;
      }
    }
  }
  return true;
}

/** The folded text before a place, trimmed at its end: of its line or, at the start of a line, of the line before. */
function textBefore(page: RenderedText, place: RenderedPlace): string {
  const own = lineAt(page, place).folded.slice(0, place.offset).trimEnd();
  const line = own === '' ? page.neighbour(place, -1) : null;
  return line === null ? own : lineAt(page, line).folded;
}

function textAfter(page: RenderedText, place: RenderedPlace, length: number): string {
  const own = lineAt(page, place)
    .folded.slice(place.offset + length)
    .trimStart();
  const line = own === '' ? page.neighbour(place, 1) : null;
  return line === null ? own : lineAt(page, line).folded;
}

function lineAt(page: RenderedText, { block, line }: RenderedPlace): RenderedLine {
  return page.linesOf(block)[line] ?? { text: '', folded: '' };
}

/** The words just before a term: from its line or, at a line's start, from the end of the line before. */
function prefixOf(
  page: RenderedText,
  { place, text }: Stretch,
  { start }: TextSpan,
  maxWords: number,
  overLines: boolean,
): string | null {
  const own = text.slice(0, start).trimEnd();
  const line = own === '' && overLines ? page.neighbour(place, -1) : null;
  const before = line === null ? own : lineAt(page, line).text;
  const words = tailOf(closingWords(before, 0, before.length, maxWords), maxWords);
  return words === null ? null : before.slice(words.start);
}

function suffixOf(
  page: RenderedText,
  { place, text }: Stretch,
  { end }: TextSpan,
  maxWords: number,
  overLines: boolean,
): string | null {
  const own = text.slice(end).trimStart();
  const line = own === '' && overLines ? page.neighbour(place, 1) : null;
  const after = line === null ? own : lineAt(page, line).text;
  const words = headOf(openingWords(after, 0, after.length, maxWords), maxWords);
  return words === null ? null : after.slice(0, words.end);
}

/** The last words of a range, if they do not occur earlier in it. Null omits `textEnd`. */
function endOf(page: RenderedText, opening: Stretch, start: TextSpan, closing: Stretch): string | null {
  const from = isOn(opening.place, closing.place) ? start.end : closing.start;
  for (const maxWords of endWords) {
    const end = tailOf(closingWords(closing.text, from, closing.end, maxWords), maxWords);
    if (end === null) return null;
    const term = foldText(closing.text.slice(end.start, end.end));
    const target = { ...closing.place, offset: end.start };
    let isEarlier = false;
    for (const block of page.blocksWith(term, closing.place.block, opening.place.block)) {
      for (const [line, { folded }] of page.linesOf(block).entries()) {
        const at = { block, line, offset: 0 };
        const isOpening = block === opening.place.block && line === opening.place.line;
        if (isEarlier || !isBefore(at, target) || (!isOpening && isBefore(at, opening.place))) continue;
        const offset = folded.indexOf(term, isOpening ? start.end : 0);
        isEarlier = offset !== -1 && isBefore({ ...at, offset }, target);
      }
      if (isEarlier) break;
    }
    if (!isEarlier) return closing.text.slice(end.start, end.end);
  }
  return null;
}
