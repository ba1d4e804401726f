/** Older queries are deleted. */
export const maxPastQueries = 1_000;

/** The same for queries that are kept as one. */
export function foldedQuery(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}
