import { type QueryTerm, termsOf } from '../../../domain/search/index-terms.ts';
import { type IndexedLanguages, indexedWord, olderForms } from '../../../domain/text/words/stems/word-forms.ts';
import { normalizedText, pairsOf, withRaisedApart, type Word, wordsOf } from '../../../domain/text/words/words.ts';

/**
 * An FTS5 expression that matches passages with any of the terms. Terms hold no quotation marks, so none are escaped.
 */
export function matchAny(terms: readonly QueryTerm[]): string {
  return terms.flatMap(formsOf).join(' OR ');
}

/** The forms of a term, each as an FTS5 expression. */
function formsOf({ text, forms = [], phrases = [], isPrefix }: QueryTerm): string[] {
  const words = [text, ...forms].map((form) => (isPrefix ? `"${form}"*` : `"${form}"`));
  return [...words, ...phrases.map((phrase) => `"${phrase.join(' ')}"`)];
}

/** An FTS5 expression that matches passages in which one word is right before another. */
export function matchPair(first: QueryTerm, second: QueryTerm): string {
  const pairs = [first.text, ...(first.forms ?? [])].flatMap((before) =>
    [second.text, ...(second.forms ?? [])].map((after) => `"${before} ${after}"`),
  );
  return pairs.join(' OR ');
}

/**
 * An FTS5 expression that matches the words of a phrase in sequence, in the form that they have in passages of each of
 * the account's languages; null when the phrase has no word. A run of characters that is not the last word is followed by
 * its last character, as in the index.
 */
export function matchPhrase(phrase: string, { languages, hasOlder }: IndexedLanguages): string | null {
  const words = wordsOf(normalizedText(withRaisedApart(phrase)));
  if (words.length === 0) return null;
  const inLanguages = [null, ...languages].map((language) => phraseIn(words, (word) => indexedWord(word, language)));
  const asBefore = hasOlder
    ? [null, ...languages].map((language) =>
        phraseIn(words, (word) => olderForms(word, language === null ? [] : [language]).at(-1) ?? word),
      )
    : [];
  const expressions = new Set([...inLanguages, ...asBefore]);
  return expressions.size === 1 ? ([...expressions][0] ?? null) : `(${[...expressions].join(' OR ')})`;
}

function phraseIn(words: readonly Word[], formOf: (word: string) => string): string {
  const terms = words.flatMap(({ text, isRun }, index): QueryTerm[] => {
    if (!isRun) return [{ text: formOf(text).toLowerCase(), isPrefix: false }];
    if (index === words.length - 1) return termsOf(text, isRun);
    const characters = [...text.toLowerCase()];
    return [...pairsOf(characters), ...characters.slice(-1)].map((term) => ({ text: term, isPrefix: false }));
  });
  return `"${terms.map(({ text }) => text).join(' ')}"${terms.at(-1)?.isPrefix === true ? '*' : ''}`;
}
