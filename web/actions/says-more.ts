const bare = (words: string): string =>
  words
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Whether a sentence says more than a title: most titles are their sentence, without its full stop. */
export function saysMore(sentence: string, title: string): boolean {
  const [whole, part] = [bare(sentence), bare(title)];
  return whole !== '' && !part.includes(whole) && !(whole.includes(part) && whole.length < 1.25 * part.length);
}
