import type { Transcript } from '../records/texts/document.ts';
import { foldText } from './words/folded-text.ts';
import type { TextSpan } from './graphemes.ts';
import { isPlainLine, plainBlocks } from './plain-text.ts';

/** One block element as a browser renders it: a paragraph, list item, cell or line of code, without markup. */
export interface RenderedLine {
  text: string;
  /** `foldText(text)`; has the same length. */
  folded: string;
}

/** A place on the rendered page. */
export interface RenderedPlace {
  block: number;
  line: number;
  offset: number;
}

export function isBefore(a: RenderedPlace, b: RenderedPlace): boolean {
  return (
    a.block - b.block < 0 || (a.block === b.block && (a.line < b.line || (a.line === b.line && a.offset < b.offset)))
  );
}

/** A stored text as a browser shows it. Each block is rendered when it is first needed. */
export type RenderedText = ReturnType<typeof renderText>;

/** Finding a place renders the block again. For longer blocks that is too slow: the place is then the whole block. */
const maxBlockLength = 50_000;
/** A longer block is not rendered, and has no place on the page: it would take a hundred bytes of memory for each character. */
const maxRenderedLength = 500_000;
/** Characters of rendered blocks that are cached. */
const maxCached = 1_000_000;
/** Private-use characters that mark a place while its block is rendered; few texts contain them. */
const markers = ['\ue000', '\uf8ff', '\ue0ff'];

export function renderText({ text, blocks: given }: Transcript) {
  const blocks: Transcript['blocks'] = given.length > 0 ? given : [{ start: 0, end: text.length, kind: 'paragraph' }];
  const rendered = new Map<number, readonly RenderedLine[]>();
  let cached = 0;
  let folded = '';

  const linesOf = (block: number): readonly RenderedLine[] => {
    const known = rendered.get(block);
    if (known !== undefined) return known;
    const span = blocks[block];
    const length = span === undefined ? 0 : span.end - span.start;
    const lines =
      span === undefined || length > maxRenderedLength
        ? []
        : plainBlocks(text.slice(span.start, span.end)).map((line) => ({ text: line, folded: foldText(line) }));
    if (cached + length > maxCached) {
      rendered.clear();
      cached = 0;
    }
    cached += Math.min(length, maxRenderedLength);
    rendered.set(block, lines);
    return lines;
  };

  /** The block that contains the offset, or else the next one. */
  const blockAt = (offset: number): number => {
    let low = 0;
    let high = blocks.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((blocks[middle]?.end ?? 0) > offset) high = middle;
      else low = middle + 1;
    }
    return low;
  };

  /** Null when a marker at `at` is not shown, or changes the rest of the rendered text. */
  const markedPlace = (block: number, markdown: string, marker: string, at: number): RenderedPlace | null => {
    const lines = plainBlocks(markdown.slice(0, at) + marker + markdown.slice(at));
    const line = lines.findIndex((shown) => shown.includes(marker));
    const place = { block, line, offset: lines[line]?.indexOf(marker) ?? 0 };
    const shown = linesOf(block);
    const isTrue =
      line !== -1 &&
      lines.length === shown.length &&
      lines.every((text, index) => text.replace(marker, '') === shown[index]?.text);
    return isTrue ? place : null;
  };

  /** Null at the block's edges and where no marker can be set: the place is then the whole block. */
  const placeWithin = (block: number, offset: number, placesNear: typeof placesBehind): RenderedPlace | null => {
    const { start, end } = blocks[block] ?? { start: 0, end: 0 };
    if (offset <= start || offset >= end || end - start > maxBlockLength) return null;
    const markdown = text.slice(start, end);
    // If the block is shown as it is written, the offset does not change.
    if (linesOf(block)[0]?.text === markdown && isPlainLine(markdown))
      return { block, line: 0, offset: offset - start };
    const marker = markers.find((character) => !markdown.includes(character));
    if (marker === undefined) return null;
    for (const at of placesNear(markdown, offset - start)) {
      const place = markedPlace(block, markdown, marker, at);
      if (place !== null) return place;
    }
    return null;
  };

  return {
    linesOf,
    isHeading: (block: number): boolean => blocks[block]?.kind === 'heading',
    /** The line after (1) or before (-1) a place, possibly in another block. */
    neighbour({ block, line }: RenderedPlace, step: 1 | -1): RenderedPlace | null {
      for (let [at, index] = [block, line + step]; at >= 0 && at < blocks.length;) {
        const lines = linesOf(at);
        if (index >= 0 && index < lines.length) return { block: at, line: index, offset: 0 };
        at += step;
        index = step === 1 ? 0 : linesOf(at).length - 1;
      }
      return null;
    },
    /** Where a slice of the stored text is shown. The slice must begin and end with a visible character. */
    placesOf(start: number, end: number): { first: RenderedPlace; last: RenderedPlace } {
      const [first, last] = [blockAt(start), blockAt(end - 1)];
      const lines = linesOf(last);
      const line = Math.max(0, lines.length - 1);
      return {
        first: placeWithin(first, start, placesBehind) ?? { block: first, line: 0, offset: 0 },
        last: placeWithin(last, end, placesBefore) ?? { block: last, line, offset: lines[line]?.text.length ?? 0 },
      };
    },
    /**
     * The blocks from `first` to `last` that may show these (folded) words, in order. `last` shows them and is included.
     */
    blocksWith(words: string, last: number, first: number = 0): Iterable<number> {
      // Text after the last block is not searched.
      const end = blocks[last]?.end ?? text.length;
      if (folded.length < end) folded += foldText(text.slice(folded.length, end));
      // Markup may stand between two words but rarely within one. So render only blocks whose source has the words;
      // words that the source of `last` does not have unbroken are not used.
      const own = folded.slice(blocks[last]?.start ?? 0, end);
      const byLength = (words.match(/[\p{L}\p{N}]+/gu) ?? []).sort((a, b) => b.length - a.length);
      const sought = byLength.filter((word) => own.includes(word)).slice(0, maxSoughtWords);
      const longest = sought[0] ?? byLength[0] ?? '';
      return blocksHaving({ folded, blocks, blockAt }, longest, sought, first, last);
    },
  };
}

/**
 * Outside `renderText`: V8 gives each generator function a prototype and a hidden class in the old generation. A nested
 * one would be created per call and keep the whole text in memory until the next full garbage collection.
 */
function* blocksHaving(
  { folded, blocks, blockAt }: { folded: string; blocks: readonly TextSpan[]; blockAt: (offset: number) => number },
  longest: string,
  sought: readonly string[],
  first: number,
  last: number,
): Generator<number> {
  let next = first;
  while (next <= last && next < blocks.length) {
    const at = folded.indexOf(longest, blocks[next]?.start ?? 0);
    if (at === -1) return;
    const block = blockAt(at);
    if (block > last) return;
    const raw = folded.slice(blocks[block]?.start ?? 0, blocks[block]?.end ?? folded.length);
    if (sought.every((word) => raw.includes(word))) yield block;
    next = block + 1;
  }
}

/** At most this many words select the blocks to render. */
const maxSoughtWords = 4;

/** Markdown at the start of a line: list item, task, block quote, heading, table row or footnote. */
const lineMarks =
  /^(?:[ \t]*(?:>[ \t]?|(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?))*[ \t]*(?:#{1,6}[ \t]+|\|[ \t]*|\[\^[^\]\n]{1,100}\]:[ \t]*)?/;

/**
 * Offsets to try for the first shown character of a slice that begins at `offset`, most likely first: the offset itself
 * or the end of the Markdown that makes its line an item or row (a marker before that would turn the line into a
 * paragraph); the line's first letter; the next line, if this one is a code fence or a table's delimiter row.
 */
function* placesBehind(markdown: string, offset: number): Generator<number> {
  const line = markdown.lastIndexOf('\n', offset - 1) + 1;
  const lineEnd = endOfLine(markdown, offset);
  const behindMarks = line + (lineMarks.exec(markdown.slice(line, lineEnd))?.[0].length ?? 0);
  const first = Math.max(offset, behindMarks);
  yield first;
  const letter = markdown.slice(first, lineEnd).search(/[\p{L}\p{N}]/u);
  if (letter > 0) yield first + letter;
  if (lineEnd + 1 >= markdown.length) return;
  const nextLine = markdown.slice(lineEnd + 1, endOfLine(markdown, lineEnd + 1));
  yield lineEnd + 1 + (lineMarks.exec(nextLine)?.[0].length ?? 0);
}

/**
 * Offsets to try for the end of a slice that ends at `offset`: the offset itself, before the `|` that ends a row, after
 * the last letter, or the same in the line before.
 */
function* placesBefore(markdown: string, offset: number, lines = 2): Generator<number> {
  yield offset;
  const line = markdown.lastIndexOf('\n', offset - 1) + 1;
  const ending = markdown.slice(line, offset);
  const rowEnd = /(?<![ \t])[ \t]*\|$/.exec(ending)?.index ?? ending.length;
  if (rowEnd < ending.length) yield line + rowEnd;
  let letters = ending.length;
  while (letters > 0 && !/[\p{L}\p{N}]/u.test(ending.charAt(letters - 1))) letters -= 1;
  if (letters > 0 && letters < rowEnd) yield line + letters;
  // A table's delimiter row is not text: try the line before.
  if (line > 0 && lines > 1) yield* placesBefore(markdown, line - 1, lines - 1);
}

function endOfLine(markdown: string, from: number): number {
  const end = markdown.indexOf('\n', from);
  return end === -1 ? markdown.length : end;
}
