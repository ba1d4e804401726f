import type { ContentType, Shelf } from '../records/content.ts';
import { foldTag } from '../records/item.ts';
import { withoutTrailing } from '../text/shortened.ts';
import type { TimeSpan } from './dates.ts';

/** A longer query is a pasted text. */
export const maxQueryLength = 2_000;

/** A condition on an item, as plain data: a query makes it (`query-language.ts`), a library reads it (`store/library/items/filter.ts`). */
export type Filter =
  | { all: readonly Filter[] }
  | { any: readonly Filter[] }
  | { not: Filter }
  | { shelf: Shelf }
  | { read: boolean }
  | { failed: true }
  | { has: (typeof hasValues)[number] }
  /** As `author`, `lang`, `goal` and `list`, it may end in `*`: then it is the beginning of one, unless it is exact. */
  | { tag: string; isExact?: true }
  | { type: ContentType }
  /** `host` or `host/path`: also subdomains. A host without a dot matches any dot-separated part of a host name. */
  | { site: string }
  /** A part of the author's name, in any case of ASCII letters. */
  | { author: string }
  | { lang: string }
  | { saved: TimeSpan }
  /** The time of saving is used where that of publication is unknown. */
  | { published: TimeSpan }
  | { readAt: TimeSpan }
  | { words: { atLeast?: number; atMost?: number } }
  /** An id, or a part of the title. */
  | { goal: string }
  | { id: string }
  /** An id or a name. */
  | { list: string }
  /** A word in any of its forms, or several in a row. */
  | { word: string }
  /** The author or the name of the site is one of these, in any case of ASCII letters. */
  | { names: readonly string[] }
  /** Saved under one of these addresses, or one of them is the canonical one. */
  | { addresses: readonly string[] }
  /** Keys of items that another database has found. */
  | { items: readonly number[] };

export const hasValues = ['action', 'highlight', 'note', 'picture'] as const;

/** Lets through what all of these do; null when there is none. */
export function allOf(...filters: readonly (Filter | null | undefined)[]): Filter | null {
  const given = new Map<string, Filter>();
  for (const filter of filters) {
    if (filter === null || filter === undefined) continue;
    for (const one of 'all' in filter ? filter.all : [filter]) given.set(JSON.stringify(one), one);
  }
  const all = [...given.values()];
  return all.length > 1 ? { all } : (all[0] ?? null);
}

/** Lets through what one of these does; null when there is none. */
export function anyOf(filters: readonly Filter[]): Filter | null {
  const any = [...new Map(filters.map((filter) => [JSON.stringify(filter), filter])).values()];
  return any.length > 1 ? { any } : (any[0] ?? null);
}

/** Replaces some of the conditions that a filter is made of. */
export function replaced(filter: Filter, replace: (filter: Filter) => Filter | null): Filter {
  const other = replace(filter);
  if (other !== null) return other;
  if ('all' in filter) return { all: filter.all.map((one) => replaced(one, replace)) };
  if ('any' in filter) return { any: filter.any.map((one) => replaced(one, replace)) };
  if ('not' in filter) return { not: replaced(filter.not, replace) };
  return filter;
}

/** The conditions that a filter is made of. */
export function* leavesOf(filter: Filter): Generator<Filter> {
  if ('all' in filter) for (const one of filter.all) yield* leavesOf(one);
  else if ('any' in filter) for (const one of filter.any) yield* leavesOf(one);
  else if ('not' in filter) yield* leavesOf(filter.not);
  else yield filter;
}

/** The lists that a filter names. */
export function listsIn(filter: Filter | null): string[] {
  return filter === null ? [] : [...leavesOf(filter)].flatMap((leaf) => ('list' in leaf ? [leaf.list] : []));
}

/** Whether `wanted` of a query names this list: by its id, its name in any case, or with `*` by the beginning of its name. */
export function namesList(wanted: string, { id, name }: { id: string; name: string }): boolean {
  return wanted.endsWith('*')
    ? foldTag(name).startsWith(foldTag(wanted.slice(0, -1)))
    : id === wanted || foldTag(name) === foldTag(wanted);
}

/** `https://www.Example.com/blog/` becomes `www.example.com/blog`; null when the value has no host. */
export function siteOf(value: string): string | null {
  const address = value.replace(/^https?:\/\//i, '').replace(/^\*\./, '');
  if (!/^[\p{L}\p{N}]/u.test(address) || !URL.canParse(`http://${address}`)) return null;
  const { host, pathname, username } = new URL(`http://${address}`);
  // The URL parser expands a number to an IPv4 address; a person who types a number means part of a name.
  if (username !== '' || (/^[\d.]+$/.test(host) && !address.startsWith(host))) return null;
  return `${host.replace(/\.$/, '')}${withoutTrailing(pathname, '/')}`;
}
