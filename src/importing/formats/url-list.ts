import type { RawEntry } from '../raw-entry.ts';

/*
 * Lists of addresses as people keep them: one a line, with a title before or behind it, as bullets or links of Markdown, or
 * with each title on the line above.
 */

/** Lines examined to decide whether titles are on separate lines. */
const maxLinesLookedAt = 40;
const anAddress = /<?(https?:\/\/[^\s<>"]{1,20000})>?/i;
const allAddresses = /<?(https?:\/\/[^\s<>"]{1,20000})>?/gi;
/** Separators between a title and an address. */
const atEnds = /^[\s|:·•,;–—-]{1,20}|[\s|:·•,;–—<([-]{1,20}$/g;

/** The links of a line, without its bullet, number or checkbox; empty when it has none. */
export function linksIn(line: string): RawEntry[] {
  const text = line
    .slice(0, 50_000)
    .trim()
    .replace(/^(?:[-*+•]|\d{1,4}[.)])\s{1,20}/, '')
    .replace(/^\[[ xX]\]\s{1,20}/, '');
  const links = [
    ...text.matchAll(/!?\[([^\][]{0,1000})\]\(<?(https?:\/\/[^\s<>[\]]{1,4000}?)>?(?:\s"[^"]{0,500}")?\)/gi),
  ];
  if (links.length > 0) return links.map(([, title, url]) => ({ url, title }));
  const found = anAddress.exec(text);
  if (found === null) return [];
  const [whole, url = ''] = found;
  const [before, after] = [text.slice(0, found.index), text.slice(found.index + whole.length)];
  if (anAddress.test(after)) return [...text.matchAll(allAddresses)].map(([, one = '']) => ({ url: withoutMark(one) }));
  const title = [before, after].map((part) => part.replaceAll(atEnds, '')).filter((part) => part !== '');
  return [
    { url: whole.startsWith('<') ? url : withoutMark(url), title: title.length === 0 ? undefined : title.join(' ') },
  ];
}

/** The address without a mark of the sentence that it ends. */
function withoutMark(url: string): string {
  const plain = url.replace(/[.,;:!?'"]{1,10}$/, '');
  return plain.endsWith(')') && !plain.includes('(') ? plain.slice(0, -1) : plain;
}

const isHeading = (line: string): boolean => line.startsWith('#');

/** How many lines of a text have an address, and how many have words alone. */
export function countLinks(lines: readonly string[]): { links: number; words: number } {
  const asked = lines.map((line) => line.trim()).filter((line) => line !== '' && !isHeading(line));
  const links = asked.filter((line) => anAddress.test(line)).length;
  return { links, words: asked.length - links };
}

export async function* readUrlList(lines: AsyncIterable<string>): AsyncGenerator<RawEntry> {
  let first: string[] | null = [];
  let hasTitlesAbove = false;
  let title: string | null = null;
  const read = function* (line: string): Generator<RawEntry> {
    if (line === '' || isHeading(line)) return;
    const links = linksIn(line);
    if (links.length === 0) {
      if (title !== null || !hasTitlesAbove) yield refused(title ?? line);
      title = hasTitlesAbove ? line : null;
      return;
    }
    const above = title ?? undefined;
    title = null;
    if (above !== undefined && links[0] !== undefined) links[0].title ??= above;
    yield* links;
  };
  const readFirst = function* (): Generator<RawEntry> {
    hasTitlesAbove = isTitleAbove(first ?? []);
    for (const line of first ?? []) yield* read(line);
    first = null;
  };
  for await (const raw of lines) {
    const line = raw.replace(/^\ufeff/, '').trim();
    if (first === null) yield* read(line);
    else if (first.push(line) === maxLinesLookedAt) yield* readFirst();
  }
  if (first !== null) yield* readFirst();
  if (title !== null) yield refused(title);
}

function refused(title: string): RawEntry {
  return { title, refused: 'it has no web address' };
}

function isTitleAbove(lines: readonly string[]): boolean {
  const asked = lines.filter((line) => line !== '' && !isHeading(line));
  const isBare = asked.map((line) => /^<?https?:\/\/\S+$/i.test(line));
  const takesTurns = isBare.every((bare, at) => bare === (at % 2 === 1));
  return takesTurns && asked.length >= 4;
}
