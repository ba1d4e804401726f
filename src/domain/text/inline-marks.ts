/*
 * Marks of inline Markdown, found in one pass over the characters, so that no page can make it slow.
 */

/** A character that a backslash before it makes plain. */
export const escapable = /[!-/:-@[-`{-~]/;

/** How many times in a row the character at `at` stands there. */
export function runLength(text: string, at: number): number {
  let end = at + 1;
  while (text[end] === text[at]) end += 1;
  return end - at;
}

/** Finds the next run of backticks with the same length. The runs of each length are visited once. */
export function tickRuns(text: string): { closer(at: number, length: number): number | undefined } {
  const byLength = new Map<number, number[]>();
  for (const match of text.matchAll(/`+/g)) {
    const places = byLength.get(match[0].length) ?? [];
    places.push(match.index);
    byLength.set(match[0].length, places);
  }
  const next = new Map<number, number>();
  return {
    closer(at, length) {
      const places = byLength.get(length) ?? [];
      let i = next.get(length) ?? 0;
      while (i < places.length && (places[i] ?? 0) <= at) i += 1;
      next.set(length, i);
      return places[i];
    },
  };
}

/** Maps the position of each `[` to its closing `]`. Skips escapes; does not skip code spans. */
export function matchBrackets(text: string): Map<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (const match of text.matchAll(/\\.|[[\]]/gs)) {
    if (match[0] === '[') open.push(match.index);
    else if (match[0] === ']') {
      const start = open.pop();
      if (start !== undefined) pairs.set(start, match.index);
    }
  }
  return pairs;
}
