import { functionWordsOf } from './question-language.ts';
import { hasWords } from './literals.ts';
import { stemOf } from '../text/porter.ts';
import { foldedWord, normalizedText, pairsOf, unspacedCharacter, withRaisedApart, wordsOf } from '../text/words.ts';

/*
 * How text becomes terms of the index, for stored texts and queries alike (`domain/text/words.ts` has the reasons).
 */

const unspacedRuns = new RegExp(`${unspacedCharacter}+`, 'gv');

/**
 * The most distinct terms of a query that are looked up. Of a longer query (a pasted page), the longest terms are used,
 * because they are the rarest.
 */
export const maxQueryTerms = 64;

const arabicWords = /\p{Script=Arabic}[\p{Script=Arabic}\p{Mn}ـ]*/gu;

/**
 * Whether the text needs no conversion for the index: only ASCII, Western European letters, quotation marks and dashes.
 */
function isPlain(text: string): boolean {
  return /^[\0-\x7f\xc0-\xff\u2012-\u2015\u2018-\u201f]*$/.test(text);
}

/** Converts words to their form in the index, which itself handles English endings and the accents of Latin letters. */
export function indexForm(text: string): string {
  if (isPlain(text)) return text;
  return normalizedText(withRaisedApart(text))
    .replaceAll(arabicWords, (word) => stemOf(foldedWord(word)))
    .replaceAll('ё', 'е')
    .replaceAll('Ё', 'Е');
}

/** The text as it is passed to the index. Offsets into it are not usable: the index keeps no text. */
export function indexedText(text: string): string {
  if (isPlain(text)) return text;
  return indexForm(text).replaceAll(unspacedRuns, (run) => {
    const characters = [...run];
    // Add the last character alone: then every character begins a term, and a query of one character finds it as a
    // prefix.
    return ` ${[...pairsOf(characters), characters.at(-1)].join(' ')} `;
  });
}

export interface QueryTerm {
  text: string;
  /** Whether the term stands for all terms that begin with it. */
  isPrefix: boolean;
}

/**
 * The distinct terms of a query, in its order. All characters but letters and numbers only separate terms. Function
 * words are left out when there are other words: ranking "how" and "the" costs the most and puts worse passages first
 * (docs/decisions/0021-words.md). A function word in capitals in a query that also has lower-case letters is a name:
 * IT, WHO.
 */
export function queryTerms(query: string): QueryTerm[] {
  const text = indexForm(query);
  const isFunctionWord = functionWordsOf(text);
  const hasSmallLetters = /\p{Ll}/u.test(text);
  // A combining mark alone, such as the one left over from ❤️, is not a word.
  const words = wordsOf(text).filter(({ text: word }) => hasWords(word));
  const keywords = words.filter(
    ({ text: word }) => !isFunctionWord(word.toLowerCase()) || (hasSmallLetters && /^\p{Lu}{2,}$/u.test(word)),
  );
  const terms = new Map<string, QueryTerm>();
  for (const word of keywords.length > 0 ? keywords : words) {
    for (const term of termsOf(word.text.toLowerCase(), word.isRun)) terms.set(term.text, term);
  }
  if (terms.size <= maxQueryTerms) return [...terms.values()];
  const longest = new Set([...terms.keys()].sort((a, b) => b.length - a.length).slice(0, maxQueryTerms));
  return [...terms.values()].filter((term) => longest.has(term.text));
}

/** Pairs of neighbouring words in a query, where at least one of the two is a term of it. */
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

/** The terms of one word: of a run of characters without spaces, its pairs. */
export function termsOf(word: string, isRun: boolean): QueryTerm[] {
  if (!isRun) return [{ text: word, isPrefix: false }];
  const characters = [...word];
  if (characters.length === 1) return [{ text: word, isPrefix: true }];
  return pairsOf(characters).map((text) => ({ text, isPrefix: false }));
}
