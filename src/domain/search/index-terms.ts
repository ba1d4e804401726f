import { functionWordsOf, isVisiblyEnglish } from './question-language.ts';
import { furtherWords, isCompounding, joinedWords, partsOf, reversedWord } from './spellings.ts';
import { hasWords } from './literals.ts';
import {
  furtherForms,
  type IndexedLanguages,
  indexedWord,
  type StemmedLanguage,
  stemmedLanguage,
} from '../text/words/stems/word-forms.ts';
import {
  normalizedText,
  pairsOf,
  unspacedCharacter,
  withRaisedApart,
  wordCharacter,
  wordsOf,
} from '../text/words/words.ts';

/*
 * How text becomes terms of the index, for stored texts and queries alike (`domain/text/words/words.ts` has the reasons).
 */

const unspacedRuns = new RegExp(`${unspacedCharacter}+`, 'gv');

/**
 * The most distinct terms of a query that are looked up. Of a longer query (a pasted page), the longest terms are used,
 * because they are the rarest.
 */
export const maxQueryTerms = 64;

/**
 * Whether the text needs no conversion for the index: only ASCII, Western European letters that the index folds,
 * quotation marks and dashes.
 */
function isPlain(text: string): boolean {
  return /^[\0-\x7f\xc0-\xc5\xc7-\xcf\xd1-\xd6\xd9-\xdd\xe0-\xe5\xe7-\xef\xf1-\xf6\xf9-\xfd\xff\u2012-\u2015\u2018-\u201f]*$/.test(
    text,
  );
}

const indexedWords = new RegExp(`[${wordCharacter}--${unspacedCharacter}]+`, 'gv');
/** Letters of words that are stemmed or folded in a text of any language. */
const handledLetter =
  /[ßẞłŁœŒæÆøØðÐþÞı\u0370-\u058f\u0600-\u06ff\u0750-\u077f\u0900-\u097f\u0b80-\u0bff\u1f00-\u1fff]/u;

/**
 * Converts words to their form in the index, which itself handles English endings and the accents of Latin letters.
 * @param language of the text, when it has a stemmer
 */
export function indexForm(text: string, language: StemmedLanguage | null = null): string {
  if (language === null && isPlain(text)) return text;
  const normal = normalizedText(withRaisedApart(text));
  if (language === null && !handledLetter.test(normal)) return normal;
  return normal.replaceAll(indexedWords, (word) => indexedWord(word, language));
}

/**
 * The text as it is passed to the index. Offsets into it are not usable: the index keeps no text.
 * @param language tag of the text's language; null when it is unknown
 */
export function indexedText(text: string, language: string | null = null): string {
  const stemmed = languageOfPassage(text, language);
  const further = furtherWords(text);
  // Behind the text, so that phrases in it stay whole.
  const behind = further.length === 0 ? '' : `\n${indexForm(further.join(' '))}`;
  if (stemmed === null && isPlain(text)) return text + behind;
  return (
    indexForm(text, stemmed).replaceAll(unspacedRuns, (run) => {
      const characters = [...run];
      // Add the last character alone: then every character begins a term, and a query of one character finds it as a
      // prefix.
      return ` ${[...pairsOf(characters), characters.at(-1)].join(' ')} `;
    }) + behind
  );
}

/** The long words of a text by their ends, as they are passed to the index. */
export function indexedCompounds(text: string): string {
  const found = wordsOf(normalizedText(text)).map(({ text: word }) => reversedWord(word));
  return [...new Set(found.filter((word) => word !== null))].join(' ');
}

/** The language by which a part of a document is stemmed: it may be in English when the rest is not. */
export function languageOfPassage(text: string, language: string | null): StemmedLanguage | null {
  const stemmed = stemmedLanguage(language);
  return stemmed !== null && isVisiblyEnglish(text) ? null : stemmed;
}

/** Whether a part of a document may have words that are made of others. Short texts are often of unknown language. */
export function mayHaveCompounds(text: string, language: string | null): boolean {
  return (language === null || isCompounding(language)) && !isVisiblyEnglish(text);
}

export interface QueryTerm {
  text: string;
  /** Further forms of the same word in passages of other languages; absent when there is none. */
  forms?: readonly string[];
  /** Whether the term is a prefix for all terms that begin with it. */
  isPrefix: boolean;
  /** The parts of the word as its capitals and digits tell them: `getUserById`, `RTX4090`. Absent when they tell none. */
  parts?: readonly string[];
  /** Words that it may be written as together with its neighbours; a few of them exist. Absent when there are none. */
  joined?: readonly string[];
  /** How many terms a short question has: then other ways to write them are worth a search. Absent in a longer one. */
  ofFew?: number;
  /** Other ways to write it, each as words in a row; absent when no passage has any. */
  phrases?: readonly (readonly string[])[];
  /** Passages with the word inside another one; absent when they were not looked for. */
  within?: Uint32Array;
}

/**
 * In an English question, a shorter form of another language is another word: French makes "de" of "deer" and "be" of
 * "beer", Turkish "da" of "data".
 */
const minFormLength = 3;

function withoutShortForms({ forms = [], ...term }: QueryTerm): QueryTerm {
  const long = forms.filter((form) => form.length >= minFormLength);
  return long.length > 0 ? { ...term, forms: long } : term;
}

/**
 * The distinct terms of a query, in its order. All characters but letters and numbers only separate terms. Function
 * words are left out when there are other words: ranking "how" and "the" costs the most and puts worse passages first
 * (docs/decisions/searching-words.md). A function word in capitals in a query that also has lower-case letters is a name:
 * IT, WHO.
 */
export function queryTerms(query: string, languages: IndexedLanguages = []): QueryTerm[] {
  const text = normalizedText(withRaisedApart(query));
  const isFunctionWord = functionWordsOf(text);
  const hasSmallLetters = /\p{Ll}/u.test(text);
  // A combining mark alone, such as the one left over from ❤️, is not a word.
  const words = wordsOf(text).filter(({ text: word }) => hasWords(word));
  const keywords = words.filter(
    ({ text: word }) => !isFunctionWord(word.toLowerCase()) || (hasSmallLetters && /^\p{Lu}{2,}$/u.test(word)),
  );
  const isEnglish = languages.length > 0 && isVisiblyEnglish(text);
  const terms = new Map<string, QueryTerm>();
  for (const word of keywords.length > 0 ? keywords : words) {
    for (const term of termsOf(word.text, word.isRun, languages))
      terms.set(term.text, isEnglish ? withoutShortForms(term) : term);
  }
  if (terms.size <= maxQueryTerms) return [...terms.values()];
  const longest = new Set([...terms.keys()].sort((a, b) => b.length - a.length).slice(0, maxQueryTerms));
  return [...terms.values()].filter((term) => longest.has(term.text));
}

/** Adds to terms of a query the words that they may be written as together with their neighbours. */
export function withJoinedWords(query: string, terms: readonly QueryTerm[]): QueryTerm[] {
  const joined = new Map<string, Set<string>>();
  const text = normalizedText(withRaisedApart(query));
  const words = wordsOf(text);
  const isFew = terms.length <= shortQuestion;
  const rows = joinedWords(text, words, isFew);
  if (rows.length === 0 && !isFew) return [...terms];
  const keyOf = new Map(words.map((word) => [word, word.isRun ? undefined : termsOf(word.text, false)[0]?.text]));
  const known = new Set(terms.map((term) => term.text));
  for (const some of rows) {
    const whole = some.map((word) => word.text).join('');
    // In other scripts, the index cuts words to six letters, the first word's.
    const [form] = onlyLatin.test(whole) ? termsOf(whole, false) : [];
    for (const word of some) {
      const key = keyOf.get(word);
      if (form === undefined || key === undefined || !known.has(key)) continue;
      joined.set(key, (joined.get(key) ?? new Set()).add(form.text));
    }
  }
  return terms.map((term) => {
    const forms = joined.get(term.text);
    return {
      ...term,
      ...(forms !== undefined && { joined: [...forms].slice(0, maxJoinedForms) }),
      ...(isFew && { ofFew: terms.length }),
    };
  });
}

/** A longer question is a sentence: only words joined by symbols may be one word there. */
const shortQuestion = 4;
const maxJoinedForms = 20;
const onlyLatin = /^[\p{Script=Latin}\p{N}]+$/u;

/** Pairs of neighbouring words in a query, where at least one of the two is a term of it. */
export function adjacentWords(
  query: string,
  terms: readonly QueryTerm[],
  languages: IndexedLanguages = [],
): [QueryTerm, QueryTerm][] {
  const known = new Map(terms.map((term) => [term.text, term]));
  const text = normalizedText(withRaisedApart(query));
  const pairs = new Map<string, [QueryTerm, QueryTerm]>();
  let before: QueryTerm | undefined;
  for (const { text: word, isRun } of wordsOf(text)) {
    const [term] = isRun ? [] : termsOf(word, false, languages);
    if (term !== undefined && before !== undefined && (known.has(term.text) || known.has(before.text))) {
      pairs.set(`${before.text} ${term.text}`, [known.get(before.text) ?? before, known.get(term.text) ?? term]);
    }
    before = term;
  }
  return [...pairs.values()];
}

/** Whether a term is of a script without spaces, so that it may be parts of two words. */
export function isUnspaced({ text }: QueryTerm): boolean {
  return text.search(unspacedRuns) === 0;
}

/** The terms of one word of a query in NFKC: of a run of characters without spaces, its pairs. */
export function termsOf(word: string, isRun: boolean, languages: IndexedLanguages = []): QueryTerm[] {
  if (!isRun) {
    const text = indexedWord(word, null).toLowerCase();
    const forms = furtherForms(word, languages);
    const parts = partsOf(word).map((part) => indexedWord(part, null).toLowerCase());
    return [{ text, isPrefix: false, ...(forms.length > 0 && { forms }), ...(parts.length > 1 && { parts }) }];
  }
  const characters = [...word.toLowerCase()];
  if (characters.length === 1) return [{ text: characters.join(''), isPrefix: true }];
  return pairsOf(characters).map((text) => ({ text, isPrefix: false }));
}
