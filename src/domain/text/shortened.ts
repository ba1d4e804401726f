/** At most the first `most` UTF-16 units of a text. Half a surrogate pair at the cut is removed. */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
}

/** Shortens a text to at most `most` UTF-16 units, with an ellipsis at the end if it was longer. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${beginningOf(text, most - 1).trimEnd()}…`;
}
