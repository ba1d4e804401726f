import type { TextSpan } from '../text/graphemes.ts';
import { withoutTrailing } from '../text/trailing.ts';
import { normalizedText } from '../text/words.ts';

/*
 * What is a word only together with its signs: C++, C#, .NET, $3.75, 42%, -111, 3:2, foo::bar, snake_case. The index knows the pieces, which
 * stand anywhere. Of signs that stand for a word, such as 🎉 and →, it knows nothing.
 */

const literalSign = /[+#$€£¥%&@/\\:=<>^*~|_]|\p{N}[.,]\p{N}|^-\p{N}|^\.\p{L}/u;
/** A pictograph with all that belongs to it, or a sign that is none of a keyboard's. */
const signs = /\p{RGI_Emoji}|[\p{S}--\p{ASCII}]/gv;
/** Says that the sign before is to be shown as a picture, or not; many leave it out. */
const presentation = /[\ufe0e\ufe0f]/gu;
/** A version is the same with and without it. */
const versionMark = /^v(?=\p{N}+\.\p{N})/u;
const wordCharacter = /[\p{L}\p{N}]/u;
/** Quotation marks, brackets and the marks of sentences around a word are none of its signs. */
const openingWrapping = /^["'“”„«‹([{¿¡]+/u;
const closingWrapping = `"'“”»›)]}.,;:!?…`;
/** Of a pasted text the first. */
const maxLiterals = 8;
/** Longer ones are addresses and the like, which the index knows well enough by their pieces. */
const maxLiteralLength = 100;

const folded = (text: string): string => normalizedText(text).toLowerCase().replaceAll(presentation, '');

/** Those of a query, each once, in small letters. */
export function literalsOf(query: string): string[] {
  const tokens = folded(query)
    .split(/\s+/u)
    .filter((token) => token.length <= maxLiteralLength)
    .map((token) => withoutTrailing(token.replace(openingWrapping, ''), closingWrapping).replace(versionMark, ''));
  const literals = tokens.filter((token) => (wordCharacter.test(token) ? literalSign.test(token) : isSign(token)));
  return [...new Set(literals)].slice(0, maxLiterals);
}

/** Which of these literals stand in a text: `c#` does in "C#, too", and not in "Vc#". */
export function literalsIn(text: string, literals: readonly string[]): string[] {
  const inside = folded(text);
  return literals.filter((literal) => {
    for (let at = inside.indexOf(literal); at >= 0; at = inside.indexOf(literal, at + 1)) {
      // A letter may be two units long, and the mark of a version stands between it and the literal.
      const before = inside.slice(Math.max(0, at - 3), at);
      const after = inside.slice(at + literal.length, at + literal.length + 2);
      const beginsWord = wordCharacter.test(literal.charAt(0)) || /^[-.]/.test(literal);
      if (beginsWord && /[\p{L}\p{N}]$/u.test(withoutVersionMark(before, literal))) continue;
      const last = literal.at(-1) ?? '';
      if (wordCharacter.test(last) ? /^[\p{L}\p{N}]/u.test(after) : after.startsWith(last)) continue;
      return true;
    }
    return false;
  });
}

function isSign(token: string): boolean {
  return token !== '' && token.replaceAll(signs, '') === '';
}

/** `1.2.3` stands in v1.2.3. */
function withoutVersionMark(before: string, literal: string): string {
  return /^\p{N}+\.\p{N}/u.test(literal) ? before.replace(/(?<![\p{L}\p{N}])v$/u, '') : before;
}

/** Whether there is anything that the index, or a model, can look for. */
export function hasWords(text: string): boolean {
  return /[\p{L}\p{N}\p{Co}]/u.test(text);
}

/** The signs of a query that has no word, each once, as they stand in texts; none where it has words. */
export function signsOf(query: string): string[] {
  if (hasWords(query)) return [];
  const found = query.match(signs)?.map((one) => one.replace(/[\ufe0e\ufe0f]$/u, '')) ?? [];
  return [...new Set(found)].slice(0, maxLiterals);
}

/** Where signs stand in a text, in its order, none overlapping another. */
export function placesOfSigns(text: string, wanted: readonly string[]): TextSpan[] {
  const found: TextSpan[] = [];
  for (const { 0: one, index } of text.matchAll(signs))
    if (wanted.some((sign) => one.startsWith(sign))) found.push({ start: index, end: index + one.length });
  return found;
}
