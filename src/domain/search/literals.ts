import { madeWhenUsed } from '../lazily.ts';
import type { TextSpan } from '../text/graphemes.ts';
import { withoutTrailing } from '../text/shortened.ts';
import { normalizedText } from '../text/words/words.ts';

/*
 * Symbol terms are words that need their symbols: C++, C#, .NET, $3.75, 42%, -111, --dry-run, 3:2, foo::bar, snake_case. The index
 * has only their parts, which occur anywhere. Symbols that stand alone, such as 🎉 and →, are not in the index.
 */

const literalSign = /[+#$€£¥%&@/\\:=<>^*~|_]|\p{N}[.,]\p{N}|^-\p{N}|^--\p{L}|^\.\p{L}/u;
/** An emoji sequence, or a symbol that is not ASCII. To make it takes longer than a search. */
const signs = madeWhenUsed(() => /\p{RGI_Emoji}|[\p{S}--\p{ASCII}]/gv);
/** Variation selectors, which show the symbol before as emoji or as text; many writers omit them. */
const presentation = /[\ufe0e\ufe0f]/gu;
/** `v1.2` and `1.2` are the same version. */
const versionMark = /^v(?=\p{N}+\.\p{N})/u;
const wordCharacter = /[\p{L}\p{N}]/u;
/** Quotation marks, brackets and punctuation around a word are not part of it. */
const openingWrapping = /^["'“”„«‹([{¿¡]+/u;
const closingWrapping = `"'“”»›)]}.,;:!?…`;
/** A pasted text may have many: only the first ones are used. */
const maxLiterals = 8;
/** Longer tokens are addresses and the like. The index finds those well enough by their parts. */
const maxLiteralLength = 100;

const folded = (text: string): string => normalizedText(text).toLowerCase().replaceAll(presentation, '');

/** The symbol terms of a query, each once, in lower case. */
export function literalsOf(query: string): string[] {
  const tokens = folded(query)
    .split(/\s+/u)
    .filter((token) => token.length <= maxLiteralLength)
    .map((token) => withoutTrailing(token.replace(openingWrapping, ''), closingWrapping).replace(versionMark, ''));
  const literals = tokens.filter((token) => (wordCharacter.test(token) ? literalSign.test(token) : isSign(token)));
  return [...new Set(literals)].slice(0, maxLiterals);
}

/** The given literals that a text contains: "C#, too" contains `c#`, "Vc#" does not. */
export function literalsIn(text: string, literals: readonly string[]): string[] {
  const inside = folded(text);
  return literals.filter((literal) => {
    for (let at = inside.indexOf(literal); at >= 0; at = inside.indexOf(literal, at + 1)) {
      // A letter may be two UTF-16 units long, and the `v` of a version may be between it and the literal.
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
  return token !== '' && token.replaceAll(signs(), '') === '';
}

/** Removes the `v` before a version, so that `1.2.3` is found in v1.2.3. */
function withoutVersionMark(before: string, literal: string): string {
  return /^\p{N}+\.\p{N}/u.test(literal) ? before.replace(/(?<![\p{L}\p{N}])v$/u, '') : before;
}

/** Whether the text has anything that the index, or a model, can search for. */
export function hasWords(text: string): boolean {
  return /[\p{L}\p{N}\p{Co}]/u.test(text);
}

/** The distinct symbols of a query without words, as written in texts. Empty when the query has words. */
export function signsOf(query: string): string[] {
  if (hasWords(query)) return [];
  const found = query.match(signs())?.map((one) => one.replace(/[\ufe0e\ufe0f]$/u, '')) ?? [];
  return [...new Set(found)].slice(0, maxLiterals);
}

/** The spans of the wanted symbols in a text, in text order and not overlapping. */
export function placesOfSigns(text: string, wanted: readonly string[]): TextSpan[] {
  const found: TextSpan[] = [];
  for (const { 0: one, index } of text.matchAll(signs()))
    if (wanted.some((sign) => one.startsWith(sign))) found.push({ start: index, end: index + one.length });
  return found;
}
