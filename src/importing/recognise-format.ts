import { csvFormatOf } from './formats/csv-formats.ts';
import { firstFields, separatorOf } from './reading/csv-rows.ts';

/** What a file of an export is. `note` and `pdf` are saved as they are. */
export type Recognised =
  | 'netscape'
  | 'link list'
  | 'opml'
  | 'urls'
  | 'csv'
  | 'json'
  | 'json lines'
  | 'clippings'
  | 'note'
  | 'pdf'
  | 'unknown';

const maxLinesLookedAt = 40;

/**
 * Recognises a file by its first characters. The ending of its name counts only for notes, which look like any text.
 * @param isAlone whether it was named by itself: then a text with few addresses is a list, too
 */
export function recognise(path: string, head: string, isAlone: boolean): Recognised {
  const text = head.replace(/^\ufeff/, '').trimStart();
  if (text.startsWith('%PDF-')) return 'pdf';
  if (/\.(?:md|markdown)$/i.test(path)) return 'note';
  const start = text.slice(0, 4_096).toLowerCase();
  if (start.includes('netscape-bookmark-file')) return 'netscape';
  if (start.startsWith('<') && start.includes('<opml')) return 'opml';
  if (start.startsWith('<'))
    return isLinkList(text.toLowerCase()) ? 'link list' : isNetscapeLike(text.toLowerCase()) ? 'netscape' : 'unknown';
  if (start.startsWith('{') && isJsonLines(text)) return 'json lines';
  if (start.startsWith('{') || start.startsWith('[')) return 'json';
  if (isClippings(text.slice(0, 20_000))) return 'clippings';
  const lines = text
    .split(/\r\n|\r|\n/, maxLinesLookedAt)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const separator = separatorOf(text);
  const header = firstFields(text, separator);
  if (header.length > 1 && !header.some((name) => /^https?:/i.test(name)) && csvFormatOf(header) !== null) return 'csv';
  if (csvFormatOf((lines[0] ?? '').split(',')) !== null) return 'csv';
  const addresses = lines.filter((line) => /^https?:\/\/\S/i.test(line.trim())).length;
  if (addresses > 0 && (addresses * 2 >= lines.length || (isAlone && /\.txt$/i.test(path)))) return 'urls';
  return lines.some((line) => line.includes(separator)) ? 'csv' : 'unknown';
}

/** `My Clippings.txt` of a Kindle: a line that begins with a dash under each title, and a line of ten equals signs. */
function isClippings(text: string): boolean {
  const lines = text.split(/\r?\n/, 200);
  return (lines[1] ?? '').startsWith('- ') && lines.includes('==========');
}

/** One object a line, as this program exports them, too. The first line may be longer than what is looked at. */
function isJsonLines(text: string): boolean {
  if (text.startsWith('{"id":"c_')) return true;
  const end = text.indexOf('\n');
  return text.slice(0, Math.max(0, end)).trimEnd().endsWith('}') && text.slice(end).trimStart().startsWith('{');
}

/** The lists of Pocket and Instapaper. */
function isLinkList(text: string): boolean {
  const start = text.slice(0, 4_096);
  const isNamed = start.includes('<title>pocket export') || start.includes('<title>instapaper: export');
  return isNamed || (start.includes('<ul') && text.includes(' time_added='));
}

/** Bookmarks of programs that leave out the first line. */
function isNetscapeLike(text: string): boolean {
  return text.includes('<dl') && /<dt>\s{0,20}<[ah]/.test(text) && text.includes('add_date=');
}
