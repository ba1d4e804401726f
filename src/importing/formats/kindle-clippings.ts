import { createBookShelf } from '../books.ts';
import type { RawEntry } from '../raw-entry.ts';
import type { RawHighlight } from '../raw-highlight.ts';

/*
 * `My Clippings.txt` of a Kindle: the title with the author in brackets, a line of facts in the language of the device,
 * an empty line, the words, and a line of equals signs. A highlight that is changed is written again, and the one before
 * stays in the file; a note is an entry of its own, at the place where its highlight ends.
 */

const separator = '==========';
/** Maximum lines of a clipping; anything longer is not one. */
const maxLines = 2_000;
/** In English, German, French, Spanish, Portuguese, Italian and Dutch, Japanese and Chinese. */
const aNote = /\b(?:note|notiz|nota|notitie)\b|メモ|笔记|筆記/i;
const aBookmark = /\b(?:bookmark|lesezeichen|signet|marcador|segnalibro|bladwijzer)\b|ブックマーク|书签|書籤/i;

interface Clipping {
  title: string;
  author: string;
  kind: 'highlight' | 'note';
  /** Where it begins and ends, in places or pages of the book; null when the line of facts does not say. */
  place: { start: number; end: number } | null;
  date: string | undefined;
  text: string;
}

export async function* readClippings(lines: AsyncIterable<string>): AsyncGenerator<RawEntry> {
  const books = new Map<string, Clipping[]>();
  const shelf = createBookShelf('Kindle');
  let clipping: string[] = [];
  const take = (): void => {
    const read = readClipping(clipping);
    clipping = [];
    if (read === null) return;
    const key = `${read.title}\n${read.author}`;
    const known = books.get(key);
    if (known === undefined) books.set(key, [read]);
    else known.push(read);
  };
  for await (const line of lines) {
    if (line.trim() === separator) take();
    else if (clipping.length < maxLines) clipping.push(line);
  }
  take();
  for (const clippings of books.values()) {
    const [first] = clippings;
    if (first === undefined) continue;
    const book = { title: first.title, author: first.author };
    const refused = shelf.add({ title: first.title, book, highlights: highlightsOf(clippings) });
    if (refused !== null) yield refused;
  }
  yield* shelf.entries();
}

function readClipping(lines: readonly string[]): Clipping | null {
  const [name = '', facts = '', ...rest] = lines.map((line) => line.replace(/^\ufeff/, '').trimEnd());
  const text = rest.join('\n').trim();
  if (name.trim() === '' || !facts.startsWith('- ') || text === '') return null;
  const [what = '', ...further] = facts.slice(2).split('|');
  const about = [what, ...further.slice(0, -1)].join('|');
  if (aBookmark.test(what)) return null;
  return {
    ...titleOf(name.trim()),
    kind: aNote.test(what) ? 'note' : 'highlight',
    place: placeIn(further.length === 0 ? facts : about),
    date: dateIn(further.at(-1) ?? ''),
    text,
  };
}

/** The author stands in the last brackets. */
function titleOf(name: string): { title: string; author: string } {
  const open = name.lastIndexOf(' (');
  return name.endsWith(')') && open > 0
    ? { title: name.slice(0, open).trim(), author: name.slice(open + 2, -1).trim() }
    : { title: name, author: '' };
}

/** The last numbers that the facts name: places come after pages. */
function placeIn(facts: string): Clipping['place'] {
  const found = [...facts.slice(0, 300).matchAll(/(\d{1,9})(?:\s?[-–]\s?(\d{1,9}))?/g)].at(-1);
  if (found === undefined) return null;
  const start = Number(found[1]);
  return { start, end: found[2] === undefined ? start : Number(found[2]) };
}

/** Of an English device. Other languages have no form that is known here. */
function dateIn(facts: string): string | undefined {
  const [, date] = /^\s{0,5}Added on \w{1,12},\s{1,3}(.{6,60})$/i.exec(facts) ?? [];
  return date === undefined ? undefined : `${date} UTC`;
}

/** The last version of each highlight, each with the note that was written at its end. */
function highlightsOf(clippings: readonly Clipping[]): RawHighlight[] {
  const byStart = new Map<string, { clipping: Clipping; note: string | undefined }>();
  for (const clipping of clippings) {
    if (clipping.kind !== 'highlight') continue;
    const key = clipping.place === null ? clipping.text : String(clipping.place.start);
    byStart.set(key, { clipping, note: undefined });
  }
  const loose: RawHighlight[] = [];
  for (const { kind, place, text, date } of clippings) {
    if (kind !== 'note') continue;
    const target = place === null ? undefined : noted(byStart, place.start);
    if (target === undefined) loose.push({ text: '', note: text, date });
    else target.note = text;
  }
  const marked = [...byStart.values()].map(({ clipping: { text, date, place }, note }) => ({
    text,
    note,
    date,
    id: place === null ? undefined : `place ${place.start}`,
  }));
  return [...marked, ...loose];
}

/** The highlight in which a place is; a note stands at the end of its highlight, as a rule. */
function noted<T extends { clipping: Clipping }>(highlights: ReadonlyMap<string, T>, at: number): T | undefined {
  let found: T | undefined;
  for (const one of highlights.values()) {
    const { place } = one.clipping;
    if (place === null || at < place.start || at > place.end) continue;
    if (place.end === at) return one;
    found ??= one;
  }
  return found;
}
