import { normalizedText } from './words.ts';

/*
 * What is a word only together with its signs: C++, C#, $3.75, 42%, -111, 3:2, foo::bar, snake_case. The index knows the pieces, which
 * stand anywhere.
 */

const sign = /[+#$€£¥%&@/\\:=<>^*~|_]|\p{N}[.,]\p{N}|^-\p{N}/u;
const wordCharacter = /[\p{L}\p{N}]/u;
/** Quotation marks, brackets and the marks of sentences around a word are none of its signs. */
const wrapping = /^["'“”„«‹([{¿¡]+|["'“”»›)\]}.,;:!?…]+$/gu;
/** Of a pasted text the first. */
const mostLiterals = 8;
/** Longer ones are addresses and the like, which the index knows well enough by their pieces. */
const longestLiteral = 100;

const folded = (text: string): string => normalizedText(text).toLowerCase();

/** Those of a query, each once, in small letters. */
export function literalsOf(query: string): string[] {
  const tokens = folded(query)
    .split(/\s+/u)
    .filter((token) => token.length <= longestLiteral)
    .map((token) => token.replaceAll(wrapping, ''));
  const literals = tokens.filter((token) => wordCharacter.test(token) && sign.test(token));
  return [...new Set(literals)].slice(0, mostLiterals);
}

/** Which of these literals stand in a text: `c#` does in "C#, too", and not in "Vc#". */
export function literalsIn(text: string, literals: readonly string[]): string[] {
  const inside = folded(text);
  return literals.filter((literal) => {
    for (let at = inside.indexOf(literal); at >= 0; at = inside.indexOf(literal, at + 1)) {
      const [before, after] = [inside.slice(0, at), inside.slice(at + literal.length, at + literal.length + 2)];
      const beginsWord = wordCharacter.test(literal.charAt(0)) || literal.startsWith('-');
      if (beginsWord && /[\p{L}\p{N}]$/u.test(before)) continue;
      const last = literal.at(-1) ?? '';
      if (wordCharacter.test(last) ? /^[\p{L}\p{N}]/u.test(after) : after.startsWith(last)) continue;
      return true;
    }
    return false;
  });
}
