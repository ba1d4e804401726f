/**
 * The number of letters to insert, delete, replace or transpose with a neighbour to turn one word into the other (the
 * optimal string alignment distance of Damerau and Levenshtein); `maxDistance + 1` when it is more than `maxDistance`.
 */
export function editDistance(from: string, to: string, maxDistance: number): number {
  const [one, other] = [lettersOf(from), lettersOf(to)];
  let [first, last, otherLast] = [0, one.length, other.length];
  if (Math.abs(last - otherLast) > maxDistance) return maxDistance + 1;
  // Most words that are compared have only a few letters between the same beginning and the same end.
  while (first < last && first < otherLast && one[first] === other[first]) first += 1;
  while (first < last && first < otherLast && one[last - 1] === other[otherLast - 1]) {
    last -= 1;
    otherLast -= 1;
  }
  const width = otherLast - first;
  if (width === 0 || last === first) return Math.min(width + last - first, maxDistance + 1);
  const far = maxDistance + 1;
  let [leastBefore, before]: [number, number[]] = [0, []];
  let row: number[] = [];
  for (let column = 0; column <= width; column += 1) row.push(column);
  for (let at = first; at < last; at += 1) {
    const nth = at - first + 1;
    // A place further than `maxDistance` beside the diagonal takes more insertions than there may be.
    const next = row.slice().fill(far);
    next[0] = nth;
    let least = nth;
    for (let column = Math.max(1, nth - maxDistance); column <= Math.min(width, nth + maxDistance); column += 1) {
      const [letter, its] = [one[at], other[first + column - 1]];
      let distance = Math.min((row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1);
      distance = Math.min(distance, (row[column - 1] ?? 0) + (letter === its ? 0 : 1));
      if (at > first && column > 1 && letter === other[first + column - 2] && one[at - 1] === its)
        distance = Math.min(distance, (before[column - 2] ?? 0) + 1);
      next[column] = distance;
      least = Math.min(least, distance);
    }
    // An exchange goes on from the row before.
    if (least > maxDistance && leastBefore >= maxDistance) return far;
    leastBefore = least;
    [before, row] = [row, next];
  }
  return Math.min(row[width] ?? 0, far);
}

/** Outside the Basic Multilingual Plane a letter is two UTF-16 units. */
function lettersOf(word: string): string | string[] {
  return /[\ud800-\udfff]/.test(word) ? Array.from(word) : word;
}

/** Only words in scripts with spaces are corrected, and only if they are long enough to tell which word was meant. */
export function mayBeMisspelt(word: string): boolean {
  return /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]{4,30}$/u.test(word);
}
