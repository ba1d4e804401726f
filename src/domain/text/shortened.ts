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

/**
 * Removes any of these characters from the end of a text. A pattern such as `/[.,]+$/` takes quadratic time on a text
 * that is full of them but ends in another character.
 * @param characters one UTF-16 unit each
 */
export function withoutTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
