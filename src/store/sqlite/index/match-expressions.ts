import { indexForm, type QueryTerm, termsOf } from '../../../domain/search/index-terms.ts';
import { pairsOf, wordsOf } from '../../../domain/text/words.ts';

/**
 * An FTS5 expression that matches passages with any of the terms. Terms hold no quotation marks, so none are escaped.
 */
export function matchAny(terms: readonly QueryTerm[]): string {
  return terms.map(({ text, isPrefix }) => (isPrefix ? `"${text}"*` : `"${text}"`)).join(' OR ');
}

/**
 * An FTS5 expression that matches the words of a phrase in sequence; null when the phrase has no word. A run of
 * characters that is not the last word is followed by its last character, as in the index.
 */
export function matchPhrase(phrase: string): string | null {
  const words = wordsOf(indexForm(phrase).toLowerCase());
  const terms = words.flatMap(({ text, isRun }, index) => {
    if (!isRun || index === words.length - 1) return termsOf(text, isRun);
    const characters = [...text];
    return [...pairsOf(characters), ...characters.slice(-1)].map((term) => ({ text: term, isPrefix: false }));
  });
  if (terms.length === 0) return null;
  return `"${terms.map(({ text }) => text).join(' ')}"${terms.at(-1)?.isPrefix === true ? '*' : ''}`;
}
