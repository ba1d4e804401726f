import type { ExportedItem } from '../domain/records/transfers/exported.ts';
import type { SingleFormat } from '../domain/records/transfers/library-job.ts';
import type { Source } from '../domain/records/sources/source.ts';
import { archivedCopyIn } from '../domain/links/archived-copy.ts';
import { shownAddress } from '../domain/links/shown-address.ts';
import {
  calendarFoot,
  calendarHead,
  calendarTodos,
  openActions,
  ownActions,
  todoistHead,
  todoistTasks,
} from './action-files.ts';
import { csvRow } from './csv-row.ts';
import { escapeHtml } from './index-page.ts';
import { oneLine, visibleDocument } from './markdown.ts';

/*
 * A library as one file that other programs import.
 */

/** What stands at the beginning and the end of the file, and for each item; empty for an item that the format cannot hold. */
export interface ItemWriter {
  head: string;
  /** @param lists the names of the lists that it is in */
  item(item: ExportedItem, goalTitle: (id: string) => string | undefined, lists: readonly string[]): string;
  foot: string;
  /** A feed that is followed, where the format has a place for it. */
  feed?(source: Source): string;
  /** The action items of an item that are written, where the file has nothing else. */
  actions?(item: ExportedItem): readonly unknown[];
}

export function writerOf(format: SingleFormat): ItemWriter {
  return { netscape, csv, jsonl, opml, ics, todoist }[format];
}

const addressOf = ({ url }: ExportedItem): string | null => shownAddress(url);
const readAt = (item: ExportedItem): string | null => (item.readAt ? new Date(item.readAt).toISOString() : null);
const titleOf = (item: ExportedItem): string => oneLine(item.title ?? addressOf(item) ?? 'A note');

const netscape: ItemWriter = {
  head: '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">\n<TITLE>Bookmarks</TITLE>\n<H1>Bookmarks</H1>\n<DL><p>\n',
  item(item) {
    const url = addressOf(item);
    if (url === null) return '';
    const tags = item.tags.length === 0 ? '' : ` TAGS="${escapeHtml(item.tags.join(','))}"`;
    const added = Math.floor(item.createdAt / 1_000);
    const toRead = item.shelf !== 'archive' && !item.readAt ? ' TOREAD="1"' : '';
    const line = `<DT><A HREF="${escapeHtml(url)}" ADD_DATE="${added}"${toRead}${tags}>${escapeHtml(titleOf(item))}</A>\n`;
    return item.notes === null ? line : `${line}<DD>${escapeHtml(oneLine(item.notes))}\n`;
  },
  foot: '</DL><p>\n',
};

const columns = ['url', 'title', 'tags', 'notes', 'created', 'status', 'id', 'shelf', 'read'];

const csv: ItemWriter = {
  head: csvRow(columns),
  item(item) {
    const saved = new Date(item.createdAt).toISOString();
    return csvRow([
      addressOf(item) ?? '',
      titleOf(item),
      item.tags.join(', '),
      item.notes ?? '',
      saved,
      item.state,
      item.id,
      item.shelf ?? '',
      readAt(item) ?? '',
    ]);
  },
  foot: '',
};

const jsonl: ItemWriter = {
  head: '',
  item(item, _goalTitle, lists) {
    const document = visibleDocument(item);
    const said = {
      id: item.id,
      url: addressOf(item),
      archivedCopy: archivedCopyIn(document?.warnings ?? []) ?? undefined,
      title: item.title,
      tags: item.tags,
      lists: lists.length === 0 ? undefined : lists,
      notes: item.notes,
      contentType: document?.contentType ?? null,
      author: document?.author ?? null,
      siteName: document?.siteName ?? null,
      publishedAt: document?.publishedAt ?? null,
      language: document?.language ?? null,
      createdAt: new Date(item.createdAt).toISOString(),
      status: item.state,
      shelf: item.shelf,
      readAt: readAt(item),
      reading: item.readingShare ? { start: item.readingStart ?? null, share: item.readingShare } : null,
      summary: item.summary,
      insights: item.insights.map(({ text, quote, url }) => ({ text, quote, url })),
      actions: item.actions.map(({ id, title, state, due, priority, snoozedUntil, quote, url }) => ({
        id,
        title,
        state,
        due: due ?? null,
        priority,
        snoozedUntil: snoozedUntil ?? null,
        quote,
        url,
      })),
      highlights: item.highlights
        .filter(({ deletedAt }) => deletedAt === null)
        .map(({ id, quote, note, colour, url }) => ({ id, quote, note, colour, url })),
      text: document?.text ?? null,
    };
    return `${JSON.stringify(said)}\n`;
  },
  foot: '',
};

function outline(name: string, isFeed: boolean, url: string, tags: readonly string[]): string {
  const [title, address] = [escapeXml(name), escapeXml(url)];
  const about = isFeed ? `type="rss" xmlUrl="${address}"` : `type="link" url="${address}"`;
  const category = tags.length === 0 ? '' : ` category="${escapeXml(tags.join(','))}"`;
  return `<outline text="${title}" title="${title}" ${about}${category}/>\n`;
}

const opml: ItemWriter = {
  head: '<?xml version="1.0" encoding="UTF-8"?>\n<opml version="2.0">\n<head><title>Commonplace</title></head>\n<body>\n',
  item(item) {
    const url = addressOf(item);
    if (url === null) return '';
    const isFeed = item.tags.some((tag) => tag.toLowerCase() === 'feed');
    return outline(titleOf(item), isFeed, url, item.tags);
  },
  feed: ({ name, address, options }) => outline(oneLine(name), true, address, options.tags ?? []),
  foot: '</body>\n</opml>\n',
};

const ics: ItemWriter = { head: calendarHead, item: calendarTodos, foot: calendarFoot, actions: ownActions };
const todoist: ItemWriter = { head: todoistHead, item: todoistTasks, foot: '', actions: openActions };

/** XML 1.0 has no place for control characters, not even escaped. */
// oxlint-disable-next-line no-control-regex
const notInXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

function escapeXml(text: string): string {
  return escapeHtml(text.replaceAll(notInXml, ' '));
}
