import type { RawEntry } from '../raw-entry.ts';

/** One address a line, with a title after it if there is one. Empty lines and lines that begin with # are skipped. */
export async function* readUrlList(lines: AsyncIterable<string>): AsyncGenerator<RawEntry> {
  for await (const raw of lines) {
    const line = raw.replace(/^\ufeff/, '').trim();
    if (line === '' || line.startsWith('#')) continue;
    const end = line.search(/\s/);
    const url = end === -1 ? line : line.slice(0, end);
    if (!/^https?:\/\//i.test(url)) yield { title: line, refused: 'it does not begin with a web address' };
    // OneTab and others put a bar between address and title.
    else yield { url, title: end === -1 ? undefined : line.slice(end).replace(/^[\s|]{0,10}/, '') };
  }
}
