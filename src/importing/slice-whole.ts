/** Does not cut a character in half. */
export function sliceWhole(text: string, length: number): string {
  return text.length <= length
    ? text
    : text
        .slice(0, length)
        .toWellFormed()
        .replace(/\ufffd$/, '');
}
