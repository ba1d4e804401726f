/** Each term of the index begins with a byte that marks it as a whole word. */
const wholeWord = 0x30;

const utf8 = new TextEncoder();

/** A word, or a prefix, in the form of the index's terms. */
export function termOf(token: string): Uint8Array {
  const term = new Uint8Array(1 + 3 * token.length);
  term[0] = wholeWord;
  return term.subarray(0, 1 + utf8.encodeInto(token, term.subarray(1)).written);
}

/** Zero when the term has the prefix; otherwise negative when the term sorts before it, positive when after. */
export function compareBeginning(term: Uint8Array, length: number, beginning: Uint8Array): number {
  for (let at = 0; at < beginning.length; at += 1) {
    if (at === length) return -1;
    const difference = (term[at] ?? 0) - (beginning[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
