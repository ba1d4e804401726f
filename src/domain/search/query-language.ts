import { canonicalUrl } from '../links/url.ts';
import { wordsOf } from '../text/words/words.ts';
import { allOf, anyOf, type Filter, leavesOf, maxQueryLength } from './filter.ts';
import { hintForName, operators, readOperator } from './operators.ts';

/*
 * The query language (docs/searching.md): words, "exact phrases", operators such as `tag:house`, `-` directly before one
 * of them or before a parenthesis, `OR` between two, parentheses. Anything else is plain text: C++, what's, foo:bar, -111,
 * a lone quotation mark, a parenthesis without its other half. In a longer question, quotation marks are often meant as
 * people write them, so there they only prefer.
 */

/** The text that passages are ranked by. */
export type RankBy = 'words' | 'meaning' | 'both';

export interface ParsedQuery {
  /** The text to rank by: the query without its operators, and phrases without their quotation marks. */
  text: string;
  /** A passage must contain each of them, word for word: the query has no other words. */
  phrases: string[];
  /** Phrases among other words: passages with one of them rank higher, and none is left out. */
  preferredPhrases: string[];
  /** Words and phrases. A passage must contain none of them. */
  excluded: string[];
  /** Further conditions for items. `OR` between words only filters in a query that has other parts than words. */
  filter: Filter | null;
  /**
   * The whole query as a condition, for lists: the item has each of its words and phrases. Null when there is nothing to
   * look for, or more than 50 words.
   */
  condition: Filter | null;
  /** When `OR` is between words: the words of `text` that are not alternatives. */
  wanted?: string;
  /** Hints about parts that were not understood. */
  hints: string[];
}

/** After this many phrases, operators, exclusions and parentheses, the rest is text: people type fewer, and each costs time. */
const maxOperators = 50;
const maxDepth = 10;
/** Each word of a list's query is looked up. */
export const maxListedWords = 50;
const maxHints = 3;

/** A piece of the query. */
interface Piece {
  kind: 'text' | 'phrase' | 'operator' | 'or' | 'open' | 'close';
  /** As it is written, with its minus. */
  written: string;
  /** White space is before it. */
  gap: boolean;
  isExcluded: boolean;
  value: string;
  name: string;
  /** Of a parenthesis: the number of the other one. */
  other: number;
  /** The text that it adds for ranking. */
  text: string;
}

type Node =
  | { kind: 'text' | 'phrase'; value: string }
  | { kind: 'filter'; filter: Filter }
  | { kind: 'not'; node: Node }
  | { kind: 'any' | 'all'; nodes: Node[] };

/** @param now milliseconds since the epoch, for `saved:this-week` */
export function parseQuery(query: string, now: number): ParsedQuery {
  const hints = new Set<string>();
  const pieces = piecesOf(query.toWellFormed(), hints);
  const isShouted = !/[\p{Ll}\p{Lo}]/u.test(query);
  if (!isShouted) for (const at of pieces.keys()) hintForWord(pieces, at, hints);
  const nodes = sequence(pieces, 0, pieces.length, { hints, now, isShouted });
  const parsed: ParsedQuery = {
    text: '',
    phrases: [],
    preferredPhrases: [],
    excluded: [],
    filter: null,
    condition: null,
    hints: [],
  };
  const filters = divide(nodes, parsed);
  const text = pieces.map((piece) => (piece.gap ? ` ${piece.text}` : piece.text)).join('');
  parsed.text = text.replaceAll(/\s+/g, ' ').trim();
  const quoted = pieces.reduce((sum, { kind, text: own }) => sum + (kind === 'phrase' ? wordsOf(own).length : 0), 0);
  if (parsed.phrases.length > 0 && wordsOf(text).length > quoted)
    Object.assign(parsed, { phrases: [], preferredPhrases: parsed.phrases });
  const isWords = pieces.every(({ kind, isExcluded }) => (kind === 'text' || kind === 'or') && !isExcluded);
  parsed.filter = isWords ? null : joined(filters);
  const isShort = pieces.filter(({ kind }) => kind === 'text').length <= maxListedWords;
  parsed.condition = isShort ? joined(nodes.flatMap((node) => conditionOf(node) ?? [])) : null;
  const alternatives = parsed.condition === null ? [] : alternativesIn(parsed.condition);
  if (alternatives.length > 0) {
    const optional = new Set(alternatives.flatMap((words) => wordsOf(words).map((word) => word.text)));
    const others = wordsOf(parsed.text).filter((word) => !optional.has(word.text));
    parsed.wanted = others.map((word) => word.text).join(' ');
  }
  parsed.hints = [...hints].slice(0, maxHints);
  return parsed;
}

/** Other languages use words for these, or write them in capitals. */
function hintForWord(pieces: readonly Piece[], at: number, hints: Set<string>): void {
  const [before, word, after] = [pieces[at - 1], pieces[at], pieces[at + 1]];
  if (word?.kind !== 'text' || word.isExcluded || after === undefined) return;
  const isBetween =
    before !== undefined && [before, after].some(({ kind, isExcluded }) => kind !== 'text' || isExcluded);
  if (word.written === 'AND' && isBetween)
    hints.add('`AND` was taken for text. Conditions side by side must all match: leave AND out.');
  if (word.written === 'NOT') hints.add('`NOT` was taken for text. -word excludes.');
  if (word.written === 'or' && before?.kind === 'operator' && after.kind === 'operator')
    hints.add('`or` was taken for text. Write OR in capitals.');
}

/** True when the query has filters but no text to rank by: matching items are then listed. */
export function isListing({ text, phrases, excluded, filter }: ParsedQuery): boolean {
  return text === '' && (filter !== null || phrases.length + excluded.length > 0);
}

/** Cuts the query into pieces, in one pass. */
function piecesOf(query: string, hints: Set<string>): Piece[] {
  if (query.length > maxQueryLength) return [piece('text', query, false)];
  const pieces: Piece[] = [];
  const open: number[] = [];
  let [at, count, gap] = [0, 0, false];
  const add = (one: Piece) => {
    pieces.push(one);
    at += one.written.length;
    if (one.kind !== 'text' || one.isExcluded) count += 1;
    gap = false;
  };
  for (let isFresh = true; at < query.length;) {
    if (/\s/.test(query.charAt(at))) {
      [gap, isFresh] = [true, true];
      at += 1;
      continue;
    }
    if (query.charAt(at) === ')' && open.length > 0) {
      const other = open.pop() ?? 0;
      (pieces[other] as Piece).other = pieces.length;
      add({ ...piece('close', ')', gap), other });
      isFresh = false;
      continue;
    }
    const next: Piece | null = isFresh && count < maxOperators ? pieceAt(query, at, gap, open.length > 0, hints) : null;
    const isTooDeep = next?.kind === 'open' && open.length === maxDepth;
    if (isTooDeep) hints.add(`Parentheses count up to ${maxDepth} in one another; further ones are text.`);
    if (next === null || isTooDeep) {
      add(piece('text', query.slice(at, endOfWord(query, at, open.length > 0)), gap));
      isFresh = false;
    } else {
      if (next.kind === 'open') open.push(pieces.length);
      add(next);
      isFresh = next.kind === 'open';
      if (count === maxOperators) hints.add(`Only the first ${maxOperators} operators count; the rest is text.`);
    }
  }
  for (const at of open) {
    const lone = pieces[at] as Piece;
    Object.assign(lone, { kind: 'text', isExcluded: false, text: lone.written });
  }
  return pieces;
}

const piece = (kind: Piece['kind'], written: string, gap: boolean): Piece => ({
  kind,
  written,
  gap,
  isExcluded: false,
  value: written,
  name: '',
  other: -1,
  text: kind === 'text' ? written : '',
});

/** A quoted phrase ends at a quotation mark that no letter or number follows, so `27" monitor, 32" screen` has none. */
const quotedAt = /["“”„«]([^"“”„«»]+)["“”»](?![\p{L}\p{N}])/uy;
const nameAt = /([a-z]{2,12}):/iy;
/** -111 is an exit code and -40 a temperature; -"2024" excludes a number. `--word` is a command-line option. */
const excludable = /^(?=.*\p{L})[\p{L}\p{N}]/u;

function matchAt(pattern: RegExp, query: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(query);
}

/** The piece that begins here; null: plain text. */
function pieceAt(query: string, from: number, gap: boolean, isInside: boolean, hints: Set<string>): Piece | null {
  const isExcluded = query.charAt(from) === '-';
  const at = isExcluded ? from + 1 : from;
  const make = (kind: Piece['kind'], end: number, more: Partial<Piece>): Piece => ({
    ...piece(kind, query.slice(from, end), gap),
    isExcluded,
    ...more,
  });
  if (query.charAt(at) === '(') {
    const isText = query.charAt(at + 1) === ')' || (isExcluded && !isExcludableGroup(query, at + 1));
    return isText ? null : make('open', at + 1, {});
  }
  const quoted = matchAt(quotedAt, query, at);
  if (quoted !== null) {
    const [written, value = ''] = quoted;
    return wordsOf(value).length === 0 ? null : make('phrase', at + written.length, { value });
  }
  const end = endOfWord(query, at, isInside);
  const [prefix = '', name = ''] = matchAt(nameAt, query, at) ?? [];
  if (Object.hasOwn(operators, name.toLowerCase())) {
    const valueAt = at + prefix.length;
    const inQuotes = matchAt(quotedAt, query, valueAt);
    const value = inQuotes?.[1] ?? query.slice(valueAt, end);
    if (inQuotes === null && /^["“”„«»]/.test(value)) return null;
    const valueEnd = inQuotes === null ? end : valueAt + inQuotes[0].length;
    return make('operator', valueEnd, { name: name.toLowerCase(), value });
  }
  const word = query.slice(at, end);
  const value = word.slice(prefix.length);
  const hint = name === '' || value === '' || value.startsWith('/') ? null : hintForName(name, value);
  if (hint !== null) hints.add(hint);
  if (word === 'OR' && !isExcluded) return make('or', end, {});
  return isExcluded && excludable.test(word) ? make('text', end, { value: word }) : null;
}

/** -(5 to 10) is a range. */
function isExcludableGroup(query: string, from: number): boolean {
  let at = from;
  while (/\s/.test(query.charAt(at))) at += 1;
  return /[\p{L}"“”„«]/u.test(query.slice(at, endOfWord(query, at, true)));
}

/** Where a word ends: before white space, or before the parenthesis that closes a group. */
function endOfWord(query: string, at: number, isInside: boolean): number {
  let end = at;
  for (let depth = 0; end < query.length && !/\s/.test(query.charAt(end)); end += 1) {
    if (query.charAt(end) === '(') depth += 1;
    else if (query.charAt(end) === ')') {
      if (depth === 0 && isInside) break;
      depth -= 1;
    }
  }
  return end;
}

interface Reading {
  hints: Set<string>;
  now: number;
  /** Everything is in capitals, so `OR` is as well. */
  isShouted: boolean;
}

/** Joins the pieces from `from` to before `to`. Pieces that turn out to be plain text get back what is written. */
function sequence(pieces: readonly Piece[], from: number, to: number, reading: Reading): Node[] {
  const nodes: Node[] = [];
  for (let at = from; at < to;) {
    const one = pieces[at] as Piece;
    if (one.kind !== 'or') {
      const [node, next] = term(pieces, at, reading);
      nodes.push(node);
      at = next;
      continue;
    }
    const left = nodes.at(-1);
    // Portland, OR
    const isText = reading.isShouted || pieces[at - 1]?.written.endsWith(',') === true;
    at += 1;
    const following = at < to ? pieces[at]?.kind : undefined;
    const [right, next] = following === undefined || following === 'or' ? [null, at] : term(pieces, at, reading);
    at = next;
    if (!isText && left !== undefined && right !== null && isCondition(left) && isCondition(right)) {
      if (left.kind === 'any') left.nodes.push(right);
      else nodes[nodes.length - 1] = { kind: 'any', nodes: [left, right] };
      continue;
    }
    one.text = one.written;
    nodes.push({ kind: 'text', value: one.written }, ...(right === null ? [] : [right]));
  }
  return nodes;
}

/** @returns the node, and the number of the piece behind it */
function term(pieces: readonly Piece[], at: number, reading: Reading): [Node, number] {
  const one = pieces[at] as Piece;
  const end = one.kind === 'open' ? one.other + 1 : at + 1;
  const node = nodeOf(pieces, at, reading);
  if (!one.isExcluded || (node.kind === 'text' && one.kind === 'operator')) return [node, end];
  for (const hidden of pieces.slice(at, end)) hidden.text = '';
  return [{ kind: 'not', node }, end];
}

function nodeOf(pieces: readonly Piece[], at: number, reading: Reading): Node {
  const one = pieces[at] as Piece;
  if (one.kind === 'open') {
    const nodes = sequence(pieces, at + 1, one.other, reading);
    // Parentheses around plain text are a part of it.
    if (nodes.every(({ kind }) => kind === 'text'))
      for (const bracket of [one, pieces[one.other] as Piece]) bracket.text = bracket.written;
    return { kind: 'all', nodes };
  }
  if (one.kind === 'operator') {
    const read = readOperator(one.name, one.value, reading.now);
    if (!('hint' in read)) return { kind: 'filter', filter: read };
    reading.hints.add(read.hint);
    one.text = one.written;
    return { kind: 'text', value: one.written };
  }
  if (one.kind === 'phrase') one.text = one.value;
  return { kind: one.kind === 'phrase' ? 'phrase' : 'text', value: one.value };
}

/** Whether a node narrows anything: it has a word or a filter. */
function isCondition(node: Node): boolean {
  if ('node' in node) return isCondition(node.node);
  if ('nodes' in node) return node.nodes.some(isCondition);
  return 'filter' in node || wordsOf(node.value).length > 0;
}

function conditionOf(node: Node): Filter | null {
  if ('filter' in node) return node.filter;
  if ('value' in node) return isCondition(node) ? { word: node.value } : null;
  if ('node' in node) {
    const not = conditionOf(node.node);
    return not && { not };
  }
  const conditions = node.nodes.flatMap((one) => conditionOf(one) ?? []);
  return node.kind === 'any' ? anyOf(conditions) : joined(conditions);
}

/** Words of which another condition may take the place. */
function alternativesIn(filter: Filter): string[] {
  if ('all' in filter) return filter.all.flatMap(alternativesIn);
  return 'any' in filter ? [...leavesOf(filter)].flatMap((one) => ('word' in one ? [one.word] : [])) : [];
}

/** An item has only one of each, so with several, one must match. */
const single = ['type', 'site', 'lang', 'shelf'] as const;

function joined(filters: readonly Filter[]): Filter | null {
  const kindOf = (filter: Filter) => single.find((kind) => kind in filter);
  const firsts = filters.filter((filter, at) => {
    const kind = kindOf(filter);
    return kind === undefined || filters.findIndex((one) => kindOf(one) === kind) === at;
  });
  return allOf(
    ...firsts.map((filter) => {
      const kind = kindOf(filter);
      return kind === undefined ? filter : anyOf(filters.filter((one) => kindOf(one) === kind));
    }),
  );
}

/** Puts phrases and excluded words, which passages are asked for, into `parsed`. @returns conditions on items */
function divide(nodes: readonly Node[], parsed: ParsedQuery): Filter[] {
  return nodes.flatMap((node) => {
    if (node.kind === 'all') return divide(node.nodes, parsed);
    const [list, values] =
      node.kind === 'not'
        ? [parsed.excluded, wordsIn(node.node)]
        : [parsed.phrases, node.kind === 'phrase' ? [node.value] : null];
    if (values !== null) for (const value of values) if (!list.includes(value)) list.push(value);
    return node.kind === 'text' || values !== null ? [] : (conditionOf(node) ?? []);
  });
}

/** The words and phrases, of which one is enough; null when it is something else. */
function wordsIn(node: Node): string[] | null {
  if ('value' in node) return [node.value];
  if (!('nodes' in node) || (node.kind === 'all' && node.nodes.length !== 1)) return null;
  const words = node.nodes.map(wordsIn);
  return words.every((some) => some !== null) ? words.flat() : null;
}

/**
 * If the whole query is an address, with or without `https://`: the canonical spellings under which it may have been
 * saved. Otherwise empty.
 */
export function addressesIn(query: string): string[] {
  const pasted = query.trim().replace(/^<(.*)>$/u, '$1');
  const [, scheme, rest = ''] = /^(https?:\/\/)?([^\s/]+\.[^\s/.]+(?:\/\S*)?|[^\s/]+\/\S*)$/iu.exec(pasted) ?? [];
  const isAddress = scheme === undefined ? /^[^\s/@]+\.\p{L}{2,}\/\S/u.test(rest) : URL.canParse(pasted);
  return isAddress ? ['https://', 'http://'].map((start) => canonicalUrl(start + rest)) : [];
}
