import { formulaEnd } from '../../src/domain/text/formula-end.ts';
import { escapable, matchBrackets, runLength, tickRuns } from '../../src/domain/text/inline-marks.ts';
import { linkEnd } from '../../src/domain/text/link-end.ts';

/*
 * Reads inline Markdown into pieces of text with their places. It knows the dialect of `domain/text/inline-text.ts`, and like that takes one
 * pass over the characters. HTML in the text stays text: nothing that was saved becomes markup of the page.
 */

export type Style = 'em' | 'strong' | 'del' | 'code' | 'sup';

export interface Leaf {
  text: string;
  /** Its place in the source. Where that is longer than the text, the text is shown whole or not at all. */
  start: number;
  end: number;
  styles: ReadonlySet<Style>;
  /** The destination of the link that it is part of. */
  href?: string;
  /** The address of a picture; `text` is what stands in its place. */
  image?: string;
}

interface Piece extends Omit<Leaf, 'styles'> {
  styles: Set<Style>;
}

interface Delimiter {
  char: string;
  /** Index of its piece. */
  piece: number;
  length: number;
  wordInside: boolean;
}

const delimiters = new Set(['*', '_', '~', '=']);
const plainRun = /[^\\`![\]<&*_~=$]+/y;
const autolink = /<(https?:\/\/[^\s<>]{1,2048}|mailto:[^\s<>]{1,320})>/iy;
const lineBreak = /<br\s?\/?>/iy;
/** Openers that are looked back at, so that a text of delimiters alone stays fast. */
const maxLookedAt = 40;

/** Inline Markdown as a reader sees it. */
export function plain(markdown: string): string {
  return readInline(markdown)
    .map(({ text, styles }) => (styles.has('sup') ? '' : text))
    .join('')
    .trimStart();
}

export function readInline(text: string): Leaf[] {
  const closers = matchBrackets(text);
  const ticks = tickRuns(text);
  const pieces: Piece[] = [];
  const openers: Delimiter[] = [];
  /** For each piece, how many runs of a style begin and end before it. */
  const changes = new Map<Style, Map<number, number>>();
  /** Where the text of a link ends, and where reading goes on. */
  const links = new Map<number, { next: number }>();
  let open: { href: string; first: number } | undefined;
  let at = 0;

  const emit = (shown: string, length: number, more: Partial<Piece> = {}): void => {
    pieces.push({ text: shown, start: at, end: at + length, styles: new Set(), ...more });
    at += length;
  };

  while (at < text.length) {
    const char = text.charAt(at);
    const link = links.get(at);
    if (link !== undefined) {
      for (const piece of pieces.slice(open?.first)) piece.href = open?.href ?? '';
      open = undefined;
      at = link.next;
    } else if (char === '\\' && escapable.test(text.charAt(at + 1))) {
      emit(text.charAt(at + 1), 2);
    } else if (char === '`') {
      const length = runLength(text, at);
      const end = ticks.closer(at, length);
      if (end === undefined) emit('`'.repeat(length), length);
      else emitCode(text.slice(at + length, end), length);
    } else if (char === '!' && text[at + 1] === '[' && linkEnd(text, closers.get(at + 1)) !== undefined) {
      const close = closers.get(at + 1) ?? at;
      const end = linkEnd(text, close) ?? at + 1;
      emit(text.slice(at + 2, close), end - at, { image: destination(text.slice(close + 1, end)) });
    } else if (char === '[') {
      const close = closers.get(at);
      const end = linkEnd(text, close);
      if (close !== undefined && text[at + 1] === '^') emitNote(text.slice(at + 2, close));
      // Links do not stand within links.
      else if (close !== undefined && end !== undefined && open === undefined) {
        const href = destination(text.slice(close + 1, end));
        links.set(close, { next: end });
        open = { href, first: pieces.length };
        at += 1;
      } else emit(char, 1);
    } else if (char === '<') {
      emitAngle();
    } else if (char === '&') {
      const [length, shown] = decodeEntity(text, at);
      emit(shown, length);
    } else if (char === '$') {
      const formula = text.slice(at, formulaEnd(text, at) ?? at + 1);
      emit(formula, formula.length);
    } else if (delimiters.has(char)) {
      const length = runLength(text, at);
      const before = at;
      emit(char.repeat(length), length);
      delimit(text, before, length);
    } else {
      plainRun.lastIndex = at;
      const run = plainRun.exec(text)?.[0] ?? char;
      emit(run, run.length);
    }
  }
  for (const [style, counts] of changes) {
    let depth = 0;
    for (const [index, piece] of pieces.entries()) {
      depth += counts.get(index) ?? 0;
      if (depth > 0) piece.styles.add(style);
    }
  }
  return pieces.filter(({ text: shown, image }) => shown !== '' || image !== undefined);

  function emitCode(inside: string, ticksLength: number): void {
    const isPadded = inside.startsWith(' ') && inside.endsWith(' ') && inside.trim() !== '';
    at += ticksLength + (isPadded ? 1 : 0);
    const shown = (isPadded ? inside.slice(1, -1) : inside).replaceAll('\n', ' ');
    emit(shown, shown.length, { styles: new Set(['code']) });
    at += ticksLength + (isPadded ? 1 : 0);
  }

  /** The number of a footnote, where the text has it and before the note itself. */
  function emitNote(name: string): void {
    const isNote = at === 0 && text[name.length + 3] === ':';
    emit(name, name.length + (isNote ? 4 : 3), { styles: new Set(['sup']) });
  }

  function emitAngle(): void {
    autolink.lastIndex = at;
    const found = autolink.exec(text);
    lineBreak.lastIndex = at;
    const [breaks] = lineBreak.exec(text) ?? [];
    if (found !== null) {
      const href = found[1] ?? '';
      at += 1;
      emit(href, href.length, { href });
      at += 1;
    } else if (breaks !== undefined) emit('\n', breaks.length);
    else emit('<', 1);
  }

  function addSpan(style: Style, from: number, to: number): void {
    const counts = changes.get(style) ?? new Map<number, number>();
    counts.set(from, (counts.get(from) ?? 0) + 1);
    counts.set(to, (counts.get(to) ?? 0) - 1);
    changes.set(style, counts);
  }

  /** A closing run takes marks from the last opener of its kind, by the rules of `inline-text.ts`. */
  function delimit(source: string, place: number, length: number): void {
    const char = source.charAt(place);
    const index = pieces.length - 1;
    const piece = pieces[index];
    if (piece === undefined || ((char === '~' || char === '=') && length !== 2)) return;
    const [before, after] = [source.charAt(place - 1), source.charAt(place + length)];
    const wordInside = /[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(after);
    if (char === '_' && wordInside) return;
    if (before !== '' && !/\s/u.test(before) && !/[\p{Ps}\p{Pi}]/u.test(before)) {
      for (let i = openers.length - 1; i >= 0 && i >= openers.length - maxLookedAt; i -= 1) {
        const opener = openers[i];
        const opening = opener === undefined ? undefined : pieces[opener.piece];
        if (opener?.char !== char || opening === undefined || piece.text === '') continue;
        if ((opener.wordInside || wordInside) && (opener.length + length) % 3 === 0 && length % 3 !== 0) continue;
        const taken = Math.min(opening.text.length, piece.text.length);
        opening.text = opening.text.slice(taken);
        opening.end = opening.start + opening.text.length;
        piece.text = piece.text.slice(taken);
        piece.start = piece.end - piece.text.length;
        for (const style of stylesOf(char, taken)) addSpan(style, opener.piece + 1, index);
        openers.length = opening.text === '' ? i : i + 1;
      }
    }
    if (after !== '' && !/\s/u.test(after) && piece.text !== '')
      openers.push({ char, piece: index, length, wordInside });
  }
}

function stylesOf(char: string, taken: number): Style[] {
  if (char === '~') return ['del'];
  if (char === '=') return ['strong'];
  if (taken === 1) return ['em'];
  return taken === 2 ? ['strong'] : ['em', 'strong'];
}

/** The address in `(address "title")`; empty for other links. */
function destination(parentheses: string): string {
  if (!parentheses.startsWith('(')) return '';
  const inside = parentheses.slice(1, -1).trim();
  const whole = inside.startsWith('<') ? inside.slice(1, inside.indexOf('>')) : (inside.split(/\s/, 1)[0] ?? '');
  return whole.replaceAll('&amp;', '&').replaceAll(/\\([!-/:-@[-`{-~])/g, '$1');
}

/** Names that Markdown of ours may hold; every other one stays as it is written. */
const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};

const form = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/iy;

/** What stands at an ampersand: its length in the text, and what a reader sees. */
function decodeEntity(text: string, at: number): [length: number, shown: string] {
  form.lastIndex = at;
  const found = form.exec(text);
  if (found === null) return [1, '&'];
  const [whole, decimal, hexadecimal, name = ''] = found;
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  const shown = Number.isNaN(code)
    ? named[name.toLowerCase()]
    : code > 31 && code <= 0x10_ff_ff && (code < 0xd800 || code > 0xdfff)
      ? String.fromCodePoint(code)
      : undefined;
  return shown === undefined ? [1, '&'] : [whole.length, shown];
}

const bare = (words: string): string =>
  words
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Whether a sentence says more than a title: most titles are their sentence, without its full stop. */
export function saysMore(sentence: string, title: string): boolean {
  const [whole, part] = [bare(sentence), bare(title)];
  return whole !== '' && !part.includes(whole) && !(whole.includes(part) && whole.length < 1.25 * part.length);
}
