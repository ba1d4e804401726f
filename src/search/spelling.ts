import type { PassageId } from '../domain/records/texts/passage.ts';
import { stemOf } from '../domain/text/words/porter.ts';
import { editDistance, mayBeMisspelt } from '../domain/search/spelling.ts';
import { isArabic } from '../domain/text/words/arabic.ts';
import type { IndexedLanguages } from '../domain/text/words/stems/word-forms.ts';
import { foldedWord, normalizedText, type Word, wordsOf, wordsThatMayBegin } from '../domain/text/words/words.ts';
import { isVisiblyNotEnglish } from '../domain/search/question-language.ts';
import { type QueryTerm, queryTerms, termsOf, withJoinedWords } from '../domain/search/index-terms.ts';
import type { IndexReader } from '../store/index-reader.ts';
import type { Correction } from './item-search.ts';

/*
 * Suggests what a person meant by a word that no passage has. The vocabulary is the index itself: its terms are sorted,
 * so those with a common prefix are read without the rest, and no second list has to be kept in sync.
 */

/** In a larger account, only terms that begin like the word are compared. */
const anyBeginningUpTo = 20_000;
/** Up to this many passages, a missing word is corrected even when other words of the query exist. */
const besideOthersUpTo = 200_000;
/** From this many letters on, a word may have two mistakes. */
const longWord = 8;
/** From this many letters on, a word is rarely one mistake away from a word that was not meant. */
const longEnough = 6;
/** The minimum length of a term for which the rest of a word may be an ending. */
const minBeginningLength = 5;
const maxTermsReadUp = 12;
/** A question that lacks more words is in another language, and comparing each with 20,000 terms takes some 10 ms. */
const maxMissing = 12;
/** How many passages are read to find the form of a term that a person would write. */
const passagesRead = 5;

/**
 * The query with misspelt words replaced by words that passages have. Null when there is nothing to correct: no word is
 * missing, or no similar word exists.
 */
export function correctQuery(index: IndexReader, query: string): Correction | null {
  const words = wordsOf(query);
  const account = index.indexedLanguages();
  const asked = new Map(withJoinedWords(query, queryTerms(query, account)).map((term) => [term.text, term]));
  const searched = words
    .filter(({ isRun }) => !isRun)
    .flatMap((word): AskedWord[] => {
      const term = asked.get(termOf(word.text, account).text);
      return term === undefined ? [] : [{ ...word, term }];
    });
  if (searched.length === 0) return null;
  const missing = listMissing(index, searched, words.at(-1)?.start);
  if (missing.length === 0 || missing.length > maxMissing) return null;
  const nothingFound = missing.length === asked.size;
  const passages = index.countPassages();
  if (!nothingFound && passages > besideOthersUpTo) return null;
  const corrections: (Word & Meant)[] = [];
  const how = {
    account,
    nothingFound,
    anyBeginning: passages <= anyBeginningUpTo,
    mayHaveEndings: isVisiblyNotEnglish(query),
  };
  for (const word of missing) {
    if (isBesideColon(query, word)) continue;
    const meant = correctWord(index, word, how);
    if (meant !== null) corrections.push({ ...word, ...meant });
  }
  if (corrections.length === 0) return null;
  let corrected = '';
  let behind = 0;
  for (const { text, start, form } of corrections) {
    corrected += query.slice(behind, start) + form;
    behind = start + text.length;
  }
  const isNear =
    corrections.length === searched.length &&
    corrections.every(({ text, distance }) => distance <= 1 && foldedWord(text).length >= longEnough);
  return { text: corrected + query.slice(behind), nothingFound, isNear };
}

/** A part of an apparent operator, such as is:reed, is not a misspelt word. */
function isBesideColon(query: string, { text, start }: Word): boolean {
  return query.charAt(start - 1) === ':' || query.charAt(start + text.length) === ':';
}

/** The intended word, and its number of mistakes. */
interface Meant {
  form: string;
  distance: number;
}

/** A word of the query, and the term that it is looked up by. */
interface AskedWord extends Word {
  term: QueryTerm;
}

function termOf(word: string, account: IndexedLanguages): QueryTerm {
  return termsOf(normalizedText(word), false, account)[0] ?? { text: word, isPrefix: false };
}

/** The terms of the index that a word becomes, in the languages of the account. */
function stemsOf({ text, forms = [] }: QueryTerm): ReadonlySet<string> {
  return new Set([text, ...forms].map((form) => (isArabic(form) ? form : stemOf(foldedWord(form)))));
}

/** Those of the words that no passage has. The last word of a query may be unfinished. */
function listMissing(index: IndexReader, words: readonly AskedWord[], lastStart: number | undefined): AskedWord[] {
  const whole = index.countPassagesWith(words.map(({ term }) => term));
  const missing = words.filter((_, at) => whole[at] === 0);
  const unfinished = missing.at(-1);
  if (unfinished === undefined || unfinished.start !== lastStart) return missing;
  const [begun = 0] = index.countPassagesWith([{ ...unfinished.term, isPrefix: true }]);
  return begun > 0 ? missing.slice(0, -1) : missing;
}

interface HowToCorrect {
  account: IndexedLanguages;
  /** Whether no word of the query is in any passage. */
  nothingFound: boolean;
  anyBeginning: boolean;
  /** Whether the words may have endings that no stemmer knows. */
  mayHaveEndings: boolean;
}

function correctWord(
  index: IndexReader,
  { text: written, term: asked }: AskedWord,
  { account, nothingFound, anyBeginning, mayHaveEndings }: HowToCorrect,
): Meant | null {
  const word = foldedWord(written);
  if (!mayBeMisspelt(word) || (!nothingFound && word.length < longEnough)) return null;
  const stems = [...stemsOf(asked)];
  const maxDistance = nothingFound && word.length >= longWord ? 2 : 1;
  const beginnings = new Set(stems.flatMap((stem) => [...beginningsNear(stem, nothingFound, anyBeginning)]));
  const terms = termsNear(index.termsBeginning(beginnings), { word, stems, maxDistance });
  const found = index.findTerms(
    terms.map(({ term }) => term),
    passagesRead,
  );
  const near = terms
    .map((one, at) => ({ ...one, ...(found[at] ?? { passages: 0, first: [] }) }))
    .filter(({ passages }) => passages > 0)
    .sort((a, b) => a.distance - b.distance || b.passages - a.passages || (a.term < b.term ? -1 : 1))
    .slice(0, maxTermsReadUp);
  let best: Meant | null = null;
  for (const { term, first } of near) {
    const form = formOf(index, term, first, word, account);
    const distance = form === null ? maxDistance + 1 : editDistance(word, foldedWord(form), maxDistance);
    // Another ending is another form of the word, and no mistake.
    if (form !== null && !nothingFound && mayHaveEndings && differInEnding(word, foldedWord(form))) continue;
    if (form === null || distance > maxDistance || distance >= (best?.distance ?? Infinity)) continue;
    best = { form, distance };
    // No later term is nearer, and this is the most frequent of those equally near.
    if (distance <= 1) break;
  }
  return best;
}

interface Written {
  word: string;
  stems: readonly string[];
  /** The most mistakes that the word may have. */
  maxDistance: number;
}

/**
 * Terms that are similar to the word. Compares stems. Stemming does not remove a misspelt ending, so terms of at least
 * `minBeginningLength` letters are also compared with the beginning of the word.
 */
function termsNear(
  texts: readonly string[],
  { word, stems, maxDistance }: Written,
): { term: string; distance: number }[] {
  const near = new Map<string, number>();
  for (const term of texts.flatMap((text) => text.split(' '))) {
    let distance = Math.min(...stems.map((stem) => editDistance(stem, term, maxDistance)), maxDistance + 1);
    if (distance > maxDistance && term.length >= minBeginningLength && term.startsWith(word.slice(0, 2)))
      distance = editDistance(word.slice(0, term.length), term, maxDistance);
    if (distance <= maxDistance) near.set(term, distance);
  }
  return [...near].map(([term, distance]) => ({ term, distance }));
}

/** Whether two words differ only in their last two letters or fewer. */
function differInEnding(word: string, other: string): boolean {
  const same = Math.min(word.length, other.length) - 2;
  return same >= minBeginningLength - 1 && word.slice(0, same) === other.slice(0, same);
}

/**
 * Prefixes to look up: the word's own, and variants with one letter changed, added, dropped or swapped. When other words of the
 * query exist, only the word's own.
 */
function beginningsNear(stem: string, nothingFound: boolean, anyBeginning: boolean): ReadonlySet<string> {
  const [first = '', second = '', third = ''] = stem;
  const beginnings = new Set([first + second]);
  if (nothingFound) for (const other of [second + first, second + third, first + third]) beginnings.add(other);
  if (nothingFound && anyBeginning) {
    for (const letter of 'abcdefghijklmnopqrstuvwxyz') {
      for (const beginning of [letter + second, letter + first, first + letter]) beginnings.add(beginning);
    }
  }
  return beginnings;
}

/** A word of the account with this stem: in a few passages, the form nearest to the typed one. */
function formOf(
  index: IndexReader,
  term: string,
  passageIds: readonly PassageId[],
  written: string,
  account: IndexedLanguages,
): string | null {
  let nearest: Meant | null = null;
  for (const id of passageIds) {
    for (const form of formsIn(index, id, term, account)) {
      const distance = editDistance(written, foldedWord(form), 4);
      if (distance < (nearest?.distance ?? Infinity)) nearest = { form, distance };
      // The written word itself does not exist, so no form is nearer.
      if (distance <= 1) return form;
    }
  }
  return nearest?.form ?? null;
}

function formsIn(index: IndexReader, passageId: PassageId, term: string, account: IndexedLanguages): string[] {
  const texts = index.readWording([passageId]).map(({ parts }) => parts.join('\n'));
  const words = new Set(texts.flatMap((text) => wordsThatMayBegin(text, term.charAt(0))));
  return [...words].filter((word) => {
    const folded = foldedWord(word);
    return folded.startsWith(term.slice(0, 2)) && stemsOf(termOf(word, account)).has(term);
  });
}
