import { hiddenSelectors, hidingOf, type Hiding } from './hidden-styles.ts';
import { OpenElements, readTokens, voids, type Attributes, type TagPlace } from './html-tokens.ts';

/*
 * A page can hide text from people to address the program that reads it for them. Hidden text is removed unless the
 * page depends on it: many pages hide their text until a script runs.
 */

type Reason = Hiding | 'attribute' | 'aria' | 'template' | 'noscript';

/** If a larger share of a page's text is hidden for a reason, scripts are assumed to show it. */
const maxShare: Readonly<Record<Reason, number>> = {
  display: 0.3,
  opacity: 0.03,
  trick: 0.3,
  attribute: 0.3,
  aria: 0.05,
  template: 1,
  // Script-built forums keep the page's text in `noscript`.
  noscript: 0,
};
/**
 * Up to this many hidden characters, but not more than the visible ones, count as hidden whatever their share: on a
 * short page they may be a large share.
 */
const maxAside = 200;
/** Minimum number of visible characters. With fewer, nothing is removed. */
const minVisible = 150;
const maxCuts = 20_000;

const silent = new Set('script style svg iframe object head title select textarea'.split(' '));
const never = new Set(['html', 'body', 'head', 'title', 'script', 'style', 'svg', ...voids]);

interface Hidden {
  start: number;
  reason: Reason;
}

export function withoutHiddenText(html: string): string {
  return hideText(html).visible;
}

export const hiddenMark = 'data-hidden-text';

export interface HiddenText {
  visible: string;
  /** The whole page with `hiddenMark` on hidden elements: hidden text helps to classify the text around it. */
  marked: string;
}

/** @param isOpened whether the text that visible controls open was opened already */
export function hideText(html: string, isOpened = false): HiddenText {
  const whole = { visible: html, marked: html };
  if (!/hidden|style|<template|<noscript/i.test(html)) return whole;
  const selectors = hiddenSelectors(sheetsOf(html));
  const cuts: (TagPlace & { reason: Reason })[] = [];
  const characters = new Map<Reason, number>();
  let visible = 0;
  let outermost: Hidden | null = null;
  let silence = 0;
  let position = 0;
  let closing: { name: string; end: number } | null = null;
  const lines = new SpokenLines();
  const controls = new Controls();
  const opened: TagPlace[] = [];
  const stack = new OpenElements<{ name: string; hidden: Hidden | null; part: LinePart | null }>((element) => {
    const { name, hidden, part } = element;
    controls.close(element);
    const end = name === closing?.name ? closing.end : position;
    if (silent.has(name)) silence -= 1;
    lines.close(name, part, end);
    if (hidden === null || hidden !== outermost) return;
    if (cuts.length < maxCuts) cuts.push({ start: hidden.start, end, reason: hidden.reason });
    outermost = null;
  });
  readTokens(html, {
    open(name, attributes, place) {
      const { start } = place;
      // An element that this tag closes implicitly, as `<li>` closes the item before it, ends where the tag starts.
      position = start;
      let reason = silence > 0 || never.has(name) ? null : reasonOf(name, attributes, selectors);
      if (reason !== null && outermost === null && mayOpen.has(reason) && controls.opens(name, attributes)) {
        if (opened.length < maxCuts) opened.push(...hidingAttributes(html, place));
        reason = null;
      }
      const hidden: Hidden | null = reason === null ? null : { start, reason };
      const isShown = silence === 0 && outermost === null && hidden === null;
      const part = isShown ? lines.open(name, attributes, place) : null;
      const element = { name, hidden, part };
      if (isShown) controls.open(element, attributes);
      stack.push(name, element);
      if (silent.has(name)) silence += 1;
      if (hidden !== null) outermost ??= hidden;
    },
    close(name, { start, end }) {
      // Elements that are still open inside the closed one end before its end tag.
      position = start;
      closing = { name, end };
      stack.close(name);
      closing = null;
    },
    text(text) {
      if (silence > 0) return;
      const count = text.length < 200 ? text.replaceAll(/\s+/g, '').length : text.length;
      if (outermost === null) {
        visible += count;
        lines.text(text);
        if (count > 0) controls.text();
      } else characters.set(outermost.reason, (characters.get(outermost.reason) ?? 0) + count);
    },
  });
  position = html.length;
  stack.closeAll();
  // Extractors take the attributes to mean that the element is invisible.
  if (opened.length > 0 && !isOpened) return hideText(cutOut(html, opened), true);
  for (const { text, place } of [...lines.repeated].slice(0, maxCuts)) {
    const count = text.replaceAll(/\s+/g, '').length;
    visible -= count;
    characters.set('aria', (characters.get('aria') ?? 0) + count);
    cuts.push({ ...place, reason: 'aria' });
  }
  if (visible < minVisible) return whole;
  const isBelieved = ({ reason }: { reason: Reason }) => {
    const hidden = characters.get(reason) ?? 0;
    return hidden > 0 && hidden <= Math.max(Math.min(maxAside, visible), (hidden + visible) * maxShare[reason]);
  };
  const hidden = cuts.filter(isBelieved).toSorted((a, b) => a.start - b.start);
  const shown = lines.shown.slice(0, maxCuts).map((part) => ariaHiddenOf(html, part));
  const cut = [...hidden, ...shown].toSorted((a, b) => a.start - b.start);
  return { visible: cutOut(html, cut), marked: mark(html, hidden) };
}

/** Text that is hidden by tricks stays hidden, whatever names it. */
const mayOpen: ReadonlySet<Reason> = new Set(['display', 'attribute', 'aria', 'opacity']);
const controlTags = new Set(['button', 'summary', 'dt']);
/** Elements whose `aria-controls` counts. */
const naming = new Set(['a', 'button', 'summary']);
const maxControlled = 5_000;

interface Control {
  element: object;
  tag: string;
  hasText: boolean;
  targets: string[];
}

/** The visible buttons, terms and links of a page that open hidden text: the text that they name, and that directly behind them. */
class Controls {
  readonly #named = new Set<string>();
  readonly #open: Control[] = [];
  /** Tag of the control behind which no other text has come yet. */
  #behind: string | null = null;

  open(element: { name: string }, attributes: Attributes): void {
    const { name: tag } = element;
    const { href = '', role = '' } = attributes;
    const toggles = attributes['data-toggle'] ?? attributes['data-bs-toggle'];
    const targets = [
      naming.has(tag) || /^(?:button|tab)$/i.test(role) ? attributes['aria-controls'] : undefined,
      ...(toggles === undefined
        ? []
        : [attributes['data-target'], attributes['data-bs-target'], href.startsWith('#') ? href : '']),
    ].flatMap((target) => target?.slice(0, 1_000).split(/[\s#]+/) ?? []);
    const isControl = controlTags.has(tag) || role === 'button' || attributes['aria-expanded'] !== undefined;
    const around = this.#open.at(-1);
    // An element around a control is the box of both the control and its panel.
    if (isControl && around !== undefined && !controlTags.has(around.tag)) around.tag = '';
    if (isControl || targets.length > 0)
      this.#open.push({ element, tag: isControl ? tag : '', hasText: false, targets });
  }

  /** A control that shows no text opens nothing. */
  close(element: object): void {
    const control = this.#open.at(-1);
    if (control?.element !== element) return;
    this.#open.pop();
    if (!control.hasText) return;
    for (const id of control.targets) if (id !== '' && this.#named.size < maxControlled) this.#named.add(id);
    if (control.tag !== '') this.#behind = control.tag;
    const around = this.#open.at(-1);
    if (around !== undefined) around.hasText = true;
  }

  text(): void {
    const control = this.#open.at(-1);
    if (control !== undefined) control.hasText = true;
    this.#behind = null;
  }

  opens(name: string, { id = '' }: Attributes): boolean {
    const isBehind = this.#behind !== null && (this.#behind !== 'dt' || name === 'dd');
    this.#behind = null;
    return isBehind || this.#named.has(id);
  }
}

function hidingAttributes(html: string, { start, end }: TagPlace): TagPlace[] {
  const tag = html.slice(start, Math.min(end, start + maxTagLength));
  return [
    ...tag.matchAll(/\s(?:style|hidden|aria-hidden)(?:\s{0,9}=\s{0,9}(?:"[^"]*"|'[^']*'|[^\s"'>]+))?(?=[\s/>])/gi),
  ].map(({ 0: text, index }) => ({ start: start + index, end: start + index + text.length }));
}

/** In characters. Longer tags have pictures and data in their attributes. */
const maxTagLength = 5_000;

function reasonOf(name: string, attributes: Attributes, selectors: ReadonlyMap<string, Hiding>): Reason | null {
  if (name === 'template' || name === 'noscript') return name;
  const { hidden } = attributes;
  const ways = hidingStyles(attributes, selectors);
  if (ways.includes('trick')) return 'trick';
  // Content shown by a click on a tab.
  if (attributes['role']?.toLowerCase() === 'tabpanel') return null;
  if (hidden !== undefined && hidden.toLowerCase() !== 'until-found') return 'attribute';
  if (attributes['aria-hidden']?.toLowerCase() === 'true' && audienceOf(name, attributes) === null) return 'aria';
  return ways[0] ?? null;
}

function hidingStyles({ style, id, ...attributes }: Attributes, selectors: ReadonlyMap<string, Hiding>): Hiding[] {
  const inline = style === undefined ? null : hidingOf(style);
  const own = inline === null ? [] : [inline];
  // An element's own style overrides that of its class.
  const isOverridden = inline === null && style !== undefined && /display|visibility|opacity/i.test(style);
  if (selectors.size === 0 || isOverridden) return own;
  const classes = (attributes['class'] ?? '').slice(0, 2_000).split(/\s+/);
  const names = [...classes.map((one) => `.${one}`), ...(id === undefined ? [] : [`#${id}`])];
  return [...own, ...names.flatMap((one) => selectors.get(one) ?? [])];
}

/** @param cuts in order, each with its replacement */
function cutOut(html: string, cuts: readonly TagPlace[], put = ''): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of cuts) {
    if (start < at) continue;
    parts.push(html.slice(at, start), put);
    at = Math.max(start, end);
  }
  return parts.join('') + html.slice(at);
}

/** Behind the name of each tag. */
function mark(html: string, tags: readonly TagPlace[]): string {
  const places = tags.map(({ start }) => {
    const name = /^[^\s/>]{0,100}/.exec(html.slice(start + 1, start + 101))?.[0] ?? '';
    return { start: start + 1 + name.length, end: start + 1 + name.length };
  });
  return cutOut(html, places, ` ${hiddenMark}=""`);
}

function sheetsOf(html: string): string[] {
  const sheets: string[] = [];
  const lower = /<style[\s>]/i;
  if (!lower.test(html)) return sheets;
  let inStyle = false;
  readTokens(html, {
    open(name) {
      inStyle = name === 'style';
      if (inStyle) sheets.push('');
    },
    close() {
      inStyle = false;
    },
    text(text) {
      if (inStyle) sheets[sheets.length - 1] += text;
    },
  });
  return sheets;
}

/*
 * Visible words hidden from screen readers (`aria-hidden`), and words only for screen readers. If they are beside each other, both
 * mean the same, and the visible ones are kept.
 */

/** Elements that are part of a line. A larger element with `aria-hidden` is closed until somebody opens it. */
const inline = new Set('abbr b bdi cite del em font ins label mark q s small span strong sub sup time u'.split(' '));
const besideText = new Set(['a', 'i', 'img', 'svg', 'wbr']);
/** An icon font shows the word in the element ("expand_more") as a picture. KaTeX repeats its MathML for the eye. */
const picture = /icon|symbol|glyph|katex-html/i;
/** Classes of text for screen readers alone. The style sheets that hide it from people are often elsewhere. */
const spokenClass = /^(?:sr-only|screen-reader(?:-text|-only)|visually-?hidden)$/i;

const maxPartLength = 400;

/** Text of a line that is `seen` by people alone, or `spoken` by a screen reader alone. */
interface LinePart {
  kind: 'seen' | 'spoken';
  text: string;
  place: TagPlace;
  tagEnd: number;
}

/** Whether an element is for one of the two alone; null when it is for both, or no part of a line. */
function audienceOf(name: string, attributes: Attributes): 'seen' | 'spoken' | null {
  if (!inline.has(name)) return null;
  const classes = (attributes['class'] ?? '').slice(0, 2_000);
  if (attributes['aria-hidden']?.toLowerCase() === 'true') return picture.test(classes) ? null : 'seen';
  return classes.split(/\s+/).some((one) => spokenClass.test(one)) ? 'spoken' : null;
}

class SpokenLines {
  /** Spoken words beside the visible ones, and symbols without words. */
  readonly repeated = new Set<LinePart>();
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

/** Where the start tag has `aria-hidden`, which extractors take to mean that the element is invisible. */
function ariaHiddenOf(html: string, { place, tagEnd }: LinePart): TagPlace {
  const found = /\saria-hidden\s{0,9}=\s{0,9}["']?true["']?/i.exec(html.slice(place.start, tagEnd));
  const start = place.start + (found?.index ?? 0);
  return { start, end: start + (found?.[0].length ?? 0) };
}
