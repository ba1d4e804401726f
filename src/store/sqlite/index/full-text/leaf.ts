import { UnsupportedIndexFormat } from './unsupported-index-format.ts';
import { VarintReader } from './varint.ts';

/*
 * A page of a segment: postings that continue from the page before, then terms, each followed by its postings, then a
 * footer with the offset of each term. All terms but the first of a page omit the prefix that they share with the
 * previous term.
 */

/** Bytes before the postings. */
export const leafHeader = 4;

/** Where the postings of a term are on a page. */
export interface Extent {
  start: number;
  end: number;
  /** Whether they may continue on the next page. */
  mayGoOn: boolean;
}

/** Offset of the first row id that comes before any term; 0 when there is none. */
export function firstRowAt(leaf: Uint8Array): number {
  return ((leaf[0] ?? 0) << 8) | (leaf[1] ?? 0);
}

/** Offset of the footer, which is empty when no term begins on the page. */
function footerAt(leaf: Uint8Array): number {
  const at = ((leaf[2] ?? 0) << 8) | (leaf[3] ?? 0);
  if (at < leafHeader || at > leaf.length) throw new UnsupportedIndexFormat('a page without a footer');
  return at;
}

/** The postings at the start of a page that belong to the last term of an earlier page. */
export function carriedOver(leaf: Uint8Array): Extent {
  const footer = footerAt(leaf);
  if (footer === leaf.length) return { start: leafHeader, end: footer, mayGoOn: true };
  const end = new VarintReader(leaf, footer).next();
  if (end < leafHeader || end > footer) throw new UnsupportedIndexFormat('a term outside its page');
  return { start: leafHeader, end, mayGoOn: false };
}

/** The postings of exactly this term; null when it is not on the page. */
export function findTerm(leaf: Uint8Array, term: Uint8Array): Extent | null {
  const footer = footerAt(leaf);
  if (footer === leaf.length) return null;
  let place = footer;
  let termAt = 0;
  // Number of leading bytes that are equal to the term looked for.
  let same = 0;
  while (place < leaf.length) {
    const isFirst = place === footer;
    let byte = leaf[place] ?? 0;
    place += 1;
    let distance = byte & 0x7f;
    while (byte >= 0x80) {
      byte = leaf[place] ?? 0;
      place += 1;
      distance = distance * 0x80 + (byte & 0x7f);
    }
    termAt += distance;
    let at = termAt;
    // Number of leading bytes shared with the previous term.
    let kept = 0;
    if (!isFirst) {
      byte = leaf[at] ?? 0;
      at += 1;
      kept = byte & 0x7f;
      while (byte >= 0x80) {
        byte = leaf[at] ?? 0;
        at += 1;
        kept = kept * 0x80 + (byte & 0x7f);
      }
      if (kept > same) continue;
      if (kept < same) return null;
    }
    byte = leaf[at] ?? 0;
    at += 1;
    let added = byte & 0x7f;
    while (byte >= 0x80) {
      byte = leaf[at] ?? 0;
      at += 1;
      added = added * 0x80 + (byte & 0x7f);
    }
    if (at + added > footer) throw new UnsupportedIndexFormat('a term outside its page');
    let i = 0;
    while (i < added && same < term.length && leaf[at + i] === term[same]) {
      i += 1;
      same += 1;
    }
    if (same === term.length) return i === added ? extentBehind(leaf, footer, at + added, termAt, place) : null;
    if (i < added && (leaf[at + i] ?? 0) > (term[same] ?? 0)) return null;
  }
  return null;
}

function extentBehind(leaf: Uint8Array, footer: number, start: number, termAt: number, place: number): Extent {
  const isLast = place >= leaf.length;
  const end = isLast ? footer : termAt + new VarintReader(leaf, place).next();
  if (end < start || end > footer) throw new UnsupportedIndexFormat('postings outside their page');
  return { start, end, mayGoOn: isLast };
}

/**
 * Visits the terms of a page in order, until `visit` returns false. The bytes passed to `visit` are valid only until it
 * returns.
 * @returns whether the end of the page was reached
 */
export function walkTerms(leaf: Uint8Array, visit: (term: Uint8Array, length: number) => boolean): boolean {
  const footer = footerAt(leaf);
  const places = new VarintReader(leaf, footer);
  const numbers = new VarintReader(leaf, 0);
  let term = new Uint8Array(64);
  let termAt = 0;
  while (!places.isAtEnd) {
    const isFirst = termAt === 0;
    termAt += places.next();
    numbers.at = termAt;
    const kept = isFirst ? 0 : numbers.next();
    const added = numbers.next();
    const from = numbers.at;
    if (from + added > footer || kept > term.length) throw new UnsupportedIndexFormat('a term outside its page');
    const length = kept + added;
    if (length > term.length) {
      const wider = new Uint8Array(2 * length);
      wider.set(term.subarray(0, kept));
      term = wider;
    }
    for (let at = 0; at < added; at += 1) term[kept + at] = leaf[from + at] ?? 0;
    if (!visit(term, length)) return false;
  }
  return true;
}
