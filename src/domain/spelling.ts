/**
 * How many letters have to be put in, left out, changed or exchanged with a neighbour to make one word of the other (the
 * optimal string alignment of Damerau and Levenshtein); `most + 1` when it is more than `most`.
 */
export function editDistance(from: string, to: string, most: number): number {
  const [a, b] = [[...from], [...to]];
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [row, letter] of a.entries()) {
    const current = [row + 1];
    for (const [column, other] of b.entries()) {
      const changed = (last[column] ?? 0) + (letter === other ? 0 : 1);
      let least = Math.min(changed, (last[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1);
      const isExchanged = row > 0 && column > 0 && letter === b[column - 1] && a[row - 1] === other;
      if (isExchanged) least = Math.min(least, (beforeLast[column - 1] ?? 0) + 1);
      current.push(least);
    }
    if (Math.min(...current) > most) return most + 1;
    [beforeLast, last] = [last, current];
  }
  return Math.min(last.at(-1) ?? 0, most + 1);
}

/** Only words of letters that are written with spaces, and long enough to tell which word was meant. */
export function mayBeMisspelt(word: string): boolean {
  return /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]{4,30}$/u.test(word);
}
