/*
 * Text as a browser compares it when it looks for a fragment: letter case, accents and the form of quotation marks do not
 * count (https://wicg.github.io/scroll-to-text-fragment/ asks for the base characters only, and so does Chromium's finder).
 */

const folded = new Map<string, string>([
  ['İ', 'i'],
  ['’', "'"],
  ['‘', "'"],
  ['‛', "'"],
  ['“', '"'],
  ['”', '"'],
  ['„', '"'],
  ['\u00a0', ' '],
]);

function foldCharacter(character: string): string {
  const known = folded.get(character);
  if (known !== undefined) return known;
  const [base = character, ...marks] = character.normalize('NFD');
  const isAccented = base.length === 1 && marks.length > 0 && marks.every((mark) => /\p{Mn}/u.test(mark));
  const lower = (isAccented ? base : character).toLowerCase();
  const result = lower.length === 1 ? lower : character;
  folded.set(character, result);
  return result;
}

/** As long as `text`, unit by unit, so that an offset into one is an offset into the other. */
export function foldText(text: string): string {
  // Of the characters that are left as they are, none gets longer in lower case: those are in the table.
  return text.replaceAll(/[^\0-\x7f]/g, foldCharacter).toLowerCase();
}
