import { csvFormatNames, csvFormatOf } from './formats/csv-formats.ts';
import { jsonFormatNames } from './formats/json-formats.ts';
import { isClippings } from './formats/kindle-clippings.ts';
import { countLinks, linksIn } from './formats/url-list.ts';
import { isMailStart } from '../domain/text/mailbox-file.ts';
import { firstFields, separatorOf } from './reading/csv-rows.ts';

/** Formats that are recognised by their first characters, with their names in a report. */
const namesOfKinds = {
  netscape: 'bookmarks (HTML)',
  'link list': 'list of links (HTML)',
  opml: 'feeds (OPML)',
  enex: 'Evernote (ENEX)',
  'youtube history': 'YouTube history (Google Takeout)',
  urls: 'list of addresses',
  clippings: 'Kindle clippings',
  note: 'Markdown note',
  pdf: 'PDF',
  mailbox: 'mailbox (mbox)',
} as const;

/** `note` and `pdf` are saved as they are. */
export type Recognised =
  | keyof typeof namesOfKinds
  | 'csv'
  | 'json'
  | 'json lines'
  | 'keep page'
  | 'firefox archive'
  | 'unknown';

export const formatNames: readonly string[] = [
  ...new Set([...Object.values(namesOfKinds), ...csvFormatNames, ...jsonFormatNames]),
];

export function nameOfKind(kind: keyof typeof namesOfKinds): string {
  return namesOfKinds[kind];
}

const maxLinesLookedAt = 40;

/**
 * The ending of a name counts only for notes, which look like any text.
 * @param isAlone the file was named by itself: then a text with few addresses is a list, too
 */
export function recognise(path: string, head: string, isAlone: boolean): Recognised {
  const text = head.replace(/^\ufeff/, '').trimStart();
  if (text.startsWith('%PDF-')) return 'pdf';
  if (text.startsWith('mozLz40')) return 'firefox archive';
  if (/\.(?:md|markdown)$/i.test(path)) return isAlone && isListOfLinks(text) ? 'urls' : 'note';
  if (isMailStart(text, false)) return 'mailbox';
  const start = text.slice(0, 4_096).toLowerCase();
  if (start.includes('netscape-bookmark-file')) return 'netscape';
  if (/^<(?!https?:)[a-z!?]/.test(start)) return kindOfMarkup(start, text.toLowerCase());
  if (start.startsWith('{') && isJsonLines(text)) return 'json lines';
  // A line of a list may begin with a link of Markdown.
  if (start.startsWith('{') || /^\[\s{0,1000}(?:[{["]|\]\s{0,10}$)/.test(start)) return 'json';
  if (isClippings(text.slice(0, 20_000))) return 'clippings';
  const lines = text.split(/\r\n|\r|\n/, maxLinesLookedAt);
  const separator = separatorOf(text);
  const header = firstFields(text, separator);
  if (header.length > 1 && !header.some((name) => /https?:/i.test(name)) && csvFormatOf(header) !== null) return 'csv';
  const { links, words } = countLinks(lines);
  const first = lines.find((line) => line.trim() !== '') ?? '';
  if (csvFormatOf(first.split(',')) !== null) return 'csv';
  if (isTable(lines, separator)) return 'csv';
  if (links > 0 && (links >= words || (isAlone && /\.txt$/i.test(path)))) return 'urls';
  return lines.some((line) => line.includes(separator)) ? 'csv' : 'unknown';
}

/** Whether lines with an address have as many fields as their neighbours, and more than one. */
function isTable(lines: readonly string[], separator: string): boolean {
  const counts = lines.filter((line) => /https?:/i.test(line)).map((line) => firstFields(line, separator).length);
  return counts.length > 1 && counts.every((count) => count > 1 && count === counts[0]);
}

/** Whether nearly all that a text of Markdown says is links, each on a line. */
function isListOfLinks(text: string): boolean {
  const lines = text.split(/\r\n|\r|\n/, 1_000).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const links = lines.filter(
    (line) => linksIn(line).length === 1 && /^\s{0,20}(?:[-*+•<[]|\d{1,4}[.)]|https?:)/i.test(line),
  );
  return links.length >= 2 && links.length * 5 >= lines.length * 4;
}

function kindOfMarkup(start: string, text: string): Recognised {
  if (start.includes('<opml')) return 'opml';
  if (start.includes('<en-export')) return 'enex';
  if (text.includes('class="note"') && text.includes('class="heading"') && text.includes('class="content"'))
    return 'keep page';
  if (text.includes('content-cell mdl-cell') && text.includes('youtube.com/watch')) return 'youtube history';
  return isLinkList(text) ? 'link list' : isNetscapeLike(text) ? 'netscape' : 'unknown';
}

/** One object per line, as in our own export. The first line may be longer than the examined text. */
function isJsonLines(text: string): boolean {
  if (text.startsWith('{"id":"c_')) return true;
  const end = text.indexOf('\n');
  return text.slice(0, Math.max(0, end)).trimEnd().endsWith('}') && text.slice(end).trimStart().startsWith('{');
}

function isLinkList(text: string): boolean {
  const start = text.slice(0, 4_096);
  const isNamed = start.includes('<title>pocket export') || start.includes('<title>instapaper: export');
  return isNamed || (start.includes('<ul') && text.includes(' time_added='));
}

function isNetscapeLike(text: string): boolean {
  if (!text.includes('<dl') || !/<dt>\s{0,20}<[ah]/.test(text)) return false;
  return text.includes('add_date=') || /<dl>\s{0,20}<p>/.test(text) || /<dt>\s{0,20}<h3/.test(text);
}
