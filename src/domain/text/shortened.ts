/** At most the first `maxLength` UTF-16 units of a text. Half a surrogate pair at the cut is removed. */
export function beginningOf(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const last = text.charCodeAt(maxLength - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxLength - 1 : maxLength);
}

/** Shortens a text to at most `maxLength` UTF-16 units, with an ellipsis at the end if it was longer. */
export function shortened(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${beginningOf(text, maxLength - 1).trimEnd()}…`;
}
