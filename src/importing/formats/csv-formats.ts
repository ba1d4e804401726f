import type { RawEntry } from '../raw-entry.ts';
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
      notes: [row('note'), row('highlights')],
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
      tags: listed(row('document tags')),
      notes: [quoted(row('highlight'), row('note'))],
      date: row('highlighted at'),
    }),
  },
  {
    name: 'Instapaper (CSV)',
    columns: ['url', 'title', 'selection', 'folder', 'timestamp'],
    read: (row) => ({
      url: row('url'),
      title: row('title'),
      tags: [...instapaperFolder(row('folder')), ...listed(row('tags'))],
      notes: [row('selection')],
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
    name: 'bookmarks (CSV)',
    columns: ['url'],
    read: (row) => ({
      url: row('url'),
      title: row('title') || row('name'),
      tags: [...listed(row('tags')), ...listed(row('folder'))],
      notes: [row('notes') || row('note') || row('description')],
      date: row('created') || row('created_at') || row('date') || row('date_added') || row('time_added'),
    }),
  },
];

/** The format whose columns are all there; null when the row is no header of a known format. */
export function csvFormatOf(header: readonly string[]): CsvFormat | null {
  const columns = new Set(header.map((name) => name.trim().toLowerCase()));
  return csvFormats.find((format) => format.columns.every((name) => columns.has(name))) ?? null;
}

export function rowReader(header: readonly string[]): (fields: readonly string[]) => CsvRow {
  const places = new Map(header.map((name, at) => [name.trim().toLowerCase(), at]));
  return (fields) => (column) => fields[places.get(column) ?? -1] ?? '';
}

/** Tags that are separated by commas or semicolons, or written as a list of Python: `['a', 'b']`. */
function listed(text: string): string[] {
  const inside = text.trim();
  const list = inside.startsWith('[') && inside.endsWith(']') ? inside.slice(1, -1) : inside;
  return list
    .split(/[,;]/)
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

/** A highlight with its note, as Markdown. */
export function quoted(text: string, note = ''): string {
  const clean = text.trim();
  if (clean === '') return note;
  const quote = `> ${clean.replaceAll('\n', '\n> ')}`;
  return note.trim() === '' ? quote : `${quote}\n\n${note}`;
}
