import type { Transcript } from '../records/document.ts';
import { foldText } from '../text/folded-text.ts';
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
 * Text fragments after https://wicg.github.io/scroll-to-text-fragment/: `[prefix-,]textStart[,textEnd][,-suffix]`. A browser
 * takes the first place that matches, without regard to case and accents; each term must begin and end at a word's boundary
 * and stand within one block of the page, and only white space may stand between a term and its context.
 */

/** Words of the term that begins a range, or of all of a quote: usually enough, and where it is not. */
const startWords = [6, 16];
const maxStartWords = Math.max(...startWords);
/** Words of the term that ends a range. */
const endWords = [3, 9];
const contextWords = [3, 10];
/** A passage in one block of at most this many words is quoted whole. */
const wholeWords = 10;
/** A heading or cell of fewer words says too little to begin with. */
const tellingWords = 3;

/** The part of a line that is to be found. */
interface Stretch extends TextSpan {
  place: RenderedPlace;
  text: string;
}

/**
 * Makes what stands behind `:~:text=` for a slice of a stored text, percent-encoded. Found on the page as the text has it,
 * it leads to the slice and to no earlier place. Null when there is no word to look for, or nothing tells it from an earlier place.
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

type Places = ReturnType<RenderedText['placesOf']>;

/** The lines of a passage from the first one or the last one on. What is not asked for is not rendered for nothing. */
function* stretchesOf(page: RenderedText, { first, last }: Places, step: 1 | -1): Generator<Stretch> {
  if (!isBefore(first, last)) return;
  const isWithin = (at: RenderedPlace) => (step === 1 ? isBefore(at, last) : !isBefore(at, { ...first, offset: 0 }));
  const from = step === 1 ? first : { ...last, offset: 0 };
  for (let at: RenderedPlace | null = from; at !== null && isWithin(at); at = page.neighbour(at, step)) {
    const { text } = lineAt(page, at);
    const start = isOn(at, first) ? first.offset : 0;
    const end = isOn(at, last) ? last.offset : text.length;
    // Where the passage ends in front of a line's first character, that line is none of it.
    if (start < end || isOn(at, first)) yield { place: { ...at, offset: start }, text, start, end };
  }
}

/** Whether two places are in one line. */
function isOn(one: RenderedPlace, other: RenderedPlace): boolean {
  return one.block === other.block && one.line === other.line;
}

/** Lines of a passage that may be linked in place of its first one. */
const maxOpenings = 4;
/** No passage has more lines, but where its place is not known within a long table it stands for all of that. */
const maxLines = 1_000;

/**
 * What stands in the line before or behind may not be kept as it stands on the page (a caption, a line of names and dates): a line of the
 * passage that needs none of it goes before one that does. Before a heading goes what stands below it: a table of contents or a menu
 * has the headings earlier, and that of a post, its author and date, is often nowhere one line of the page.
 */
function directive(page: RenderedText, places: Places): string | null {
  const closing = stretchesOf(page, places, -1).find(({ text, start, end }) => hasWords(text, start, end));
  if (closing === undefined) return null;
  let opening: Stretch | null = null;
  let tried = 0;
  const headings: Stretch[] = [];
  const having: Stretch[] = [];
  for (const one of stretchesOf(page, places, 1).take(maxLines)) {
    const weight = weigh(openingWords(one.text, one.start, one.end, tellingWords));
    if (weight >= tellingWords && page.isHeading(one.place.block)) headings.push(one);
    else if (weight >= tellingWords) {
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
    // No line says enough.
    for (const one of having.slice(0, maxOpenings)) {
      const made = directiveFrom(page, one, closing, false);
      if (made !== null) return made;
    }
    opening = having[0] ?? null;
  }
  return opening === null ? null : directiveFrom(page, opening, closing, true);
}

/** @param overLines whether words of the lines around may tell it from an earlier place */
function directiveFrom(page: RenderedText, opening: Stretch, closing: Stretch, overLines: boolean): string | null {
  const words = openingWords(opening.text, opening.start, opening.end, maxStartWords);
  const isWhole =
    isOn(opening.place, closing.place) && weigh(words) <= wholeWords && opening.end - opening.start <= enoughCharacters;
  for (const context of [0, ...contextWords]) {
    for (const most of isWhole ? [Number.POSITIVE_INFINITY] : startWords) {
      const head = headOf(words, most);
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

/** Between a term and a prefix in the line before no quotation mark may stand: it becomes part of the term. */
function withMarksBefore(text: string, { start, end }: TextSpan): TextSpan {
  const before = text.slice(0, start);
  return { start: /[\p{L}\p{N}]/u.test(before) ? start : before.length - before.trimStart().length, end };
}

/** Whether no earlier place of the page has the term with its context around it. */
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

/** The folded text that ends in front of a place, white space aside: of its line, or of the line before. */
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

/** The words in front of a term up to it: in its line, or the end of the line before. */
function prefixOf(
  page: RenderedText,
  { place, text }: Stretch,
  { start }: TextSpan,
  most: number,
  overLines: boolean,
): string | null {
  const own = text.slice(0, start).trimEnd();
  const line = own === '' && overLines ? page.neighbour(place, -1) : null;
  const before = line === null ? own : lineAt(page, line).text;
  const words = tailOf(closingWords(before, 0, before.length, most), most);
  return words === null ? null : before.slice(words.start);
}

function suffixOf(
  page: RenderedText,
  { place, text }: Stretch,
  { end }: TextSpan,
  most: number,
  overLines: boolean,
): string | null {
  const own = text.slice(end).trimStart();
  const line = own === '' && overLines ? page.neighbour(place, 1) : null;
  const after = line === null ? own : lineAt(page, line).text;
  const words = headOf(openingWords(after, 0, after.length, most), most);
  return words === null ? null : after.slice(0, words.end);
}

/** The last words of a range, when they do not stand earlier in it; null leaves the end open. */
function endOf(page: RenderedText, opening: Stretch, start: TextSpan, closing: Stretch): string | null {
  const from = isOn(opening.place, closing.place) ? start.end : closing.start;
  for (const most of endWords) {
    const end = tailOf(closingWords(closing.text, from, closing.end, most), most);
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
