import { csvRow } from './csv-row.ts';
import type { ExportedAction, ExportedItem } from '../domain/records/transfers/exported.ts';
import { oneLine, safeLink, visibleDocument, titleOf } from './markdown.ts';
import type { SingleFormat } from '../domain/records/transfers/library-job.ts';
import type { Source } from '../domain/records/sources/source.ts';
import { archivedCopyIn } from '../domain/links/archived-copy.ts';
import { shownAddress } from '../domain/links/shown-address.ts';
import { escapeHtml } from './index-page.ts';

/* Action items as files for calendars and for Todoist. */

/** Every action is written once: a merged one belongs to another item. */
const ownActions = ({ actions }: ExportedItem): ExportedAction[] =>
  actions.filter(({ mergedInto }) => mergedInto === null);
const openActions = (item: ExportedItem): ExportedAction[] => ownActions(item).filter(({ state }) => state === 'open');

/** Why it is worth doing, the sentence that it came from, and where. */
function detailsOf(action: ExportedAction, item: ExportedItem): string[] {
  const said = [action.reason, action.quote, item.title].filter((text) => text !== null).map(oneLine);
  return [...new Set(said)].filter((text) => text !== '' && text !== action.title);
}

const addressOf = (action: ExportedAction, item: ExportedItem): string | null =>
  safeLink(action.url) ?? safeLink(item.url);

/** One `VTODO` of iCalendar (RFC 5545) for each action. */
function calendarTodos(item: ExportedItem, goalTitle: (id: string) => string | undefined): string {
  return ownActions(item)
    .map((action) => {
      const { id, title, state, due, snoozedUntil, goalId, createdAt, completedAt, touchedAt } = action;
      const goal = goalTitle(goalId ?? '');
      const url = addressOf(action, item);
      const details = detailsOf(action, item);
      // A todo begins the day before it is due. A longer snooze is described in words.
      const begins = snoozedUntil && (!due || snoozedUntil < due);
      if (snoozedUntil && !begins) details.push(`Snoozed until ${snoozedUntil}`);
      return [
        'BEGIN:VTODO',
        `UID:${id}@commonplace`,
        `DTSTAMP:${timeOf(touchedAt ?? createdAt)}`,
        `CREATED:${timeOf(createdAt)}`,
        `SUMMARY:${escaped(oneLine(title))}`,
        ...(details.length === 0 ? [] : [`DESCRIPTION:${escaped(details.join('\n'))}`]),
        ...(begins ? [`DTSTART;VALUE=DATE:${snoozedUntil.replaceAll('-', '')}`] : []),
        ...(due ? [`DUE;VALUE=DATE:${due.replaceAll('-', '')}`] : []),
        `PRIORITY:${{ high: 1, normal: 5, low: 9 }[action.priority]}`,
        `STATUS:${{ open: 'NEEDS-ACTION', done: 'COMPLETED', dismissed: 'CANCELLED' }[state]}`,
        ...(completedAt === null ? [] : [`COMPLETED:${timeOf(completedAt)}`]),
        ...(goal === undefined ? [] : [`CATEGORIES:${escaped(oneLine(goal))}`]),
        ...(url === null ? [] : [`URL:${withoutControls(url, '')}`]),
        'END:VTODO',
      ];
    })
    .flat()
    .map(folded)
    .join('');
}

const calendarHead = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Commonplace//Action items//EN\r\n';
const calendarFoot = 'END:VCALENDAR\r\n';

const timeOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

/** Some readers take these for the end of a line. */
const withoutControls = (text: string, by: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, by);

/** A text as a value: nothing of it ends the line or begins another value. */
const escaped = (text: string): string =>
  text
    .split('\n')
    .map((line) => withoutControls(line, ' ').replaceAll(/[\\;,]/g, String.raw`\$&`))
    .join(String.raw`\n`);

const maxLineBytes = 75;

/** A line, continued on further ones where it is longer than 75 bytes; no character is divided. */
function folded(line: string): string {
  let text = '';
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > maxLineBytes) {
      text += '\r\n ';
      bytes = 1;
    }
    text += character;
    bytes += size;
  }
  return `${text}\r\n`;
}

const todoistHead = csvRow(
  'TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE'.split(','),
);

/** One task of Todoist for each open action (https://www.todoist.com/help/articles/format-a-csv-file-to-import-into-todoist-UVUXVMo4). */
function todoistTasks(item: ExportedItem): string {
  return openActions(item)
    .map((action) => {
      const { title, due, snoozedUntil, priority } = action;
      const details = [...detailsOf(action, item), addressOf(action, item) ?? ''].filter(Boolean);
      const level = { high: '1', normal: '3', low: '4' }[priority];
      const day = due ?? snoozedUntil;
      const date = day ? [day, 'en'] : ['', ''];
      return csvRow(['task', oneLine(title), details.join('\n'), level, '1', '', '', ...date, '']);
    })
    .join('');
}

/* A library as one file that other programs import. */

/** The beginning and end of the file, and the text of each item; empty for an item that the format cannot represent. */
interface ItemWriter {
  head: string;
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

const pageAddress = ({ url }: ExportedItem): string | null => shownAddress(url);
const readAt = (item: ExportedItem): string | null => (item.readAt ? new Date(item.readAt).toISOString() : null);
const netscape: ItemWriter = {
  head: '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">\n<TITLE>Bookmarks</TITLE>\n<H1>Bookmarks</H1>\n<DL><p>\n',
  item(item) {
    const url = pageAddress(item);
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
      pageAddress(item) ?? '',
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
      url: pageAddress(item),
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
    const url = pageAddress(item);
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
