/**
 * How many letters have to be put in, left out, changed or exchanged with a neighbour to make one word of the other (the
 * optimal string alignment of Damerau and Levenshtein); `most + 1` when it is more than `most`.
 */
export function editDistance(from: string, to: string, most: number): number {
  const difference = Math.abs(from.length - to.length);
  if (difference > 2 * most) return most + 1;
  // Beyond the Basic Multilingual Plane a letter is two units.
  if (hasPairs(to) || hasPairs(from)) return distanceOf([...from], [...to], most);
  return difference > most ? most + 1 : distanceOf(from, to, most);
}

function hasPairs(word: string): boolean {
  for (let at = 0; at < word.length; at += 1) if ((word.charCodeAt(at) & 0xf800) === 0xd800) return true;
  return false;
}

/** What both begin and end with is as it was: only what is between them is compared. */
function distanceOf(from: string | string[], to: string | string[], most: number): number {
  let [fromEnd, toEnd, start] = [from.length, to.length, 0];
  if (Math.abs(fromEnd - toEnd) > most) return most + 1;
  while (fromEnd > 0 && toEnd > 0 && from[fromEnd - 1] === to[toEnd - 1]) {
    fromEnd -= 1;
    toEnd -= 1;
  }
  while (start < fromEnd && start < toEnd && from[start] === to[start]) start += 1;
  const longer = Math.max(fromEnd, toEnd) - start;
  if (start === fromEnd || start === toEnd) return Math.min(longer, most + 1);
  // One mistake leaves one letter of each, or two that are exchanged.
  if (most < 2) {
    const isChanged = longer === 1;
    const areExchanged =
      longer === 2 && fromEnd === toEnd && from[start] === to[start + 1] && from[start + 1] === to[start];
    return isChanged || areExchanged ? Math.min(1, most + 1) : most + 1;
  }
  const [a, b] = [from.slice(start, fromEnd), to.slice(start, toEnd)];
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 0; row < a.length; row += 1) {
    const current = [row + 1];
    let leastOfRow = row + 1;
    for (let column = 0; column < b.length; column += 1) {
      const changed = (last[column] ?? 0) + (a[row] === b[column] ? 0 : 1);
      let least = Math.min(changed, (last[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1);
      const isExchanged = row > 0 && column > 0 && a[row] === b[column - 1] && a[row - 1] === b[column];
      if (isExchanged) least = Math.min(least, (beforeLast[column - 1] ?? 0) + 1);
      current.push(least);
      leastOfRow = Math.min(leastOfRow, least);
    }
    if (leastOfRow > most) return most + 1;
    [beforeLast, last] = [last, current];
  }
  return Math.min(last.at(-1) ?? 0, most + 1);
}

/** Only words of letters that are written with spaces, and long enough to tell which word was meant. */
export function mayBeMisspelt(word: string): boolean {
  return /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]{4,30}$/u.test(word);
}
