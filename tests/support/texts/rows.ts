/** A table of texts for `it.each`, written as one row a line with ` :: ` between its cells. */
export const rows = (text: string): string[][] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' :: '));
