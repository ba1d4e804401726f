import { kindsOf, type KnownMarkings, markingKinds } from '../class-hints.ts';
import type { DomNode } from '../html/dom-node.ts';

/** A block-level element with counts of its contents, nested elements included. */
export interface Box {
  tag: string;
  parent: Box | null;
  depth: number;
  /** Tag and first class, to recognise elements that are built alike. */
  shape: string;
  /** For each of `markingKinds`: steps up to the nearest box with the hint, or `unmarked`. */
  marked: Uint8Array;
  words: number;
  chars: number;
  linkChars: number;
  /** Words in paragraphs, or blocks of more than 20 words, with few links. */
  proseWords: number;
  blocks: number;
  first: number;
}

/** Value in `Box.marked` if neither the box nor a box above it has the hint. */
export const unmarked = 30;

export function createBox(element: DomNode, tag: string, parent: Box | null, known: KnownMarkings): Box {
  const classes = element.getAttribute('class') ?? '';
  const kinds = kindsOf(tag, element, known);
  const marked = new Uint8Array(markingKinds.length);
  for (let i = 0; i < marked.length; i += 1) {
    const above = parent?.marked[i] ?? unmarked;
    marked[i] = (kinds & (1 << i)) !== 0 ? 0 : Math.min(unmarked, above + 1);
  }
  return {
    tag,
    parent,
    depth: (parent?.depth ?? -1) + 1,
    shape: `${tag}.${classes.trim().split(/\s+/, 1)[0]?.replaceAll(/\d+/g, '0') ?? ''}`,
    marked,
    words: 0,
    chars: 0,
    linkChars: 0,
    proseWords: 0,
    blocks: 0,
    first: 0,
  };
}

/** The box itself and its ancestors, the page's root last. */
export function boxesAbove(box: Box): Box[] {
  const above: Box[] = [];
  for (let at: Box | null = box; at !== null; at = at.parent) above.push(at);
  return above;
}

/** The box itself or its nearest ancestor with one of these tags. */
export function nearestBox(box: Box, ...tags: readonly string[]): Box | null {
  let at: Box | null = box;
  while (at !== null && !tags.includes(at.tag)) at = at.parent;
  return at;
}

export function isWithin(box: Box | null, outer: Box): boolean {
  let at = box;
  while (at !== null && at !== outer) at = at.parent;
  return at === outer;
}

export function commonBox(one: Box, two: Box): Box {
  let [a, b] = [one, two];
  while (a !== b) {
    if (a.depth >= b.depth && a.parent !== null) a = a.parent;
    else if (b.parent !== null) b = b.parent;
    else return a;
  }
  return a;
}

const headings = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6']);

export function isHeadingBox({ tag, parent }: Box): boolean {
  return headings.has(tag) || headings.has(parent?.tag ?? '');
}

/** Gives each box a number that is equal for boxes with the same tags and first classes up to the page's root. */
export function createPaths(): (box: Box) => number {
  const numbers = new Map<string, number>();
  const known = new Map<Box, number>();
  const pathOf = (box: Box): number => {
    const before = known.get(box);
    if (before !== undefined) return before;
    const path = `${box.parent === null ? '' : pathOf(box.parent)}>${box.shape}`;
    const number = numbers.get(path) ?? numbers.size;
    numbers.set(path, number);
    known.set(box, number);
    return number;
  };
  return pathOf;
}
