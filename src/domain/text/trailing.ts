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
