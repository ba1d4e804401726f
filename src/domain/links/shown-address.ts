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
 * A person's own note has no web address. The store identifies it by `note:` and a hash of its title and text, so that the same
 * note sent twice is one item. That address is never shown: answers have null.
 */

export const noteScheme = 'note:';

export function isNoteAddress(url: string): boolean {
  return url.startsWith(noteScheme);
}

/*
 * A file that was uploaded has no address. The store knows it by one that no file of a machine has: a hash of its bytes, in
 * place of folders, and its name. So the same file sent twice is one item. Nobody is shown that address.
 */

const uploadAddress = /^file:\/\/\/[0-9a-f]{32}\/([^/?#]{1,2000})/;

/** @param hash of its bytes, in hexadecimal */
export function addressOfUpload(name: string, hash: string): string {
  return `file:///${hash.slice(0, 32)}/${encodeURIComponent(name)}`;
}

/** The name of an uploaded file, by its address or a link into it; null for every other address. */
export function uploadedFileName(address: string): string | null {
  const name = uploadAddress.exec(address)?.[1];
  if (name === undefined) return null;
  try {
    return decodeURIComponent(name);
  } catch {
    // An export from elsewhere may have another one.
    return name;
  }
}
