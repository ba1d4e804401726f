import { shortened } from '../../domain/text/shortened.ts';

/* Answers for a person at a terminal: marked lines, whose look `cli/` decides; in a pipe plain text. */

/** A run of text. Unmarked text is a plain string. */
export type Span = string | Title | Meta | Link;

interface Title {
  mark: 'title';
  text: string;
}

/** Ids, types, tags and dates: what is known about a record. */
interface Meta {
  mark: 'meta';
  text: string;
}

interface Link {
  mark: 'link';
  /** The words of the link: the address itself, perhaps shortened. */
  text: string;
  url: string;
}

/** One line. `indent` is written before it. */
interface PrintedLine {
  indent: string;
  spans: readonly Span[];
}

/** Text of any length as Markdown. `indent` is written before each of its lines. */
interface PrintedProse {
  indent: string;
  prose: string;
}

export type Printed = readonly (PrintedLine | PrintedProse)[];

export function title(text: string): Span {
  return { mark: 'title', text };
}

export function meta(text: string): Span {
  return { mark: 'meta', text };
}

export function link(url: string, text = url): Span {
  return { mark: 'link', text, url };
}

export function line(...spans: Span[]): PrintedLine {
  return { indent: '', spans };
}

export function prose(text: string, indent = ''): PrintedProse {
  return { indent, prose: text };
}

export function indented(indent: string, printed: Printed): Printed {
  return printed.map((part) => ({ ...part, indent: indent + part.indent }));
}

/** The blocks with an empty line between each two. */
export function paragraphs(blocks: readonly Printed[]): Printed {
  return blocks.flatMap((block, index) => (index === 0 ? block : [line(), ...block]));
}

/** Text on one line, of at most `width` characters. */
export function oneLine(text: string, width: number): string {
  return shortened(text.replaceAll(/\s+/g, ' ').trim(), width);
}

/** A time for a person, to the minute: `2026-11-28 19:29 UTC`. */
export function shownTime(instant: string): string {
  return `${instant.slice(0, 16).replace('T', ' ')} UTC`;
}

/** `1 item`, `2 items`, `3 entries`. */
export function counted(count: number, one: string): string {
  return `${count} ${count === 1 ? one : pluralOf(one)}`;
}

const pluralOf = (one: string): string => (/[^aeiou]y$/.test(one) ? `${one.slice(0, -1)}ies` : `${one}s`);

/** A page of a list, and how to see the rest. */
export function printList<Item>(
  list: { items: readonly Item[]; total: number; offset: number; hint?: string | undefined },
  one: string,
  print: (item: Item) => Printed,
): Printed {
  if (list.total === 0) return [line(list.hint ?? `No ${pluralOf(one)} found.`)];
  const all = counted(list.total, one);
  if (list.items.length === 0) return [line(`There are only ${all}: nothing from --offset ${list.offset} on.`)];
  const last = list.offset + list.items.length;
  return [
    ...list.items.flatMap(print),
    ...(list.hint === undefined ? [] : [line(list.hint)]),
    line(meta(`${list.offset + 1}–${last} of ${all}${last < list.total ? ` (--offset ${last} for more)` : ''}`)),
  ];
}
