import { createBookShelf } from '../books.ts';
import type { RawEntry, RawHighlight } from '../raw-entry.ts';
import { dateInWords } from './dates-in-words.ts';

/*
 * `My Clippings.txt` of a Kindle: the title with the author in brackets, a line of facts in the language of the device, an empty
 * line, the words, and a line of equals signs. A changed highlight is written again, and the previous one stays in the file; a note
 * is a separate entry, at the place where its highlight ends.
 */

const separator = '==========';

export function isClippings(text: string): boolean {
  const lines = text.split(/\r\n|\r|\n/, 200).map((line) => line.trimStart());
  return lines.includes(separator) && lines.some((line, at) => factsMark.test(line) && (lines[at - 1] ?? '') !== '');
}
const maxLines = 2_000;
/** A note and a bookmark in English, German, French, Spanish, Portuguese, Italian, Dutch, Russian, Polish, Japanese, Chinese and Korean. */
const aNote = /(?<!\p{L})(?:note|notiz|nota|notitie|notatk)|заметк|メモ|笔记|筆記|备注|備註|메모/iu;
const aBookmark =
  /bookmark|lesezeichen|signet|marcador|segnalibro|bladwijzer|закладк|zakładk|ブックマーク|书签|書籤|북마크/i;
/** With a hyphen; Russian devices write a dash. */
const factsMark = /^[-–—] /;

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
  const plain = lines.map((line) => line.replaceAll('\ufeff', '').trimEnd());
  const [name = '', facts = '', ...rest] = plain.slice(plain.findIndex((line) => line !== ''));
  const text = rest.join('\n').trim();
  if (name.trim() === '' || !factsMark.test(facts) || text === '') return null;
  const [what = '', ...further] = facts.slice(2).split(/[|｜]/);
  const date = further.at(-1) ?? '';
  const about = [what, ...further.slice(0, -1)].join('|');
  if (aBookmark.test(about)) return null;
  return {
    ...titleOf(name.trim()),
    kind: aNote.test(about) ? 'note' : 'highlight',
    place: placeIn(further.length === 0 ? facts : about),
    date: dateInWords(date),
    text,
  };
}

/** The author is in the last brackets. */
function titleOf(name: string): { title: string; author: string } {
  const open = name.lastIndexOf(' (');
  return name.endsWith(')') && open > 0
    ? { title: name.slice(0, open).trim(), author: name.slice(open + 2, -1).trim() }
    : { title: name, author: '' };
}

/** The last numbers that the facts name: places come after pages. Of an old device's `Loc. 1345-47` the end is 1347. */
function placeIn(facts: string): Clipping['place'] {
  const found = [...facts.slice(0, 300).matchAll(/(\d{1,9})(?:(?: t\/m |\s?[-–]\s?)(\d{1,9}))?/g)].at(-1);
  if (found === undefined) return null;
  const [, start = '', end = start] = found;
  const whole = end.length < start.length ? start.slice(0, -end.length) + end : end;
  return { start: Number(start), end: Number(whole) };
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

/** The highlight at a place; a note is usually at the end of its highlight. */
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
