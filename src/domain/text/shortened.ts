/** At most the first `most` UTF-16 units of a text; half a surrogate pair at the cut is left out, too. */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
}

/** A text of at most `most` UTF-16 units: a longer one ends in an ellipsis. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${beginningOf(text, most - 1).trimEnd()}…`;
}
