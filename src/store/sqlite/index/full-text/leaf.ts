import { UnsupportedIndexFormat } from './unsupported-index-format.ts';
import { VarintReader } from './varint.ts';

/*
 * A page of a segment: postings that a page before began, then terms, each with its postings, and behind them a footer that says
 * where each term begins. All but the first term of a page are without what they have in common with the one before.
 */

/** Bytes before the postings. */
export const leafHeader = 4;

/** Where on a page the postings of a term are. */
export interface Extent {
  start: number;
  end: number;
  /** Whether they may go on on the next page. */
  mayGoOn: boolean;
}

/** Where the first row's number is that stands before any term; 0 when there is none. */
export function firstRowAt(leaf: Uint8Array): number {
  return ((leaf[0] ?? 0) << 8) | (leaf[1] ?? 0);
}

/** Where the footer begins; with no term on the page it is empty. */
function footerAt(leaf: Uint8Array): number {
  const at = ((leaf[2] ?? 0) << 8) | (leaf[3] ?? 0);
  if (at < leafHeader || at > leaf.length) throw new UnsupportedIndexFormat('a page without a footer');
  return at;
}

/** The postings at the beginning of a page that belong to the last term of a page before. */
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
  // How many bytes are as in the term that is looked for.
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
    // How many are as in the term before.
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
 * Walks over the terms of a page in their order, until `visit` returns false. The bytes that it gets are its own only until it returns.
 * @returns whether it came to the end
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
