import { hiddenSelectors, hidingOf, type Hiding } from './hidden-styles.ts';
import { OpenElements, readTokens, voids, type Attributes, type TagPlace } from './html-tokens.ts';

/*
 * Text that a page hides from people can speak to whatever reads the page for them. It is left out where what is left carries the page:
 * many pages hide their text until a script runs.
 */

type Reason = Hiding | 'attribute' | 'aria' | 'template' | 'noscript';

/** Of the text of a page, what may be hidden for one reason; where it is more, scripts show it. */
const maxShare: Readonly<Record<Reason, number>> = {
  display: 0.3,
  opacity: 0.03,
  trick: 0.3,
  attribute: 0.3,
  aria: 0.05,
  template: 1,
  // What forums built by scripts keep there is the page.
  noscript: 0,
};
/** Characters that no script is needed for: of a short page they may be a large share. */
const maxAside = 200;
/** Characters of text that are a page. */
const minVisible = 150;
/** Elements of one page that are cut out. */
const maxCuts = 20_000;

const silent = new Set('script style svg iframe object head title select textarea'.split(' '));
const never = new Set(['html', 'body', 'head', 'title', 'script', 'style', 'svg', ...voids]);

interface Hidden {
  start: number;
  reason: Reason;
}

/** The page without what it hides; the page itself when there is nothing, or when what is left would be no page. */
export function withoutHiddenText(html: string): string {
  return hideText(html).visible;
}

/** Stands in the tags of hidden elements. */
export const hiddenMark = 'data-hidden-text';

export interface HiddenText {
  /** The page without what it hides. */
  visible: string;
  /** The whole page, with `hiddenMark` in the tags of what it hides: the surroundings of a text tell what it is. */
  marked: string;
}

export function hideText(html: string): HiddenText {
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
  const stack = new OpenElements<{ name: string; hidden: Hidden | null }>(({ name, hidden }) => {
    if (silent.has(name)) silence -= 1;
    if (hidden === null || hidden !== outermost) return;
    if (cuts.length < maxCuts)
      cuts.push({ start: hidden.start, end: name === closing?.name ? closing.end : position, reason: hidden.reason });
    outermost = null;
  });
  readTokens(html, {
    open(name, attributes, { start }) {
      // What this tag ends by itself, as `<li>` ends the item before it, ends where it begins.
      position = start;
      const reason = silence > 0 || never.has(name) ? null : reasonOf(name, attributes, selectors);
      const hidden: Hidden | null = reason === null ? null : { start, reason };
      stack.push(name, { name, hidden });
      if (silent.has(name)) silence += 1;
      if (hidden !== null) outermost ??= hidden;
    },
    close(name, { start, end }) {
      // What stands open in the element that it closes ends in front of it.
      position = start;
      closing = { name, end };
      stack.close(name);
      closing = null;
    },
    text(text) {
      if (silence > 0) return;
      const count = text.length < 200 ? text.replaceAll(/\s+/g, '').length : text.length;
      if (outermost === null) visible += count;
      else characters.set(outermost.reason, (characters.get(outermost.reason) ?? 0) + count);
    },
  });
  position = html.length;
  stack.closeAll();
  if (visible < minVisible) return whole;
  const isBelieved = ({ reason }: { reason: Reason }) => {
    const hidden = characters.get(reason) ?? 0;
    return hidden > 0 && hidden <= Math.max(Math.min(maxAside, visible), (hidden + visible) * maxShare[reason]);
  };
  const hidden = cuts.filter(isBelieved).toSorted((a, b) => a.start - b.start);
  return { visible: cutOut(html, hidden), marked: mark(html, hidden) };
}

function reasonOf(name: string, attributes: Attributes, selectors: ReadonlyMap<string, Hiding>): Reason | null {
  if (name === 'template' || name === 'noscript') return name;
  const { hidden, style, id } = attributes;
  if (hidden !== undefined && hidden.toLowerCase() !== 'until-found') return 'attribute';
  if (attributes['aria-hidden']?.toLowerCase() === 'true') return 'aria';
  const inline = style === undefined ? null : hidingOf(style);
  if (inline !== null || selectors.size === 0) return inline;
  const classes = (attributes['class'] ?? '').slice(0, 2_000).split(/\s+/);
  const names = [...classes.map((one) => `.${one}`), ...(id === undefined ? [] : [`#${id}`])];
  const hiding = names.map((one) => selectors.get(one)).find((one) => one !== undefined);
  // An element's own style goes before that of its class.
  return hiding === undefined || (style !== undefined && /display|visibility|opacity/i.test(style)) ? null : hiding;
}

function cutOut(html: string, cuts: readonly TagPlace[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of cuts) {
    if (start < at) continue;
    parts.push(html.slice(at, start));
    at = Math.max(start, end);
  }
  return parts.join('') + html.slice(at);
}

function mark(html: string, places: readonly TagPlace[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start } of places) {
    const name = /^[^\s/>]{0,100}/.exec(html.slice(start + 1, start + 101))?.[0] ?? '';
    const end = start + 1 + name.length;
    if (end <= at) continue;
    parts.push(html.slice(at, end), ` ${hiddenMark}=""`);
    at = end;
  }
  return parts.join('') + html.slice(at);
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
