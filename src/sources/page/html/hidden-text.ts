import { hiddenSelectors, hidingOf, type Hiding } from './hidden-styles.ts';
import { ariaHiddenOf, audienceOf, type LinePart, SpokenLines } from './spoken-text.ts';
import { OpenElements, readTokens, voids, type Attributes, type TagPlace } from './html-tokens.ts';

/*
 * A page can hide text from people to address the program that reads it for them. Hidden text is removed unless the
 * page depends on it: many pages hide their text until a script runs.
 */

type Reason = Hiding | 'attribute' | 'aria' | 'template' | 'noscript';

/**
 * Maximum share of a page's text that may be hidden for each reason. If more is hidden, scripts are assumed to show it.
 */
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
/** Maximum number of elements removed from one page. */
const maxCuts = 20_000;

const silent = new Set('script style svg iframe object head title select textarea'.split(' '));
const never = new Set(['html', 'body', 'head', 'title', 'script', 'style', 'svg', ...voids]);

interface Hidden {
  start: number;
  reason: Reason;
}

/** The page without hidden text. Unchanged if nothing is hidden, or if too little would be left. */
export function withoutHiddenText(html: string): string {
  return hideText(html).visible;
}

/** Attribute that marks hidden elements. */
export const hiddenMark = 'data-hidden-text';

export interface HiddenText {
  /** The page without hidden text. */
  visible: string;
  /** The whole page with `hiddenMark` on hidden elements: hidden text helps to classify the text around it. */
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
  const lines = new SpokenLines();
  const stack = new OpenElements<{ name: string; hidden: Hidden | null; part: LinePart | null }>((element) => {
    const { name, hidden, part } = element;
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
      const reason = silence > 0 || never.has(name) ? null : reasonOf(name, attributes, selectors);
      const hidden: Hidden | null = reason === null ? null : { start, reason };
      const isShown = silence === 0 && outermost === null && hidden === null;
      const part = isShown ? lines.open(name, attributes, place) : null;
      stack.push(name, { name, hidden, part });
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
      } else characters.set(outermost.reason, (characters.get(outermost.reason) ?? 0) + count);
    },
  });
  position = html.length;
  stack.closeAll();
  lines.endLine();
  for (const { text, place } of lines.repeated.slice(0, maxCuts)) {
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

function reasonOf(name: string, attributes: Attributes, selectors: ReadonlyMap<string, Hiding>): Reason | null {
  const reason = hidingReason(name, attributes, selectors);
  const isClosedTab = attributes['role']?.toLowerCase() === 'tabpanel' && reason !== 'trick';
  return isClosedTab ? null : reason;
}

function hidingReason(name: string, attributes: Attributes, selectors: ReadonlyMap<string, Hiding>): Reason | null {
  if (name === 'template' || name === 'noscript') return name;
  const { hidden, style, id } = attributes;
  if (hidden !== undefined && hidden.toLowerCase() !== 'until-found') return 'attribute';
  if (attributes['aria-hidden']?.toLowerCase() === 'true' && audienceOf(name, attributes) === null) return 'aria';
  const inline = style === undefined ? null : hidingOf(style);
  if (inline !== null || selectors.size === 0) return inline;
  const classes = (attributes['class'] ?? '').slice(0, 2_000).split(/\s+/);
  const names = [...classes.map((one) => `.${one}`), ...(id === undefined ? [] : [`#${id}`])];
  const hiding = names.map((one) => selectors.get(one)).find((one) => one !== undefined);
  // An element's own style overrides that of its class.
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
