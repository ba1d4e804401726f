import { contentTypes, tagOf } from '../records/item.ts';
import { idPattern } from '../records/ids.ts';
import { narrowest, spanOfDate, type TimeSpan } from './dates.ts';
import { type Filter, hasValues, siteOf } from './filter.ts';
import { datesIn } from './question-dates.ts';
import { editDistance } from './spelling.ts';

/* The operators of a query: their values and their meaning. */

interface Operator {
  /** Null: the value is invalid. */
  read(value: string, now: number): Filter | null;
  /** Valid values, for hints. */
  takes: string;
  /** All values that it takes, where they are few. */
  values?: readonly string[];
}

const isValues: Readonly<Record<string, Filter>> = {
  inbox: { shelf: 'inbox' },
  later: { shelf: 'later' },
  archived: { shelf: 'archive' },
  read: { read: true },
  unread: { read: false },
  failed: { failed: true },
  highlighted: { has: 'highlight' },
  noted: { has: 'note' },
};

const oneOf = (values: readonly string[], read: (value: string) => Filter): Operator => ({
  read: (value) => (values.includes(value.toLowerCase()) ? read(value.toLowerCase()) : null),
  takes: values.join(', '),
  values,
});

const is = oneOf(Object.keys(isValues), (value) => isValues[value] as Filter);

const times = (make: (span: TimeSpan) => Filter): Operator => ({
  read(value, now) {
    const span = spanOf(value, now);
    return span === null ? null : make(span);
  },
  takes:
    'a date or a range, such as 2026, 2026-03, 2026-01..2026-03 or >2026-03-31, or today, yesterday, this-week or last-week',
});

/** @param bound which of the two ends the beginning of the date is */
const from = (make: (span: TimeSpan) => Filter, bound: 'since' | 'before'): Operator => ({
  read(value) {
    const span = spanOfDate(value);
    return span === null ? null : make({ [bound]: span.since });
  },
  takes: 'a year, a month or a day, such as 2026, 2026-03 or 2026-03-31',
});

const named = (make: (name: string) => Filter, takes: string): Operator => ({
  read: (value) => (/[\p{L}\p{N}*]/u.test(value) ? make(value) : null),
  takes,
});

const contentId = idPattern('c');

const saved = (span: TimeSpan): Filter => ({ saved: span });
const published = (span: TimeSpan): Filter => ({ published: span });

export const operators: Readonly<Record<string, Operator>> = {
  tag: {
    read(value) {
      const tag = tagOf(value);
      return tag === null ? null : { tag };
    },
    takes: 'one tag or its beginning, such as house, "to read" or hou*',
  },
  type: oneOf(contentTypes, (type) => ({ type: type as (typeof contentTypes)[number] })),
  site: {
    read(value) {
      const site = siteOf(value);
      return site === null ? null : { site };
    },
    takes: 'a host, such as example.com, example.com/blog or youtube',
  },
  author: named((author) => ({ author }), 'a part of a name'),
  lang: {
    read: (value) => (/^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(value) ? { lang: value.toLowerCase() } : null),
    takes: 'the code of a language, such as en or de',
  },
  // The name of the shelf is taken, too.
  is: { ...is, read: (value, now) => is.read(value.replace(/^archive$/i, 'archived'), now) },
  has: oneOf(hasValues, (has) => ({ has: has as (typeof hasValues)[number] })),
  saved: times(saved),
  published: times(published),
  read: times((readAt) => ({ readAt })),
  words: {
    read: wordsOf,
    takes: 'a number or a range, such as >1000 or 500..2000',
  },
  goal: named((goal) => ({ goal }), 'a part of the title of a goal, or its id'),
  list: named((list) => ({ list }), 'the name of a list, or its id'),
  id: { read: (id) => (contentId.test(id) ? { id } : null), takes: 'the id of an item' },
  after: from(published, 'since'),
  before: from(published, 'before'),
  savedafter: from(saved, 'since'),
  savedbefore: from(saved, 'before'),
};

const names = Object.keys(operators);

/** Names of operators in other programs. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['shelf', 'is'],
  ['kind', 'type'],
  ['language', 'lang'],
]);

/** The filter of an operator and its value, or a hint for an invalid value. */
export function readOperator(name: string, value: string, now: number): Filter | { hint: string } {
  const operator = operators[name] as Operator;
  const filter = operator.read(value, now);
  if (filter !== null) return filter;
  const meant = nearest(value.toLowerCase(), operator.values ?? []);
  const instead = meant === null ? `\`${name}:\` takes ${operator.takes}.` : `Did you mean ${name}:${meant}?`;
  const wrong = value === '' ? `\`${name}:\` without a value behind it` : `\`${name}:${shown(value)}\``;
  return { hint: `${wrong} was taken for text. ${instead}` };
}

/** The hint for a word before a colon that is nearly the name of an operator; null for others. */
export function hintForName(word: string, value: string): string | null {
  const meant = otherNames.get(word.toLowerCase()) ?? nearest(word.toLowerCase(), names);
  return meant === null
    ? null
    : `\`${word}:${shown(value)}\` was taken for text. Did you mean ${meant}:${shown(value)}?`;
}

const shown = (value: string): string => (value.length > 40 ? `${value.slice(0, 40).toWellFormed()}…` : value);

/** The only one of these that is one letter away, or one swap of neighbours. */
function nearest(word: string, candidates: readonly string[]): string | null {
  if (word.length > 20) return null;
  // One letter more makes another word of a short one: is, his.
  const near = candidates.filter(
    (one) => editDistance(word, one, 1) === 1 && (one.length > 2 || word.length === one.length),
  );
  return near[0] ?? null;
}

/** From `start` on and before `end`. */
interface Range {
  start?: number | undefined;
  end?: number | undefined;
}

/** `a`, `a..b`, `a..`, `..b`, `>a`, `>=a`, `<a` or `<=a`; null for anything else, and for a range that is empty. */
function rangeOf(value: string, read: (part: string) => Range | null): Range | null {
  const [, sign, compared = ''] = /^([<>]=?)(.+)$/s.exec(value) ?? [];
  const [first = '', last = first] = sign === undefined ? value.split('..', 2) : [compared];
  const [low, high] = [first === '' ? {} : read(first), last === '' ? {} : read(last)];
  if (low === null || high === null || `${first}${last}` === '') return null;
  if (sign === '>') return { start: low.end };
  if (sign === '>=') return { start: low.start };
  if (sign === '<') return { end: high.start };
  if (sign === '<=') return { end: high.end };
  const { start } = low;
  const { end } = high;
  return start !== undefined && end !== undefined && start >= end ? null : { start, end };
}

const countedFromNow = /^(?:today|yesterday|(?:this|last)-(?:week|month|year))$/i;

function spanOf(value: string, now: number): TimeSpan | null {
  if (countedFromNow.test(value)) return datesIn(`saved ${value.replace('-', ' ')}`, now).saved ?? null;
  const range = rangeOf(value, (part) => {
    const span = spanOfDate(part);
    return span && { start: span.since, end: span.before };
  });
  return range && narrowest({}, { since: range.start, before: range.end });
}

function wordsOf(value: string): Filter | null {
  const range = rangeOf(value, (part) =>
    /^\d{1,9}$/.test(part) ? { start: Number(part), end: Number(part) + 1 } : null,
  );
  if (range === null) return null;
  const { start, end } = range;
  return { words: { ...(start !== undefined && { atLeast: start }), ...(end !== undefined && { atMost: end - 1 }) } };
}

/** A possible completion of the typed text. */
export interface Completion {
  /** Takes the place of the query from `start` to `end`. */
  text: string;
  start: number;
  end: number;
}

/** Names from the library that complete operator values, the most used first. */
export type KnownValues = Readonly<Partial<Record<'tag' | 'site' | 'list' | 'goal' | 'author', readonly string[]>>>;

/** Completes the operator, or its value, that is being typed before the cursor. */
export function completionsOf(query: string, cursor: number, known: KnownValues = {}): Completion[] {
  const [, begun = '', name, quote = '', value = ''] =
    /(?:^|[\s(])-?((?:([a-z]{2,11}):("?))?([^\s"():]*|(?<=")[^"]*))$/iu.exec(query.slice(0, cursor)) ?? [];
  const start = cursor - begun.length;
  const beginsWith = (one: string, typed: string) => one.toLowerCase().startsWith(typed.toLowerCase());
  if (name === undefined) {
    if (value === '') return [];
    return names.filter((one) => beginsWith(one, value)).map((one) => ({ text: `${one}:`, start, end: cursor }));
  }
  const key = name.toLowerCase();
  const values = operators[key]?.values ?? known[key as keyof KnownValues] ?? [];
  return values
    .filter((one) => beginsWith(one, value))
    .map((one) => ({ text: `${key}:${quote !== '' || /[\s()]/.test(one) ? `"${one}"` : one}`, start, end: cursor }));
}
