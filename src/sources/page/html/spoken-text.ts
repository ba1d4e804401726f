import type { Attributes, TagPlace } from './html-tokens.ts';

/*
 * Words that people see and a screen reader does not say (`aria-hidden`), and words for a screen reader alone. Where one stands
 * beside the other, both say the same, and what people see stays.
 */

/** Elements that are part of a line. A larger element with `aria-hidden` is closed until somebody opens it. */
const inline = new Set('abbr b bdi cite del em font ins label mark q s small span strong sub sup time u'.split(' '));
/** Other elements that do not end a line. */
const besideText = new Set(['a', 'i', 'img', 'svg', 'wbr']);
/** An icon font shows the word in the element ("expand_more") as a picture. KaTeX repeats its MathML for the eye. */
const picture = /icon|symbol|glyph|katex-html/i;
/** Classes of text for screen readers alone. The style sheets that hide it from people are often elsewhere. */
const spokenClass = /^(?:sr-only|screen-reader(?:-text|-only)|visually-?hidden)$/i;

/** Characters of a part that are read. */
const maxPartLength = 400;

/** Text of a line that is `seen` by people alone, or `spoken` by a screen reader alone. */
export interface LinePart {
  kind: 'seen' | 'spoken';
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

/** Collects the words of a page that are for one of the two alone. */
export class SpokenLines {
  /** Words that are spoken beside those that are seen, and signs without words. */
  readonly repeated = new Set<LinePart>();
  /** Words that people alone get. */
  readonly shown: LinePart[] = [];
  #open: LinePart | null = null;
  /** The part after which nothing else has come in its line. */
  #last: LinePart | null = null;

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
    if (this.#open !== null) this.#open.text += text.slice(0, maxPartLength - this.#open.text.length);
    else if (text.trim() !== '') this.#last = null;
  }

  #add(part: LinePart): void {
    const isSeen = part.kind === 'seen';
    if (isSeen && !/[\p{L}\p{N}]/u.test(part.text)) return void this.repeated.add(part);
    if (isSeen) this.shown.push(part);
    if (this.#last !== null && this.#last.kind !== part.kind) this.repeated.add(isSeen ? this.#last : part);
    this.#last = part;
  }

  #endAt(name: string): void {
    if (this.#open === null && !inline.has(name) && !besideText.has(name)) this.#last = null;
  }
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
