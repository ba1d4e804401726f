import type { ContentType } from '../records/content.ts';
import { contentTypes, tagOf } from '../records/item.ts';
import { withoutTrailing } from '../text/trailing.ts';
import { narrowest, spanOfDate, type TimeSpan } from './dates.ts';
import { canonicalUrl } from '../links/url.ts';
import { wordsOf } from '../text/words/words.ts';

/*
 * The query syntax: words, "exact phrases", -word and -"phrase", site:, type:, tag:, before: and after:
 * (publication), saved:, savedafter: and savedbefore:. Anything else is plain text: C++, what's, foo:bar, a lone quotation mark, type:something-else. In a longer question, quotation marks
 * are often meant as people write them, so there they only prefer.
 */

/** What passages are ranked by. */
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
  /** `host` or `host/path`: an item is on one of them or a subdomain. Without a dot, it matches any part of a name. */
  sites: string[];
  /** An item has one of them. */
  types: ContentType[];
  /** An item has all of them. */
  tags: string[];
  /** Published (or, if that is unknown, saved) at or after this time, in milliseconds since the epoch. */
  since?: number;
  /** The same, before this time. */
  before?: number;
  /** Saved at or after this time, and before it. */
  savedSince?: number;
  savedBefore?: number;
}

/** Further operators are treated as text: nobody types more, and each costs the search time. */
const maxOperators = 50;

/**
 * A token at the start or after a space. A quoted phrase ends at a quotation mark that no letter or number follows, so
 * `27" monitor, 32" screen` has no phrase.
 */
const token =
  /(?<=^|\s)(?<minus>-)?(?:(?<key>site|type|tag|before|after|saved|savedafter|savedbefore):)?(?:["“”„«](?<quoted>[^"“”„«»]+)["“”»](?![\p{L}\p{N}])|(?<bare>[^\s"“”„«»]\S*))/giu;

/** Every token that is more than a word has one of these. */
const signs = /[-:"“”„«]/;

export function parseSearchQuery(query: string): ParsedQuery {
  const parsed: ParsedQuery = {
    text: '',
    phrases: [],
    preferredPhrases: [],
    excluded: [],
    sites: [],
    types: [],
    tags: [],
  };
  let operators = 0;
  let quotedWords = 0;
  const take = (match: string, ...rest: unknown[]): string => {
    const { minus, key, quoted, bare } = rest.at(-1) as Record<string, string | undefined>;
    const value = quoted ?? bare ?? '';
    const isExcluded = minus !== undefined;
    const taken =
      operators < maxOperators &&
      (key === undefined
        ? takeWords(parsed, value, isExcluded, quoted !== undefined)
        : !isExcluded && takeOperator(parsed, key.toLowerCase(), value));
    if (!taken) return match;
    operators += 1;
    if (key === undefined && !isExcluded) quotedWords += wordsOf(value).length;
    return key === undefined && !isExcluded ? value : '';
  };
  const wellFormed = query.toWellFormed();
  const text = signs.test(query) ? wellFormed.replaceAll(token, take) : wellFormed;
  const hasOtherWords = parsed.phrases.length > 0 && wordsOf(text).length > quotedWords;
  return {
    ...parsed,
    ...(hasOtherWords && { phrases: [], preferredPhrases: parsed.phrases }),
    text: text.replaceAll(/\s+/g, ' ').trim(),
  };
}

/** True when the query has filters but no text to rank by: matching items are then listed. */
export function isListing({ text, ...narrowed }: ParsedQuery): boolean {
  return text === '' && Object.values(narrowed).some((value) => !Array.isArray(value) || value.length > 0);
}

function takeWords(parsed: ParsedQuery, value: string, isExcluded: boolean, isQuoted: boolean): boolean {
  if (!isExcluded && !isQuoted) return false;
  if (wordsOf(value).length === 0) return false;
  // -111 is an exit code and -40 a temperature; -"2024" excludes a number. `--word` is a command-line option.
  if (isExcluded && !isQuoted && !/^(?=.*\p{L})[\p{L}\p{N}]/u.test(value)) return false;
  return push(isExcluded ? parsed.excluded : parsed.phrases, value);
}

function takeOperator(parsed: ParsedQuery, key: string, value: string): boolean {
  if (key === 'site') return push(parsed.sites, siteOf(value));
  if (key === 'type') return push(parsed.types, contentTypes.find((type) => type === value.toLowerCase()) ?? null);
  if (key === 'tag') return push(parsed.tags, tagOf(value));
  const span = spanOfDate(value);
  if (span === null) return false;
  const after = { since: span.since };
  const before = { before: span.since };
  if (key === 'after') Object.assign(parsed, narrowest(parsed, after));
  else if (key === 'before') Object.assign(parsed, narrowest(parsed, before));
  else narrowSaved(parsed, key === 'saved' ? span : key === 'savedafter' ? after : before);
  return true;
}

function narrowSaved(parsed: ParsedQuery, span: TimeSpan): void {
  const known = { since: parsed.savedSince, before: parsed.savedBefore };
  const { since, before } = narrowest(known, span);
  if (since !== undefined) parsed.savedSince = since;
  if (before !== undefined) parsed.savedBefore = before;
}

function push<T>(list: T[], value: T | null): boolean {
  if (value === null) return false;
  if (!list.includes(value)) list.push(value);
  return true;
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

/** `https://www.Example.com/blog/` becomes `www.example.com/blog`; null when the value has no host. */
function siteOf(value: string): string | null {
  const address = value.replace(/^https?:\/\//i, '');
  if (!/^[\p{L}\p{N}]/u.test(address) || !URL.canParse(`http://${address}`)) return null;
  const { host, pathname, username } = new URL(`http://${address}`);
  // The URL parser expands a number to an IPv4 address; a person who types a number means part of a name.
  if (username !== '' || (/^[\d.]+$/.test(host) && !address.startsWith(host))) return null;
  return `${host.replace(/\.$/, '')}${withoutTrailing(pathname, '/')}`;
}
