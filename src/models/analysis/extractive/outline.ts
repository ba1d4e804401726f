import { beginningOf, withoutTrailing } from '../../../domain/text/shortened.ts';
import { headingName, plainText } from '../../../domain/text/plain-text.ts';
import type { TextSpan } from '../../../domain/text/graphemes.ts';
import { begins, contains, phrases, wordsOf } from './words.ts';
import { isMailHeader } from './candidates.ts';
import { greeting } from './page-kinds.ts';
import { isFurniture } from './statements.ts';
import type { AnalysisInput } from '../analyst.ts';

/* The kind of a page by its shape: a list and its heads, a discussion, a recording with chapters, a product with a price. */

export interface Head {
  plain: string;
  /** Without its number. */
  name: string;
  start: number;
  end: number;
  level: number;
  /** Position of its block, from 0. */
  block: number;
  /** True if all of it is a link, as on a front page or a shelf of a shop. */
  isLink: boolean;
  /** It has a number, or a word with one, before its name. */
  isNumbered: boolean;
  /** The first price before the next head. */
  price: string | null;
}

export type ListKind = 'lists' | 'chapters' | 'refutes' | 'sections' | 'features';

export interface Outline {
  heads: readonly Head[];
  /** The heads that tell what the page holds, and what they are; null when they tell nothing. */
  list: { kind: ListKind; names: readonly string[] } | null;
  /** True if `list` holds the things of a shop's shelf or the stories of a front page. */
  isShelf: boolean;
  /** Headings that begin the posts of a discussion: "Name · 3 May 2024". */
  isDiscussion: boolean;
  /** The price near the beginning of the page of one product. */
  price: string | null;
}

/** The level of heads in lists: below all headings. */
export const listLevel = 7;
/** Heads of one page that are read. */
const maxHeads = 400;
/** Blocks at the beginning among which the price of a product stands. */
const maxBlocksToPrice = 14;
const maxBlocksToFeatures = 30;
/** Characters of lists that are looked through for heads, and of one list for names. */
const maxListsRead = 1_000_000;
const maxNameOnShelf = 60;
const maxLookedForWords = 100_000;
const maxLookedUp = 12;

const item = /^[ \t]{0,8}(?:[-*+•]|\d{1,3}[.)])[ \t]/gm;
/** The name of an item is a link, bold words or words before a colon; that of a paragraph bold words, or a link that is all of it. */
const nameOfItem =
  /(?<=^[ \t]{0,8}(?:[-*+•]|\d{1,3}[.)])[ \t]{1,4})(?:(?:\*\*)?\[[^[\]\n]{3,90}\]\([^()\s]{1,300}\)|\*\*[^*\n]{3,70}\*\*|\p{Lu}[^.:[*\n]{3,60}(?=: ))/gmu;
const nameOfParagraph = /^(?:\*\*[^*\n]{3,70}\*\*(?!$)|\[[^[\]\n!]{3,90}\]\([^()\s]{1,300}\)$)/g;
/** Without headings, lines that begin with a name make a list from this share of all on. */
const minShareOfNames = 0.4;

const numbered =
  /^\d{1,2}(?::\d\d){1,2} |^(?:(?:step|tip|myth|fact|prediction|reason|way|mistake|rule|lesson|idea|trend|day|week|no\.?|number) ?)?#?\d{1,3}\\?(?:[.):–—-](?!\d)| of \d| [–—-]|(?=:)) {0,3}|^(?:myth|fiction|fact) ?[:–—-] ?/i;
/** Numbers of a paper's or a manual's sections. */
const sectionNumber = /^(?:\d{1,2}(?:\.\d{1,2}){1,3}\.?|[IVX]{1,5}\.|[A-H]\.)\s+(?=\p{L})/u;
const priced =
  /(?:\b(?:US|CA|AU|NZ)\s?)?[$€£¥₹]\s?\d[\d.,]{0,11}\d|[$€£¥₹]\s?\d\b|\b\d[\d.,]{0,11}\s?(?:€|£|EUR\b|USD\b|GBP\b|CHF\b|kr\b|zł)/u;
/** A line of an offer, a share or a range holds no product's price. */
const ofOffer = /\b(?:save|up to|extra|copay|off|per|for an?|free|shipping)\b|\d ?(?:[–-]|[mbk]\b)/i;
/** Headings of any page, and what such headings begin with: they say nothing of what it holds. */
const usual =
  phrases(`intro, introduction, overview, conclusion, conclusions, summary, in summary, q a, contents, source, sources, resources, note, notes, warning, important, final words, the bottom line,
  bottom line, wrap up, wrapping up, description, details, review, reviews, register, background, abstract, pros, cons, price, dimensions, discussion, discussions, external links, tags, categories, disclaimer, looking ahead, on this page, name, synopsis, prerequisites, quick facts, how it works, home, honorable mentions, honourable mentions`);
const usualBeginnings =
  phrases(`references, footnotes, faq, faqs, frequently asked questions, related, comment, comments, share, table of contents, about the, about us, about this, key takeaways, key takeaway, read more, read next, see also, more, final thoughts, subscribe,
  contact, get started, get in touch, request, sign up, newsletter, leave a, acknowledgements, acknowledgments, further reading, you may also, you might also, recommended, latest, popular, shop on, delivery, shipping, what's new, learn more, product identifiers,
  product key features, product details, product information, product description, additional, head line, headline, lorem ipsum, image references, in this, what now, why choose, why work with, start your, our`);
const countInTitle =
  /(?<![\p{L}\p{N}.,$€£-])(\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty)(?![\p{L}\p{N}.,%:/-])/giu;
const inWords = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const refuting = phrases(
  `myth, myths, debunk, debunked, debunking, debunks, misconception, misconceptions, old wives, fallacy, fallacies, busted, hoax, hoaxes, mythen, mythos, irrtum, irrtümer, mythe, mythes, idées reçues, mito, mitos, miti, falsi miti, fabels`,
);

export function readOutline({ title, text, blocks }: Pick<AnalysisInput, 'title' | 'text' | 'blocks'>): Outline {
  const heads = readHeads(text, blocks);
  const isDiscussion = heads.length > 0 && 3 * heads.filter(({ name }) => beginsPost(name)).length >= heads.length;
  const named = once(heads.filter(({ name }) => isTelling(name) && name.toLowerCase() !== title?.toLowerCase()));
  const shelf = isDiscussion ? null : shelfOf(named);
  if (shelf !== null) return { heads, list: shelf, isShelf: true, isDiscussion, price: null };
  const price = isDiscussion || isLetter(text, blocks) ? null : priceOfProduct(text, blocks, heads);
  const list = isDiscussion ? null : listOf(title ?? '', named, text, blocks);
  const lines = list === null && price === null && !isDiscussion ? namedLines(text, blocks) : [];
  if (lines.length >= 5) {
    const kind = lines.every(({ block }) => blocks[block]?.kind === 'list') ? 'lists' : 'sections';
    return {
      heads: lines,
      list: { kind, names: once(lines).map(({ name }) => name) },
      isShelf: false,
      isDiscussion,
      price,
    };
  }
  if (price === null || list?.kind === 'lists') return { heads, list, isShelf: false, isDiscussion, price };
  return { heads, list: featuresIn(text, blocks), isShelf: false, isDiscussion, price };
}

function isTelling(name: string): boolean {
  const words = wordsOf(name);
  return (
    usual.get(words[0] ?? '')?.has(words.join(' ')) !== true && !begins(words, usualBeginnings) && !isSentenceLike(name)
  );
}

/** The first list of short lines on the page of a product. */
function featuresIn(text: string, blocks: AnalysisInput['blocks']): Outline['list'] {
  for (const { kind, start, end } of blocks.slice(0, maxBlocksToFeatures)) {
    if ((kind !== 'list' && kind !== 'paragraph') || end - start > 4_000) continue;
    const names = text
      .slice(start, end)
      .split('\n')
      .map((line) => plainText(line.replace(/^\s*\\?[-*+•]\s+/, '')).trim())
      .filter(
        (line) =>
          line.length > 5 &&
          line.length <= 70 &&
          /\p{L}{3,}.*\p{L}{3,}/u.test(line) &&
          !isFurniture(line, null) &&
          !/^(?:sku|model|item|os|processor|memory|graphics|storage|directx®?|(?:video|sound) card)\b/i.test(line),
      );
    if (names.length >= (kind === 'list' ? 2 : 4)) return { kind: 'features', names };
  }
  return null;
}

/** What a letter names is no product of its page. */
function isLetter(text: string, blocks: AnalysisInput['blocks']): boolean {
  return blocks.slice(0, maxBlocksToPrice).some(({ start, end }) => {
    const block = text.slice(start, end);
    return (block.length < maxNameOnShelf && greeting.test(block)) || isMailHeader(block);
  });
}

/** The price that stands alone near the beginning, before the first link to another product. */
function priceOfProduct(text: string, blocks: AnalysisInput['blocks'], heads: readonly Head[]): string | null {
  const firstLink = heads.find(({ isLink }) => isLink)?.start ?? text.length;
  for (const { kind, start, end } of blocks.slice(0, maxBlocksToPrice)) {
    if (start > firstLink) return null;
    const line = text.slice(start, Math.min(end, start + 61));
    const price = (kind === 'paragraph' || kind === 'heading') && line.length <= 60 ? priceIn(line) : null;
    if (price !== null && !ofOffer.test(line)) return price;
  }
  return null;
}

export function beginsPost(heading: string): boolean {
  const dot = heading.indexOf(' · ');
  return dot !== -1 && /\d/.test(heading.slice(dot));
}

/** The names at the beginning of lines, if many lines have one. */
function namedLines(text: string, blocks: AnalysisInput['blocks']): Head[] {
  const found: Head[] = [];
  let lines = 0;
  for (const [at, block] of blocks.entries()) {
    const isList = block.kind === 'list';
    if ((!isList && block.kind !== 'paragraph') || found.length > maxHeads) continue;
    const source = text.slice(block.start, Math.min(block.end, block.start + maxListsRead));
    lines += isList ? (source.match(item)?.length ?? 0) : 1;
    for (const { 0: name, index } of source.matchAll(isList ? nameOfItem : nameOfParagraph))
      add(found, text, { start: block.start + index, end: block.start + index + name.length }, at, listLevel);
  }
  return found.length < minShareOfNames * lines ? [] : found;
}

/** Headings, and those within lists, as shelves of shops have them. */
function readHeads(text: string, blocks: AnalysisInput['blocks']): Head[] {
  const heads: Head[] = [];
  let listed = 0;
  for (const [at, { kind, level, start, end }] of blocks.entries()) {
    if (heads.length >= maxHeads) break;
    if (kind === 'heading') add(heads, text, { start, end }, at, level ?? 1);
    if (kind !== 'list') continue;
    const until = Math.min(end, start + maxListsRead - listed);
    listed += until - start;
    for (let from = start; from < until && heads.length < maxHeads;) {
      const to = text.indexOf('\n', from);
      const line = { start: from, end: to === -1 || to > end ? end : to };
      if (/^[ \t]{0,20}(?:[-*+] )?[ \t]{0,4}#{1,6} /.test(text.slice(from, from + 30)))
        add(heads, text, line, at, listLevel);
      from = line.end + 1;
    }
  }
  for (const [n, head] of heads.entries()) {
    const until = Math.min(heads[n + 1]?.start ?? text.length, head.end + 400);
    head.price =
      text
        .slice(head.end, until)
        .split('\n')
        .filter((line) => line.length <= 60)
        .map(priceIn)
        .find((price) => price !== null) ?? null;
  }
  return heads;
}

function add(heads: Head[], text: string, { start, end }: TextSpan, block: number, level: number): void {
  const marks = /^[\s*+-]{0,30}#{1,6}\s{0,10}/.exec(text.slice(start, start + 60))?.[0].length ?? 0;
  const source = text.slice(start + marks, end);
  const plain = headingName(source);
  // The plain text of a heading has lost the number of "1. Robotics", as if it were the mark of a list.
  const isNumbered = numbered.test(
    source
      .slice(0, 100)
      .replace(/[*_\\[]/g, '')
      .trimStart(),
  );
  const bare = plain.replace(/[\\*]/g, '').replace(numbered, '').replace(sectionNumber, '');
  const name = bare.replace(/[\s:#🔗¶]{1,20}$/u, '').trim();
  if (name === '') return;
  const isLink = /^\s{0,10}!?\[/.test(source) && /\]\([^()\s]/.test(source.slice(0, 2_000));
  heads.push({ plain, name, start: start + marks, end, level, block, isLink, isNumbered, price: null });
}

function priceIn(source: string): string | null {
  return (
    priced
      .exec(source.slice(0, 400).replace(/~~[^~]*~~|original price(?: was)?:? ?\S{0,20}?\d\.(?=\p{L})/giu, ''))?.[0]
      .trim() ?? null
  );
}

/** Whole words of a name from its beginning. */
export function nameWithin(name: string, maxLength: number): string {
  if (name.length <= maxLength) return name;
  const end = name.lastIndexOf(' ', maxLength);
  const whole = beginningOf(name, end === -1 ? maxLength : end);
  const open = whole.lastIndexOf('(');
  return withoutTrailing(open > Math.max(10, whole.lastIndexOf(')')) ? whole.slice(0, open) : whole, ' ,;:-–—&');
}

function shelfOf(named: readonly Head[]): Outline['list'] {
  const priced = named.filter(({ price }) => price !== null);
  const links = named.filter(({ isLink, level }) => isLink || level === listLevel);
  const shelf = priced.length >= 5 && 2 * priced.length >= links.length ? priced : links;
  const questions = shelf.filter(({ name }) => name.endsWith('?')).length;
  if (shelf.length < 5 || 2.5 * shelf.length < named.length || 2 * questions > shelf.length) return null;
  return {
    kind: 'lists',
    names: shelf.map(({ name, price }) => `${nameWithin(name, maxNameOnShelf)}${price === null ? '' : ` (${price})`}`),
  };
}

function listOf(title: string, named: readonly Head[], text: string, blocks: AnalysisInput['blocks']): Outline['list'] {
  const chapters = named.filter(({ block }) => blocks[block]?.locator?.kind === 'time');
  if (chapters.length >= 3) return { kind: 'chapters', names: chapters.map(({ name }) => name) };
  const kind: ListKind = contains(wordsOf(title), refuting) ? 'refutes' : 'lists';
  const counted = countedHeads(title, named) ?? numberedHeads(named);
  if (counted !== null) return { kind, names: counted.map(({ name }) => name) };
  const top = topLevel(named);
  if (kind === 'refutes' && top.length > 0) return { kind, names: top.map(({ name }) => name) };
  const telling = top.filter(({ name }) => !name.endsWith('?'));
  return telling.length >= 4 && !areNames(telling, text)
    ? { kind: 'sections', names: telling.map(({ name }) => name) }
    : null;
}

/** True if most begin with words that are nowhere in lower case, as names do: they tell nothing of what follows. */
function areNames(heads: readonly Head[], text: string): boolean {
  const looked = text.slice(0, maxLookedForWords);
  const some = heads.slice(0, maxLookedUp);
  const isWord = (word: string): boolean => word.length > 1 && looked.includes(` ${word}`);
  return 2 * some.filter(({ name }) => !wordsOf(name).slice(0, 2).some(isWord)).length > some.length;
}

/** The heads of a list whose title tells their number, "11 brands", some more or less. */
function countedHeads(title: string, heads: readonly Head[]): readonly Head[] | null {
  const counts = [...title.matchAll(countInTitle)].map(([, count = '']) =>
    /\d/.test(count) ? Number(count) : inWords.indexOf(count.toLowerCase()),
  );
  const telling = heads.filter(({ name }) => !name.endsWith('?'));
  const sets = [telling.filter(({ isNumbered }) => isNumbered), ...Map.groupBy(telling, ({ level }) => level).values()];
  for (const count of counts.filter((one) => one >= 3)) {
    const near = sets
      .filter(({ length }) => length >= 3 && Math.abs(length - count) <= Math.max(1, 0.4 * count))
      .toSorted((x, y) => Math.abs(x.length - count) - Math.abs(y.length - count))[0];
    if (near !== undefined) return near;
  }
  return null;
}

function numberedHeads(heads: readonly Head[]): readonly Head[] | null {
  const found = heads.filter(({ isNumbered }) => isNumbered);
  const top = topLevel(heads)[0]?.level;
  const areMain = found.some(({ level }) => level === top) || found.length >= 0.6 * heads.length;
  return found.length >= 3 && areMain ? found : null;
}

/** The heads of the highest level that has more than three, the first of them in the first third: others close a page. */
function topLevel(heads: readonly Head[]): readonly Head[] {
  const byLevel = Map.groupBy(heads, ({ level }) => level);
  const levels = [...byLevel].sort(([x], [y]) => x - y).map(([, own]) => own);
  const beginsEarly = ([first]: readonly Head[]): boolean =>
    first !== undefined && 3 * heads.indexOf(first) < heads.length;
  return levels.find((own) => own.length >= 4 && beginsEarly(own)) ?? [];
}

/** A heading in whole sentences is not a name of what follows. */
export function isSentenceLike(name: string): boolean {
  return /[.!]$/.test(name) && name.split(' ').length >= 8;
}

function once(heads: readonly Head[]): Head[] {
  return [...new Map(heads.toReversed().map((head) => [head.name.toLowerCase(), head])).values()].reverse();
}
