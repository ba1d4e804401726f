import { contentTypes, tag, type ContentType } from '../records/content.ts';
import { withoutTrailing } from '../text/trailing.ts';
import { canonicalUrl } from '../links/url.ts';
import { wordsOf } from '../text/words.ts';

/*
 * What a person may type into a search: words, "exact phrases", -word and -"phrase", site:, type:, tag:, before: and
 * after:. Whatever is not exactly that is text: C++, what's, foo:bar, a lone quotation mark, type:something-else.
 */

export interface ParsedQuery {
  /** What is to be ranked: the query without its operators, phrases without their quotation marks. */
  text: string;
  /** Each has to stand in a passage, word for word. */
  phrases: string[];
  /** Words and phrases of which none may stand in a passage. */
  excluded: string[];
  /** `host` or `host/path`; an item is of one of them or of a subdomain. A host without a dot is any part of a name. */
  sites: string[];
  /** An item is of one of them. */
  types: ContentType[];
  /** An item has all of them. */
  tags: string[];
  /** Published (or, where that is not known, saved) then or later: milliseconds since the epoch. */
  since?: number;
  /** Published or saved before. */
  before?: number;
}

/** Behind so many a query is text: nobody types them, and each costs the search something. */
const maxOperators = 50;

/**
 * A token at the beginning or behind a space. What is in quotation marks ends at a quotation mark that no letter or number
 * follows, so that 27" monitor, 32" screen has none.
 */
const token =
  /(?<=^|\s)(?<minus>-)?(?:(?<key>site|type|tag|before|after):)?(?:["“”„«](?<quoted>[^"“”„«»]+)["“”»](?![\p{L}\p{N}])|(?<bare>[^\s"“”„«»]\S*))/giu;

/** What every token has that is more than a word. */
const signs = /[-:"“”„«]/;

export function parseSearchQuery(query: string): ParsedQuery {
  const parsed: ParsedQuery = { text: '', phrases: [], excluded: [], sites: [], types: [], tags: [] };
  let operators = 0;
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
    return key === undefined && !isExcluded ? value : '';
  };
  const wellFormed = query.toWellFormed();
  const text = signs.test(query) ? wellFormed.replaceAll(token, take) : wellFormed;
  return { ...parsed, text: text.replaceAll(/\s+/g, ' ').trim() };
}

/** True when the query has nothing to rank by: what matches is then to be listed. */
export function isListing({ text, ...narrowed }: ParsedQuery): boolean {
  return text === '' && Object.values(narrowed).some((value) => !Array.isArray(value) || value.length > 0);
}

function takeWords(parsed: ParsedQuery, value: string, isExcluded: boolean, isQuoted: boolean): boolean {
  if (!isExcluded && !isQuoted) return false;
  if (wordsOf(value).length === 0) return false;
  // -111 is an exit code and -40 a temperature; -"2024" leaves a number out. What begins with more signs is an option.
  if (isExcluded && !isQuoted && !/^(?=.*\p{L})[\p{L}\p{N}]/u.test(value)) return false;
  return push(isExcluded ? parsed.excluded : parsed.phrases, value);
}

function takeOperator(parsed: ParsedQuery, key: string, value: string): boolean {
  if (key === 'site') return push(parsed.sites, siteOf(value));
  if (key === 'type') return push(parsed.types, contentTypes.find((type) => type === value.toLowerCase()) ?? null);
  if (key === 'tag') return push(parsed.tags, tag.safeParse(value).data ?? null);
  const start = startOf(value);
  if (start === null) return false;
  // Of several the narrowest counts: each has to hold.
  if (key === 'after') parsed.since = Math.max(start, parsed.since ?? start);
  else parsed.before = Math.min(start, parsed.before ?? start);
  return true;
}

function push<T>(list: T[], value: T | null): boolean {
  if (value === null) return false;
  if (!list.includes(value)) list.push(value);
  return true;
}

/**
 * The spellings under which something may have been saved whose address is all of the query, with `https://` or without; none where
 * the query is something else.
 */
export function addressesIn(query: string): string[] {
  const pasted = query.trim().replace(/^<(.*)>$/u, '$1');
  const [, scheme, rest = ''] = /^(https?:\/\/)?([^\s/]+\.[^\s/.]+(?:\/\S*)?|[^\s/]+\/\S*)$/iu.exec(pasted) ?? [];
  const isAddress = scheme === undefined ? /^[^\s/@]+\.\p{L}{2,}\/\S/u.test(rest) : URL.canParse(pasted);
  return isAddress ? ['https://', 'http://'].map((start) => canonicalUrl(start + rest)) : [];
}

/** `https://www.Example.com/blog/` is `www.example.com/blog`; null where there is no host in it. */
function siteOf(value: string): string | null {
  const address = value.replace(/^https?:\/\//i, '');
  if (!/^[\p{L}\p{N}]/u.test(address) || !URL.canParse(`http://${address}`)) return null;
  const { host, pathname, username } = new URL(`http://${address}`);
  // The URL parser makes numbers an address of four; a person who types one means its name.
  if (username !== '' || (/^[\d.]+$/.test(host) && !address.startsWith(host))) return null;
  return `${host.replace(/\.$/, '')}${withoutTrailing(pathname, '/')}`;
}

/** The first instant, in UTC, of a year, month or day. */
function startOf(value: string): number | null {
  const match = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(value);
  if (match === null) return null;
  const [, year = '', month = '01', day = '01'] = match;
  const at = Date.parse(`${year}-${month}-${day}T00:00:00.000Z`);
  // 30 February is parsed as 2 March.
  return Number.isNaN(at) || new Date(at).getUTCDate() !== Number(day) ? null : at;
}
