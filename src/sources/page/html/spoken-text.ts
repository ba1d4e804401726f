import type { Attributes, TagPlace } from './html-tokens.ts';

/*
 * Words that people see and a screen reader does not say (`aria-hidden`), and words for a screen reader alone. Often
 * one stands beside the other and says the same. Then one of the two is enough.
 */

/** Elements that are part of a line. A larger element with `aria-hidden` is closed until somebody opens it. */
const inline = new Set('abbr b bdi cite del em font ins label mark q s small span strong sub sup time u'.split(' '));
/** Other elements that do not end a line. */
const besideText = new Set(['a', 'i', 'img', 'svg', 'wbr']);
/** An icon font shows the word in the element ("expand_more") as a picture. KaTeX repeats its MathML for the eye. */
const picture = /icon|symbol|glyph|katex-html/i;
/** Classes of text for screen readers alone. The style sheets that hide it from people are often elsewhere. */
const spokenClass = /^(?:sr-only|screen-reader(?:-text|-only)|visually-?hidden)$/i;

/** Maximum parts of a line that are compared, and the maximum characters of each. */
const maxParts = 1_000;
const maxPartLength = 400;

/** Text of a line: `seen` by people alone, `spoken` by a screen reader alone, or for both. */
export interface LinePart {
  kind: 'seen' | 'spoken' | 'both';
  text: string;
  place: TagPlace;
  /** Where its start tag ends. */
  tagEnd: number;
}

/** Whether an element is for one of the two alone; null when it is for both, or no part of a line. */
export function audienceOf(name: string, attributes: Attributes): 'seen' | 'spoken' | null {
  if (!inline.has(name)) return null;
  const classes = (attributes['class'] ?? '').slice(0, 2_000);
  if (attributes['aria-hidden']?.toLowerCase() === 'true') return picture.test(classes) ? null : 'seen';
  return classes.split(/\s+/).some((one) => spokenClass.test(one)) ? 'spoken' : null;
}

/** Collects the visible text of a page line by line, and tells what is said twice. */
export class SpokenLines {
  /** Parts that say nothing new. */
  readonly repeated: LinePart[] = [];
  /** Words that people alone get, and that nothing beside them repeats. */
  readonly shown: LinePart[] = [];
  #line: LinePart[] = [];
  #open: LinePart | null = null;

  /** An element starts. Returns its part, if it is one; `close` takes it back. */
  open(name: string, attributes: Attributes, { start, end }: TagPlace): LinePart | null {
    this.#endAt(name);
    const kind = this.#open === null ? audienceOf(name, attributes) : null;
    if (kind !== null) this.#open = { kind, text: '', place: { start, end: start }, tagEnd: end };
    return kind === null ? null : this.#open;
  }

  close(name: string, part: LinePart | null, end: number): void {
    if (part !== null) {
      part.place.end = end;
      this.#open = null;
      this.#add(part);
    }
    this.#endAt(name);
  }

  text(text: string): void {
    const piece = text.slice(0, maxPartLength);
    if (this.#open !== null) this.#open.text += piece.slice(0, maxPartLength - this.#open.text.length);
    else if (piece.trim() !== '') this.#add({ kind: 'both', text: piece, place: { start: 0, end: 0 }, tagEnd: 0 });
  }

  endLine(): void {
    const repeated = repeatedParts(this.#line);
    for (const part of this.#line) {
      if (repeated.has(part)) this.repeated.push(part);
      else if (part.kind === 'seen') this.shown.push(part);
    }
    this.#line = [];
  }

  #endAt(name: string): void {
    if (this.#open === null && !inline.has(name) && !besideText.has(name)) this.endLine();
  }

  #add(part: LinePart): void {
    if (this.#line.push(part) >= maxParts) this.endLine();
  }
}

/**
 * The parts of a line that say nothing new. Of what is only seen these are signs, and words that the text beside them
 * repeats. All other words stay, and what is spoken instead of them goes.
 */
function repeatedParts(line: readonly LinePart[]): Set<LinePart> {
  const repeated = new Set<LinePart>();
  let before: LinePart | undefined;
  let seen: LinePart[] = [];
  const settle = (after: LinePart | undefined): void => {
    const beside = [before, after].filter((one) => one !== undefined);
    for (const part of seen) {
      if (!/[\p{L}\p{N}]/u.test(part.text) || beside.some((one) => says(one.text, part.text))) repeated.add(part);
      else for (const one of beside) if (one.kind === 'spoken') repeated.add(one);
    }
    seen = [];
    before = after;
  };
  for (const part of line) {
    if (part.kind === 'seen') seen.push(part);
    else settle(part);
  }
  settle(undefined);
  return repeated;
}

/** Whether a text has the words in their order, whatever signs stand between them ("EUR 17.07" and "EUR17.07"). */
function says(text: string, words: string): boolean {
  return spaced(text).includes(spaced(words));
}

function spaced(text: string): string {
  return ` ${
    text
      .toLowerCase()
      .match(/\p{L}+|\p{N}+/gu)
      ?.join(' ') ?? ''
  } `;
}

/**
 * Where the start tag has `aria-hidden`. Extractors take it to mean that nobody sees the element, so it is cut out where
 * people do.
 */
export function ariaHiddenOf(html: string, { place, tagEnd }: LinePart): TagPlace {
  const found = /\saria-hidden\s{0,9}=\s{0,9}["']?true["']?/i.exec(html.slice(place.start, tagEnd));
  const start = place.start + (found?.index ?? 0);
  return { start, end: start + (found?.[0].length ?? 0) };
}
