import { type BookShelf, noteOfBook } from '../books.ts';
import type { RawEntry } from '../raw-entry.ts';
import { raindropHighlights } from './highlight-texts.ts';
import { htmlToMarkdown } from './html-text.ts';
import { type CsvRow, knownColumns } from './table-columns.ts';
import { favouriteTag, isTrue, readTag, unreadTag } from './states.ts';
import { createTodoList } from './todoist-tasks.ts';

export interface CsvFormat {
  name: string;
  /** Columns that only this format has together. */
  columns: readonly string[];
  /**
   * What it takes besides the columns `url` and `title`.
   * @param file the name of the file, without its ending
   */
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
      tags: [...split(row('tags'), '|'), row('status') === 'archive' ? readTag : unreadTag],
      date: row('time_added'),
    }),
  },
  {
    name: 'Raindrop (CSV)',
    columns: ['title', 'note', 'excerpt', 'url', 'folder', 'tags', 'created'],
    read: (row) => ({
      tags: [
        ...split(row('folder'), '/').filter((name) => name.trim().toLowerCase() !== 'unsorted'),
        ...split(row('tags'), ','),
        ...(isTrue(row('favorite')) ? [favouriteTag] : []),
      ],
      notes: [row('note')],
      highlights: raindropHighlights(row('highlights')),
      date: row('created'),
    }),
  },
  {
    name: 'Readwise Reader (CSV)',
    columns: ['title', 'url', 'document tags', 'saved date', 'location'],
    read: (row) => ({
      tags: [...listed(row('document tags')), ...readerState(row('location'))],
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
        isTrue(row('read')) ? readTag : unreadTag,
        ...(isTrue(row('favorited')) ? [favouriteTag] : []),
      ],
      date: row('last interaction date'),
    }),
  },
  {
    name: 'YouTube playlist (Google Takeout)',
    columns: ['video id'],
    read: (row, file) => ({
      url: `https://www.youtube.com/watch?v=${row('video id').trim()}`,
      tags: [file.replace(/(?:-videos| videos)$/i, '')],
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
      const shelf = row('exclusive shelf').trim();
      const state = { read: readTag, 'to-read': unreadTag }[shelf] ?? shelf;
      const rating = row('my rating');
      const facts = [
        [row('author'), ...split(row('additional authors'), ',')].map((name) => name.trim()).join(', '),
        [row('original publication year'), row('year published')].find((year) => year !== '') ?? '',
        [row('isbn13'), row('isbn')].map(isbn).find((number) => number !== '') ?? '',
        rating === '' || rating === '0' ? '' : `my rating: ${rating} of 5`,
        row('date read') === '' ? '' : `read on ${row('date read')}`,
      ];
      return {
        tags: [...split(row('bookshelves'), ',').filter((name) => name.trim() !== shelf), state],
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

/** A table of any other program, or made by hand, by our names for its columns. */
const anyTable: CsvFormat = {
  name: 'bookmarks (CSV)',
  columns: ['url'],
  read: (row) => ({
    tags: [...listed(row('tags')), ...listed(row('folder')), ...statesOf(row)],
    notes: [row('notes'), row('description')],
    date: row('created'),
  }),
};

export const csvFormatNames = [...csvFormats, anyTable].map(({ name }) => name);

export interface KnownTable {
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

function statesOf(row: CsvRow): string[] {
  const status = row('status').trim().toLowerCase();
  const [isRead, isUnread] = [isTrue(row('read')), isTrue(row('unread'))];
  return [
    ...(isRead || ['read', 'archive', 'archived', 'done'].includes(status) ? [readTag] : []),
    ...(isUnread || status === 'unread' ? [unreadTag] : []),
    ...(isTrue(row('favorite')) ? [favouriteTag] : []),
  ];
}

/** 13/09/2020 with a time of twelve hours, of which nobody knows the half of the day. */
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

function readerState(location: string): string[] {
  const name = location.trim().toLowerCase();
  if (name === 'archive') return [readTag];
  return name === 'feed' ? ['feed'] : [unreadTag];
}

function instapaperFolder(folder: string): string[] {
  const name = folder.trim();
  const state = { unread: unreadTag, archive: readTag, starred: favouriteTag }[name.toLowerCase()];
  return name === '' ? [] : [state ?? name];
}

function addressOfDoi(doi: string): string {
  return doi === '' ? '' : `https://doi.org/${doi.replace(/^https?:\/\/(?:dx\.)?doi\.org\//i, '')}`;
}

/** Spreadsheets keep the zeros of `="0441013597"`. */
function isbn(cell: string): string {
  const digits = cell.replaceAll(/[^\dXx]/g, '');
  return digits === '' ? '' : `ISBN ${digits}`;
}

/** What Wallabag writes in place of a page that it could not read is no page. */
export function wallabagPage(html: string): RawEntry['page'] {
  return /wallabag can't retrieve contents/i.test(html.slice(0, 2_000)) ? undefined : { html };
}
