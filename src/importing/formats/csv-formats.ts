import { type BookShelf, noteOfBook, createBookShelf } from '../books.ts';
import { shelf } from '../../domain/records/content.ts';
import {
  type EntryState,
  type RawEntry,
  hashOf,
  favouriteTag,
  isTrue,
  later,
  read,
  unread,
  withPlainTitle,
} from '../raw-entry.ts';
import { raindropHighlights } from './highlight-texts.ts';
import { htmlToMarkdown } from './html-text.ts';
import { type CsvRow, knownColumns, guessTable } from './table-columns.ts';

interface CsvFormat {
  name: string;
  /** Columns that only this format has together. */
  columns: readonly string[];
  /** Values taken besides the columns `url` and `title`. `file`: its name, without the extension. */
  read(row: CsvRow, file: string): RawEntry;
  /** For a table whose rows make one note together. */
  collect?(file: string): Pick<BookShelf, 'entries'> & { add(row: CsvRow): RawEntry | null };
}

const split = (text: string, separator: string): string[] => (text === '' ? [] : text.split(separator));

/** In the order in which they are tried: the last ones are the most general. */
const csvFormats: readonly CsvFormat[] = [
  {
    name: 'Pocket (CSV)',
    columns: ['title', 'url', 'time_added', 'tags', 'status'],
    read: (row) => ({
      tags: split(row('tags'), '|'),
      state: row('status') === 'archive' ? read : unread,
      date: row('time_added'),
    }),
  },
  {
    name: 'Raindrop (CSV)',
    columns: ['title', 'note', 'excerpt', 'url', 'folder', 'tags', 'created'],
    read: (row) => ({
      tags: [
        ...collectionOf(row('folder')),
        ...split(row('tags'), ','),
        ...(isTrue(row('favorite')) ? [favouriteTag] : []),
      ],
      notes: [row('note')],
      lists: [collectionOf(row('folder'))],
      highlights: raindropHighlights(row('highlights')),
      date: row('created'),
    }),
  },
  {
    name: 'Readwise Reader (CSV)',
    columns: ['title', 'url', 'document tags', 'saved date', 'location'],
    read: (row) => ({
      tags: [...listed(row('document tags')), ...(isFeed(row('location')) ? ['feed'] : [])],
      state: readerState(row('location'), row('reading progress')),
      notes: [row('document note')],
      date: row('saved date'),
    }),
  },
  {
    name: 'Readwise highlights (CSV)',
    columns: ['highlight', 'book title', 'highlighted at'],
    read: (row) => ({
      url: [row('source url'), row('url')].find((url) => url !== ''),
      title: row('book title'),
      tags: [...listed(row('document tags')), ...listed(row('tags'))],
      highlights: [{ text: row('highlight'), note: row('note'), colour: row('color'), date: row('highlighted at') }],
      date: row('highlighted at'),
      book: { title: row('book title'), author: row('book author') },
    }),
  },
  {
    name: 'Instapaper (CSV)',
    columns: ['url', 'title', 'selection', 'folder', 'timestamp'],
    read: (row) => ({
      tags: [...instapaperFolder(row('folder')), ...listed(row('tags'))],
      state: instapaperStates[row('folder').trim().toLowerCase()],
      highlights: [{ text: row('selection'), date: row('timestamp') }],
      date: row('timestamp'),
    }),
  },
  {
    name: 'Matter (CSV)',
    columns: ['title', 'url', 'in queue', 'favorited', 'read'],
    read: (row) => ({
      tags: [
        ...split(row('tags'), ';').flatMap((tags) => split(tags, ',')),
        ...(isTrue(row('favorited')) ? [favouriteTag] : []),
      ],
      state: isTrue(row('read')) ? read : isTrue(row('in queue')) ? unread : undefined,
      date: row('last interaction date'),
    }),
  },
  {
    name: 'YouTube playlist (Google Takeout)',
    columns: ['video id'],
    read: (row, file) => ({
      url: `https://www.youtube.com/watch?v=${row('video id').trim()}`,
      tags: [file.replace(/(?:-videos| videos)$/i, '')],
      state: /^watch later/i.test(file) ? later : undefined,
      date: [row('playlist video creation timestamp'), row('time added')].find((date) => date !== ''),
    }),
  },
  {
    name: 'Wallabag (CSV)',
    columns: ['title', 'url', 'content', 'tags', 'mime type', 'language'],
    read: (row) => ({
      tags: listed(row('tags')),
      date: withDayFirst(row('creation date')),
      page: wallabagPage(row('content')),
    }),
  },
  {
    name: 'Zotero (CSV)',
    columns: ['item type', 'title', 'url', 'doi', 'date added', 'manual tags'],
    read(row) {
      const note = htmlToMarkdown(row('notes'));
      const entry = { tags: split(row('manual tags'), ';'), date: row('date added') };
      const address = row('url').trim() || addressOfDoi(row('doi').trim());
      if (address !== '') return { ...entry, url: address, notes: [note] };
      const facts = [row('author'), row('publication title'), row('publication year'), isbn(row('isbn'))];
      return { ...entry, ...noteOfBook('Zotero', row('key'), row('title'), facts, [row('abstract note'), note]) };
    },
  },
  {
    name: 'Goodreads (CSV)',
    columns: ['book id', 'title', 'author', 'exclusive shelf', 'date added'],
    read(row) {
      const place = row('exclusive shelf').trim();
      const state = { read: { ...read, read: row('date read') || true } as const, 'to-read': later }[place];
      const rating = row('my rating');
      const facts = [
        [row('author'), ...split(row('additional authors'), ',')].map((name) => name.trim()).join(', '),
        [row('original publication year'), row('year published')].find((year) => year !== '') ?? '',
        [row('isbn13'), row('isbn')].map(isbn).find((number) => number !== '') ?? '',
        rating === '' || rating === '0' ? '' : `my rating: ${rating} of 5`,
        row('date read') === '' ? '' : `read on ${row('date read')}`,
      ];
      return {
        tags: [
          ...split(row('bookshelves'), ',').filter((name) => name.trim() !== place),
          ...(state === undefined ? [place] : []),
        ],
        state,
        notes: [row('private notes')],
        date: row('date added'),
        ...noteOfBook('Goodreads', row('book id'), row('title'), facts, [htmlToMarkdown(row('my review'))]),
      };
    },
  },
  {
    name: 'Todoist (CSV)',
    columns: ['type', 'content', 'priority', 'indent'],
    read: () => ({}),
    collect: createTodoList,
  },
  {
    name: 'Reddit (CSV)',
    columns: ['id', 'permalink'],
    read: (row, file) => ({
      url: row('permalink'),
      ...(/^(?:hidden|post_votes|comment_votes)/i.test(file) && { refused: 'it was hidden or voted on, not saved' }),
    }),
  },
];

const anyTable: CsvFormat = {
  name: 'bookmarks (CSV)',
  columns: ['url'],
  read: (row) => ({
    tags: [...listed(row('tags')), ...listed(row('folder')), ...(isTrue(row('favorite')) ? [favouriteTag] : [])],
    state: stateOf(row),
    notes: [row('notes'), row('description')],
    date: row('created'),
  }),
};

export const csvFormatNames = [...csvFormats, anyTable].map(({ name }) => name);

interface KnownTable {
  format: CsvFormat;
  /** The columns of a row that have a value and that nothing has asked for. */
  row(fields: readonly string[]): { row: CsvRow; unread(): string[] };
}

/** The format whose columns are all there; null when the row is no header of a known format. */
export function csvFormatOf(header: readonly string[]): KnownTable | null {
  const columns = header.map((name) =>
    name
      .replace(/^\ufeff/, '')
      .trim()
      .toLowerCase(),
  );
  const format = csvFormats.find((one) => one.columns.every((name) => columns.includes(name)));
  if (format !== undefined) return { format, row: rowReader(columns, header) };
  const known = knownColumns(header);
  return known.includes('url') ? { format: anyTable, row: rowReader(known, header) } : null;
}

function rowReader(columns: readonly string[], header: readonly string[]): KnownTable['row'] {
  const places = new Map(columns.map((name, at) => [name, at]));
  return (fields) => {
    const asked = new Set<string>();
    return {
      row(column) {
        asked.add(column);
        return fields[places.get(column) ?? -1] ?? '';
      },
      unread: () => header.filter((_, at) => (fields[at] ?? '').trim() !== '' && !asked.has(columns[at] ?? '')),
    };
  };
}

function stateOf(row: CsvRow): EntryState | undefined {
  const status = row('status').trim().toLowerCase();
  const readAt = row('read').trim();
  const [isRead, isUnread] = [isTrue(readAt), isTrue(row('unread'))];
  const own = shelf.safeParse(row('shelf').trim().toLowerCase()).data;
  // Our own export has the time at which it was read.
  if (own !== undefined) return { shelf: own, read: isRead || readAt };
  if (isRead || ['read', 'archive', 'archived', 'done'].includes(status)) return read;
  if (status === 'later') return later;
  return isUnread || status === 'unread' ? unread : undefined;
}

/** Raindrop's path of a collection; `Unsorted` without one. */
const collectionOf = (path: string): string[] =>
  split(path, '/').filter((name) => name.trim().toLowerCase() !== 'unsorted');

/** 13/09/2020 with a 12-hour time without AM or PM. */
function withDayFirst(text: string): string {
  const [, day, month, year] = /^(\d\d)\/(\d\d)\/(\d{4})/.exec(text.trim()) ?? [];
  return year === undefined ? text : `${year}-${month}-${day}`;
}

/** Tags that are separated by commas, semicolons or bars, or written as a list of JSON or Python: `["a", 'b, c']`. */
function listed(text: string): string[] {
  const inside = text.trim();
  if (!inside.startsWith('[') || !inside.endsWith(']')) return inside.split(/[,;|]/);
  const parts = inside.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^,;|"']+)/g);
  return [...parts].map(([whole, double, single, plain]) =>
    double === undefined ? (plain ?? single ?? '') : unquoted(whole, double),
  );
}

function unquoted(json: string, otherwise: string): string {
  try {
    return String(JSON.parse(json));
  } catch {
    return otherwise;
  }
}

const isFeed = (location: string): boolean => location.trim().toLowerCase() === 'feed';

function readerState(location: string, progress: string): EntryState | undefined {
  const states: Readonly<Record<string, EntryState>> = { new: unread, later, shortlist: later, archive: read };
  const state = isFeed(location) ? undefined : (states[location.trim().toLowerCase()] ?? unread);
  return state && { ...state, share: Number(progress) };
}

const instapaperStates: Readonly<Record<string, EntryState | undefined>> = { unread, archive: read };

function instapaperFolder(folder: string): string[] {
  const name = folder.trim();
  if (name.toLowerCase() === 'starred') return [favouriteTag];
  return name === '' || instapaperStates[name.toLowerCase()] !== undefined ? [] : [name];
}

function addressOfDoi(doi: string): string {
  return doi === '' ? '' : `https://doi.org/${doi.replace(/^https?:\/\/(?:dx\.)?doi\.org\//i, '')}`;
}

/** Spreadsheets keep the zeros of `="0441013597"`. */
function isbn(cell: string): string {
  const digits = cell.replaceAll(/[^\dXx]/g, '');
  return digits === '' ? '' : `ISBN ${digits}`;
}

/** Wallabag's placeholder for an unreadable page is not the page. */
export function wallabagPage(html: string): RawEntry['page'] {
  return /wallabag can't retrieve contents/i.test(html.slice(0, 2_000)) ? undefined : { html };
}

/*
 * A project of Todoist. It becomes one note with a checkbox for each task. A task that is nothing but a link is a
 * bookmark.
 */

const maxProjectCharacters = 5_000_000;
const projectTooLarge = 'the project is larger than an import can take: split it';
const aLabel = /\s@([^\s@]{1,100})(?=\s|$)/g;
const aLink = /^(?:\[([^\][]{0,1000})\]\((https?:\/\/[^\s()]{1,4000})\)|(https?:\/\/\S{1,4000}))$/i;

function createTodoList(file: string) {
  const project = file.replace(/ \[\d{1,20}\]$/, '');
  const lines: string[] = [];
  let length = 0;
  let section: string | null = null;
  /** The bookmark that the comments below it belong to. It is handed out with the next task. */
  let link: (RawEntry & { notes: string[] }) | null = null;
  let indent = '';
  const links: RawEntry[] = [];
  const write = (line: string): RawEntry | null => {
    length += line.length;
    if (length > maxProjectCharacters) return { title: line.slice(0, 300), refused: projectTooLarge };
    lines.push(line);
    return null;
  };
  const addTask = (row: CsvRow): RawEntry | null => {
    const content = row('content').trim();
    const [description, depth, due, deadline] = [
      row('description').trim(),
      row('indent'),
      row('date'),
      row('deadline'),
    ];
    const labels = [...content.matchAll(aLabel)].map(([, label = '']) => label);
    const [, title, named, bare] = aLink.exec(content.replaceAll(aLabel, '').trim()) ?? [];
    const url = named ?? bare;
    link = null;
    if (url !== undefined) {
      link = { url, title, tags: [project, ...(section === null ? [] : [section]), ...labels], notes: [description] };
      length += content.length;
      if (length > maxProjectCharacters) return { url, refused: projectTooLarge };
      links.push(link);
      return null;
    }
    indent = '  '.repeat(Math.min(4, Math.max(1, Number(depth) || 1)) - 1);
    const dates = [...(due === '' ? [] : [`due ${due}`]), ...(deadline === '' ? [] : [`deadline ${deadline}`])];
    const when = dates.length === 0 ? '' : ` (${dates.join(', ')})`;
    return write(`${indent}- [ ] ${oneLine(content)}${when}`) ?? (description === '' ? null : addText(description));
  };
  const addText = (text: string): RawEntry | null => {
    if (link === null) return write(`${indent}  ${oneLine(text)}`);
    link.notes.push(text);
    return null;
  };
  return {
    add(row: CsvRow): RawEntry | null {
      const [type, content] = [row('type').trim().toLowerCase(), row('content').trim()];
      if (content === '') return null;
      if (type === 'task') return addTask(row);
      if (type === 'note') return addText(content);
      if (type !== 'section') return null;
      [section, link] = [oneLine(content), null];
      return write(`\n## ${section}\n`);
    },
    *entries(): Iterable<RawEntry> {
      yield* links;
      const body = lines.join('\n').trim();
      if (lines.some((line) => line.includes('- [ ] ')))
        yield { title: project, tags: ['Todoist'], text: { name: hashOf(`Todoist\n${project}`), body } };
    },
  };
}

const oneLine = (text: string): string => text.replaceAll(/\s{1,1000}/g, ' ');

/** Rows before the header of a table: older exports of playlists have some. */
const maxRowsBeforeHeader = 20;

interface Found {
  format: string;
  raw: RawEntry;
}

export async function* readCsv(rows: AsyncIterable<string[]>, file: string): AsyncGenerator<Found> {
  let table: KnownTable | null = null;
  let books: BookShelf | undefined;
  let collected: ReturnType<NonNullable<CsvFormat['collect']>> | undefined;
  const leftOut = new Set<string>();
  let before: string[][] = [];
  const entry = function* ({ format, row: rowOf }: KnownTable, fields: string[]): Generator<Found> {
    const { row, unread } = rowOf(fields);
    const all = { format: format.name };
    if (format.collect !== undefined) {
      collected ??= format.collect(file);
      const refused = collected.add(row);
      for (const name of unread()) leftOut.add(name);
      if (refused !== null) yield { ...all, raw: refused };
      return;
    }
    const found = { url: row('url'), title: row('title'), ...format.read(row, file) };
    const raw = withPlainTitle({ ...found, fields: unread() });
    if ((raw.url ?? '').trim() !== '' || raw.book === undefined) return yield { ...all, raw };
    books ??= createBookShelf(format.name);
    for (const name of unread()) leftOut.add(name);
    const refused = books.add(raw);
    if (refused !== null) yield { ...all, raw: refused };
  };
  const guess = function* (): Generator<Found> {
    const guessed = guessTable(before);
    table = guessed === null ? null : csvFormatOf(guessed.header);
    if (table !== null && guessed !== null) for (const row of before.slice(guessed.from)) yield* entry(table, row);
    before = [];
  };
  let count = 0;
  for await (const row of rows) {
    count += 1;
    if (table !== null) {
      yield* entry(table, row);
      continue;
    }
    table = csvFormatOf(row);
    if (table !== null) continue;
    before.push(row);
    if (count < maxRowsBeforeHeader) continue;
    yield* guess();
    if (table === null) break;
  }
  if (table === null) yield* guess();
  const known: KnownTable | null = table;
  if (known === null)
    yield {
      format: '',
      raw: { title: file, refused: 'none of its columns is known: name the one with the addresses `url`' },
    };
  else
    for (const raw of [...(books?.entries() ?? []), ...(collected?.entries() ?? [])])
      yield { format: known.format.name, raw: { ...raw, fields: [...leftOut] } };
}
