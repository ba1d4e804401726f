import type { RawEntry } from '../raw-entry.ts';
import { raindropHighlights } from './highlight-texts.ts';
import { knownColumns } from './table-columns.ts';
import { favouriteTag, isTrue, readTag, unreadTag } from './states.ts';

/** A row by the names of its columns, in lower case. */
export type CsvRow = (column: string) => string;

export interface CsvFormat {
  name: string;
  /** Columns that only this format has together. */
  columns: readonly string[];
  /** @param file the name of the file, without its ending */
  read(row: CsvRow, file: string): RawEntry;
}

const split = (text: string, separator: string): string[] => (text === '' ? [] : text.split(separator));

/** In the order in which they are tried: the last ones are the most general. */
const csvFormats: readonly CsvFormat[] = [
  {
    name: 'Pocket (CSV)',
    columns: ['title', 'url', 'time_added', 'tags', 'status'],
    read: (row) => ({
      url: row('url'),
      title: row('title'),
      tags: [...split(row('tags'), '|'), row('status') === 'archive' ? readTag : unreadTag],
      date: row('time_added'),
    }),
  },
  {
    name: 'Raindrop (CSV)',
    columns: ['title', 'note', 'excerpt', 'url', 'folder', 'tags', 'created'],
    read: (row) => ({
      url: row('url'),
      title: row('title'),
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
      url: row('url'),
      title: row('title'),
      tags: [...listed(row('document tags')), ...readerState(row('location'))],
      notes: [row('document note')],
      date: row('saved date'),
    }),
  },
  {
    name: 'Readwise highlights (CSV)',
    columns: ['highlight', 'book title', 'highlighted at'],
    read: (row) => ({
      url: row('source url') || row('url'),
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
      url: row('url'),
      title: row('title'),
      tags: [...instapaperFolder(row('folder')), ...listed(row('tags'))],
      highlights: [{ text: row('selection'), date: row('timestamp') }],
      date: row('timestamp'),
    }),
  },
  {
    name: 'Matter (CSV)',
    columns: ['title', 'url', 'in queue', 'favorited', 'read'],
    read: (row) => ({
      url: row('url'),
      title: row('title'),
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
      date: row('playlist video creation timestamp') || row('time added'),
    }),
  },
  {
    name: 'Wallabag (CSV)',
    columns: ['title', 'url', 'content', 'tags', 'mime type', 'language'],
    read: (row) => ({
      url: row('url'),
      title: row('title'),
      tags: listed(row('tags')),
      date: withDayFirst(row('creation date')),
    }),
  },
];

/** A table of any other program, or made by hand, by our names for its columns. */
const anyTable: CsvFormat = {
  name: 'bookmarks (CSV)',
  columns: ['url'],
  read: (row) => ({
    url: row('url'),
    title: row('title'),
    tags: [...listed(row('tags')), ...listed(row('folder')), ...statesOf(row)],
    notes: [row('notes')],
    date: row('created'),
  }),
};

export interface KnownTable {
  format: CsvFormat;
  read(fields: readonly string[]): CsvRow;
}

/** The format whose columns are all there; null when the row is no header of a known format. */
export function csvFormatOf(header: readonly string[]): KnownTable | null {
  const columns = header.map((name) => name.trim().toLowerCase());
  const format = csvFormats.find((one) => one.columns.every((name) => columns.includes(name)));
  if (format !== undefined) return { format, read: rowReader(columns) };
  const known = knownColumns(header);
  return known.includes('url') ? { format: anyTable, read: rowReader(known) } : null;
}

function rowReader(columns: readonly string[]): (fields: readonly string[]) => CsvRow {
  const places = new Map(columns.map((name, at) => [name, at]));
  return (fields) => (column) => fields[places.get(column) ?? -1] ?? '';
}

function statesOf(row: CsvRow): string[] {
  const status = row('status').trim().toLowerCase();
  return [
    ...(isTrue(row('read')) || ['read', 'archive', 'archived', 'done'].includes(status) ? [readTag] : []),
    ...(isTrue(row('unread')) || status === 'unread' ? [unreadTag] : []),
    ...(isTrue(row('favorite')) ? [favouriteTag] : []),
  ];
}

/** 13/09/2020 with a time of twelve hours, of which nobody knows the half of the day. */
function withDayFirst(text: string): string {
  const [, day, month, year] = /^(\d\d)\/(\d\d)\/(\d{4})/.exec(text.trim()) ?? [];
  return year === undefined ? text : `${year}-${month}-${day}`;
}

/** Tags that are separated by commas, semicolons or bars, or written as a list of Python: `['a', 'b']`. */
function listed(text: string): string[] {
  const inside = text.trim();
  const list = inside.startsWith('[') && inside.endsWith(']') ? inside.slice(1, -1) : inside;
  return list
    .split(/[,;|]/)
    .map((tag) => tag.trim())
    .map((tag) => (/^'.*'$|^".*"$/.test(tag) ? tag.slice(1, -1) : tag));
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
