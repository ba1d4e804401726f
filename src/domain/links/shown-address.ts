import { uploadedFileName } from './uploaded-file.ts';

/** The address, or the link to a place, that people and programs are shown; null where it opens nothing: of a note and of an uploaded file. */
export function shownAddress(address: string | null): string | null {
  return address === null || isNoteAddress(address) || uploadedFileName(address) !== null ? null : address;
}

/** Of a page, and not of a file or a note. */
export function isWebAddress(url: string): boolean {
  return /^https?:/i.test(url);
}

/** The words of an item's address: its host and path, or the name of an uploaded file. Empty for a note. */
export function addressWords(address: string): string {
  const { host = '', pathname = '' } = URL.parse(shownAddress(address) ?? '') ?? {};
  const path = uploadedFileName(address) ?? pathname;
  try {
    return `${host.replace(/^www\./, '')} ${decodeURIComponent(path)}`.trim();
  } catch {
    return `${host} ${path}`;
  }
}

/*
 * A note of one's own has no web address. The store knows it by `note:` and a hash of its title and text, so that the
 * same note sent twice is one item. Nobody is shown that address: answers say null.
 */

export const noteScheme = 'note:';

export function isNoteAddress(url: string): boolean {
  return url.startsWith(noteScheme);
}
