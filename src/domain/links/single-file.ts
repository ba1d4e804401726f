/*
 * SingleFile (https://github.com/gildas-lormeau/SingleFile) writes into the first comment of a page that it saves where the page was and
 * when it was saved. Browsers write where it was.
 */

/** Characters in which the comment begins and ends: `<html>` with its attributes comes before it. */
const maxBeginning = 8_000;

interface SingleFileNote {
  /** An address of the web. */
  url: string;
  /** When the page was saved (ISO 8601); null when that cannot be read. */
  savedAt: string | null;
}

/** Reads the comment; null for every other page. */
export function singleFileNote(page: string): SingleFileNote | null {
  const beginning = page.slice(0, maxBeginning);
  const start = beginning.indexOf('<!--');
  const end = beginning.indexOf('-->', start);
  if (start === -1 || end === -1) return null;
  const lines = beginning
    .slice(start + 4, end)
    .split('\n')
    .map((line) => line.trim());
  const browser = /^saved from url=\(\d{1,5}\)(\S{1,2000})$/.exec(lines[0] ?? '')?.[1];
  if (browser === undefined && !lines.some((line) => line.startsWith('Page saved with SingleFile'))) return null;
  const after = (name: string) =>
    lines
      .find((line) => line.startsWith(name))
      ?.slice(name.length)
      .trim() ?? '';
  const url = URL.parse(browser ?? after('url:'));
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '') return null;
  // The name of the time zone, which follows in brackets, is in the person's language.
  const savedAt = Date.parse(after('saved date:').replace(/\(.*$/s, ''));
  return { url: url.href, savedAt: Number.isNaN(savedAt) ? null : new Date(savedAt).toISOString() };
}
