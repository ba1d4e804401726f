import { formulaEnd } from './formula-end.ts';
import { linkEnd } from './link-end.ts';

/*
 * Inline Markdown, parsed in one pass over the characters, so that no page can make it slow. The index, the page and the terminal
 * use the same dialect; they differ in the meaning of `<` and `&`.
 */

type InlineStyle = 'em' | 'strong' | 'del' | 'code' | 'sup';

/** Where the text of a link ends with a bracket, and where its address ends. */
interface Link {
  close: number;
  end: number;
}

interface InlinePiece {
  text: string;
  start: number;
  end: number;
  /** `note`: the number of a footnote, where the text has it and before the note itself. `address`: a link that is written out. */
  kind: 'text' | 'code' | 'note' | 'address' | 'image';
  /** The link that it is part of. */
  link: Link | undefined;
  /** Offset of a picture's address. */
  image?: Link;
}

export interface Leaf {
  text: string;
  /** Its place in the source. Where that is longer than the text, the text is shown whole or not at all. */
  start: number;
  end: number;
  styles: ReadonlySet<InlineStyle>;
  /** The destination of the link that it is part of; empty for a reference. */
  href?: string;
  /** The address of a picture; `text` is shown in its place. */
  image?: string;
}

/** A piece that is written in another way than it is read. */
interface Sign {
  /** In the source. */
  length: number;
  text: string;
  isLink?: boolean;
}

interface InlineRules {
  /** The markup at a `<`. */
  angle: (markdown: string, at: number) => Sign;
  /** The entity at a `&`. */
  entity: (markdown: string, at: number) => Sign;
}

interface Delimiter {
  char: string;
  /** Index of its piece. */
  index: number;
  /** Original length of the run. */
  length: number;
  wordInside: boolean;
}

/** Emphasis from one piece to another. */
interface Span {
  char: string;
  /** How many signs mark it. */
  length: number;
  from: number;
  to: number;
}

const delimiters = new Set(['*', '_', '~', '=']);
const plainRun = /[^\\`![\]<&*_~=$]+/y;
/** Openers that are looked back at, so that a text of delimiters alone stays fast. */
const maxLookedAt = 40;

export function walkInline(markdown: string, rules: InlineRules): { pieces: InlinePiece[]; spans: Span[] } {
  const closers = matchBrackets(markdown);
  const ticks = tickRuns(markdown);
  const pieces: InlinePiece[] = [];
  const spans: Span[] = [];
  const openers: Delimiter[] = [];
  const links: Link[] = [];
  let at = 0;
  /** @param before signs before the text, as part of the `length` */
  const emit = (text: string, length: number, kind: InlinePiece['kind'] = 'text', before = 0): void => {
    const start = at + before;
    pieces.push({ text, start, end: before === 0 ? at + length : start + text.length, kind, link: links.at(-1) });
    at += length;
  };

  while (at < markdown.length) {
    const char = markdown.charAt(at);
    const link = links.at(-1);
    if (link !== undefined && at >= link.close) {
      links.pop();
      // A code span may have reached beyond the bracket.
      if (at === link.close) at = link.end;
    } else if (char === '\\' && escapable.test(markdown.charAt(at + 1))) {
      emit(markdown.charAt(at + 1), 2);
    } else if (char === '`') {
      const length = runLength(markdown, at);
      const end = ticks.closer(at, length);
      if (end === undefined) emit('`'.repeat(length), length);
      else {
        const inside = markdown.slice(at + length, end).replaceAll('\n', ' ');
        const isPadded = inside.startsWith(' ') && inside.endsWith(' ') && inside.trim() !== '';
        const shown = isPadded ? inside.slice(1, -1) : inside;
        emit(shown, end + length - at, 'code', length + (isPadded ? 1 : 0));
      }
    } else if (char === '!' && markdown[at + 1] === '[' && linkEnd(markdown, closers.get(at + 1)) !== undefined) {
      const close = closers.get(at + 1) ?? at;
      const end = linkEnd(markdown, close) ?? at + 1;
      const text = markdown.slice(at + 2, close);
      pieces.push({ text, start: at, end, kind: 'image', link, image: { close, end } });
      at = end;
    } else if (char === '[') {
      const close = closers.get(at);
      const end = linkEnd(markdown, close);
      if (close !== undefined && markdown[at + 1] === '^') {
        const isBeforeNote = at === 0 && markdown[close + 1] === ':';
        emit(markdown.slice(at + 2, close), close + (isBeforeNote ? 2 : 1) - at, 'note');
      } else if (close !== undefined && end !== undefined && (link === undefined || markdown[close + 1] === '(')) {
        links.push({ close, end });
        at += 1;
      } else emit(char, 1);
    } else if (char === '<') {
      const { length, text, isLink = false } = rules.angle(markdown, at);
      emit(text, length, isLink ? 'address' : 'text', isLink ? 1 : 0);
    } else if (char === '&') {
      const { length, text } = rules.entity(markdown, at);
      emit(text, length);
    } else if (char === '$') {
      const formula = markdown.slice(at, formulaEnd(markdown, at) ?? at + 1);
      emit(formula, formula.length);
    } else if (delimiters.has(char)) {
      const run = char.repeat(runLength(markdown, at));
      emit(run, run.length);
      delimit(at - run.length, run.length);
    } else {
      plainRun.lastIndex = at;
      const run = plainRun.exec(markdown)?.[0] ?? char;
      emit(run, run.length);
    }
  }
  return { pieces, spans };

  /**
   * Emphasis, strikethrough (`~~`) and highlight (`==`): a closing run takes marks from the last opener of its kind. Nothing closes right
   * after an opening bracket. By CommonMark's rule of three, no `*` in `**a*b*c**` closes half of `**`.
   */
  function delimit(place: number, length: number): void {
    const char = markdown.charAt(place);
    const index = pieces.length - 1;
    const piece = pieces[index];
    if (piece === undefined || ((char === '~' || char === '=') && length !== 2)) return;
    const [before, after] = [markdown.charAt(place - 1), markdown.charAt(place + length)];
    const wordInside = /[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(after);
    if (char === '_' && wordInside) return;
    if (before !== '' && !/\s/u.test(before) && !/[\p{Ps}\p{Pi}]/u.test(before)) {
      for (let i = openers.length - 1; i >= 0 && i >= openers.length - maxLookedAt; i -= 1) {
        const opener = openers[i];
        const opening = opener === undefined ? undefined : pieces[opener.index];
        if (opener?.char !== char || opening === undefined || piece.text === '') continue;
        if ((opener.wordInside || wordInside) && (opener.length + length) % 3 === 0 && length % 3 !== 0) continue;
        const taken = Math.min(opening.text.length, piece.text.length);
        opening.text = opening.text.slice(taken);
        opening.end = opening.start + opening.text.length;
        piece.text = piece.text.slice(taken);
        piece.start = piece.end - piece.text.length;
        spans.push({ char, length: taken, from: opener.index + 1, to: index });
        openers.length = opening.text === '' ? i : i + 1;
      }
    }
    if (after !== '' && !/\s/u.test(after) && piece.text !== '') openers.push({ char, index, length, wordInside });
  }
}

/** Reads inline Markdown for the eye. HTML in the text stays text: nothing that was saved becomes markup. */
export function readInline(markdown: string, entity: InlineRules['entity']): Leaf[] {
  const { pieces, spans } = walkInline(markdown, { angle: angleAsText, entity });
  /** For each style, how many spans begin and end before a piece. */
  const changes = new Map<InlineStyle, Map<number, number>>();
  for (const { char, length, from, to } of spans)
    for (const style of stylesOf(char, length)) {
      const counts = changes.get(style) ?? new Map<number, number>();
      changes.set(style, counts);
      counts.set(from, (counts.get(from) ?? 0) + 1);
      counts.set(to, (counts.get(to) ?? 0) - 1);
    }
  const depths = new Map<InlineStyle, number>();
  const addresses = new Map<Link, string>();
  const addressOf = (link: Link): string => {
    const address = addresses.get(link) ?? destination(markdown.slice(link.close + 1, link.end));
    addresses.set(link, address);
    return address;
  };
  return pieces.flatMap(({ text, start, end, kind, link, image }, index) => {
    for (const [style, counts] of changes) depths.set(style, (depths.get(style) ?? 0) + (counts.get(index) ?? 0));
    if (text === '' && kind !== 'image') return [];
    const styles = new Set([...depths.keys()].filter((style) => depths.get(style) !== 0));
    if (kind === 'code') styles.add('code');
    if (kind === 'note') styles.add('sup');
    const href = kind === 'address' ? text : link && addressOf(link);
    return [
      {
        text,
        start,
        end,
        styles,
        ...(href !== undefined && { href }),
        ...(image !== undefined && { image: addressOf(image) }),
      },
    ];
  });
}

function stylesOf(char: string, length: number): InlineStyle[] {
  if (char === '~') return ['del'];
  if (char === '=') return ['strong'];
  if (length === 1) return ['em'];
  return length === 2 ? ['strong'] : ['em', 'strong'];
}

const autolink = /<(https?:\/\/[^\s<>]{1,2048}|mailto:[^\s<>]{1,320})>/iy;
const lineBreak = /<br\s?\/?>/iy;

function angleAsText(markdown: string, at: number): Sign {
  autolink.lastIndex = at;
  const [whole, address] = autolink.exec(markdown) ?? [];
  if (whole !== undefined) return { length: whole.length, text: address ?? '', isLink: true };
  lineBreak.lastIndex = at;
  const [breaks] = lineBreak.exec(markdown) ?? [];
  return breaks === undefined ? { length: 1, text: '<' } : { length: breaks.length, text: '\n' };
}

/** The address in `(address "title")`; empty for other links. */
function destination(parentheses: string): string {
  if (!parentheses.startsWith('(')) return '';
  const inside = parentheses.slice(1, -1).trim();
  const whole = inside.startsWith('<') ? inside.slice(1, inside.indexOf('>')) : (inside.split(/\s/, 1)[0] ?? '');
  return whole.replaceAll('&amp;', '&').replaceAll(/\\([!-/:-@[-`{-~])/g, '$1');
}

/** A character that a backslash before it makes plain. */
const escapable = /[!-/:-@[-`{-~]/;

/** How many times the character at `at` is repeated there. */
export function runLength(text: string, at: number): number {
  let end = at + 1;
  while (text[end] === text[at]) end += 1;
  return end - at;
}

/** Finds the next run of backticks with the same length. The runs of each length are visited once. */
export function tickRuns(text: string): { closer(at: number, length: number): number | undefined } {
  const byLength = new Map<number, number[]>();
  for (const match of text.matchAll(/`+/g)) {
    const places = byLength.get(match[0].length) ?? [];
    places.push(match.index);
    byLength.set(match[0].length, places);
  }
  const next = new Map<number, number>();
  return {
    closer(at, length) {
      const places = byLength.get(length) ?? [];
      let i = next.get(length) ?? 0;
      while (i < places.length && (places[i] ?? 0) <= at) i += 1;
      next.set(length, i);
      return places[i];
    },
  };
}

/** Maps the position of each `[` to its closing `]`. Skips escapes; does not skip code spans. */
export function matchBrackets(text: string): Map<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (const match of text.matchAll(/\\.|[[\]]/gs)) {
    if (match[0] === '[') open.push(match.index);
    else if (match[0] === ']') {
      const start = open.pop();
      if (start !== undefined) pairs.set(start, match.index);
    }
  }
  return pairs;
}
