/*
 * A note of one's own has no web address. The store knows it by `note:` and a hash of its title and text, so that the
 * same note sent twice is one item. Nobody is shown that address: answers say null.
 */

export const noteScheme = 'note:';

export function isNoteAddress(url: string): boolean {
  return url.startsWith(noteScheme);
}
