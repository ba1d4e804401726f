import { functionWordsOf } from '../../../domain/search/question-language.ts';
import { hasWords } from '../../../domain/search/literals.ts';
import { stemOf } from '../../../domain/text/porter.ts';
import {
  foldedWord,
  normalizedText,
  pairsOf,
  unspacedCharacter,
  withRaisedApart,
  wordsOf,
} from '../../../domain/text/words.ts';

/*
 * How text becomes terms of the index, for texts and for questions alike (`domain/text/words.ts` has the reasons).
 */

const unspacedRuns = new RegExp(`${unspacedCharacter}+`, 'gv');

/** So many distinct terms of a query are looked up; of a longer one (a pasted page) the longest terms, which are the rarest. */
export const maxQueryTerms = 64;

const arabicWords = /\p{Script=Arabic}[\p{Script=Arabic}\p{Mn}ـ]*/gu;

/** Whether each character is as the index has it: ASCII, letters of Western Europe, their quotation marks and dashes. */
function isPlain(text: string): boolean {
  return /^[\0-\x7f\xc0-\xff\u2012-\u2015\u2018-\u201f]*$/.test(text);
}

/** Words in the form that they have in the index, which knows the endings of English and the accents of Latin letters by itself. */
export function indexForm(text: string): string {
  if (isPlain(text)) return text;
  return normalizedText(withRaisedApart(text))
    .replaceAll(arabicWords, (word) => stemOf(foldedWord(word)))
    .replaceAll('ё', 'е')
    .replaceAll('Ё', 'Е');
}

/** The text as it is given to the index. Offsets into it mean nothing: the index keeps no text. */
export function indexedText(text: string): string {
  if (isPlain(text)) return text;
  return indexForm(text).replaceAll(unspacedRuns, (run) => {
    const characters = [...run];
    // The last character alone: so every character begins a term, and a question of one character finds it as a prefix.
    return ` ${[...pairsOf(characters), characters.at(-1)].join(' ')} `;
  });
}

export interface QueryTerm {
  text: string;
  /** Whether the term stands for all that begin with it. */
  isPrefix: boolean;
}

/**
 * The distinct terms of a question, in its order. Everything that is no letter or number only separates them. Function words
 * are left out where there are others: ranking "how" and "the" costs the most and puts worse passages first
 * (docs/decisions/0021-words.md). One in capitals among other letters is a name: IT, WHO.
 */
export function queryTerms(query: string): QueryTerm[] {
  const text = indexForm(query);
  const isFunctionWord = functionWordsOf(text);
  const hasSmallLetters = /\p{Ll}/u.test(text);
  // A mark alone, such as what is left of ❤️, is none.
  const words = wordsOf(text).filter(({ text: word }) => hasWords(word));
  const telling = words.filter(
    ({ text: word }) => !isFunctionWord(word.toLowerCase()) || (hasSmallLetters && /^\p{Lu}{2,}$/u.test(word)),
  );
  const terms = new Map<string, QueryTerm>();
  for (const word of telling.length > 0 ? telling : words) {
    for (const term of termsOf(word.text.toLowerCase(), word.isRun)) terms.set(term.text, term);
  }
  if (terms.size <= maxQueryTerms) return [...terms.values()];
  const longest = new Set([...terms.keys()].sort((a, b) => b.length - a.length).slice(0, maxQueryTerms));
  return [...terms.values()].filter((term) => longest.has(term.text));
}

/** Words that stand next to each other in a question, at least one of them a term of it. */
export function adjacentWords(query: string, terms: readonly QueryTerm[]): [QueryTerm, QueryTerm][] {
  const known = new Map(terms.map((term) => [term.text, term]));
  const words = wordsOf(indexForm(query).toLowerCase());
  const pairs = new Map<string, [QueryTerm, QueryTerm]>();
  for (const [index, { text, isRun }] of words.entries()) {
    const before = words[index - 1];
    if (before === undefined || isRun || before.isRun) continue;
    if (!known.has(text) && !known.has(before.text)) continue;
    const pair = [before.text, text].map((word) => known.get(word) ?? { text: word, isPrefix: false });
    pairs.set(`${before.text} ${text}`, pair as [QueryTerm, QueryTerm]);
  }
  return [...pairs.values()];
}

function termsOf(word: string, isRun: boolean): QueryTerm[] {
  if (!isRun) return [{ text: word, isPrefix: false }];
  const characters = [...word];
  if (characters.length === 1) return [{ text: word, isPrefix: true }];
  return pairsOf(characters).map((text) => ({ text, isPrefix: false }));
}

/** An FTS5 expression that matches passages with any of the terms. Terms hold no quotation marks, so none is escaped. */
export function matchAny(terms: readonly QueryTerm[]): string {
  return terms.map(({ text, isPrefix }) => (isPrefix ? `"${text}"*` : `"${text}"`)).join(' OR ');
}

/**
 * An FTS5 expression that matches the words of a phrase in a row; null when it has no word. Behind a run of characters that is
 * not the last word stands its last character, as it does in the index.
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
