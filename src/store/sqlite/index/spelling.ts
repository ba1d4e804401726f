import { stemOf } from '../../../domain/text/porter.ts';
import { mayBeMisspelt, Spelling } from '../../../domain/search/spelling.ts';
import { foldedWord, type Word, wordsOf, wordsThatMayBegin } from '../../../domain/text/words.ts';
import { indexForm, queryTerms } from '../../../domain/search/index-terms.ts';
import { openVocabulary } from './vocabulary.ts';
import type { Weigh } from './words/word-statistics.ts';
import { countPassages, readPassageParts } from './passages.ts';
import type { Correction } from '../../search-records.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

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
/** The minimum length of a word that is corrected although other words of the query exist. */
const longEnoughBesideOthers = 6;
/** The minimum length of a term for which the rest of a word may be an ending. */
const minBeginningLength = 5;
const maxTermsReadUp = 12;
/** How many passages are read to find the form of a term that a person would write. */
const passagesRead = 5;

/**
 * The query with misspelt words replaced by words that passages have. Null when there is nothing to correct: no word is
 * missing, or no similar word exists. Call within one transaction with `weigh`.
 */
export function correctQuery(file: SqliteFile, query: string, weigh: Weigh): Correction | null {
  const words = wordsOf(query);
  const asked = new Set(queryTerms(query).map(({ text }) => text));
  const telling = words.filter(({ text, isRun }) => !isRun && asked.has(indexForm(text).toLowerCase()));
  if (telling.length === 0) return null;
  const missing = telling.filter((word) => !occurs(weigh, word, word === words.at(-1)));
  const nothingFound = missing.length === asked.size;
  if (!nothingFound && missing.length > 0 && countPassages(file) > besideOthersUpTo) return null;
  const corrections = missing.flatMap((word) => {
    const meant = correctWord(file, word.text, nothingFound);
    return meant === null ? [] : [{ ...word, meant }];
  });
  if (corrections.length === 0) return null;
  let corrected = '';
  let behind = 0;
  for (const { text, start, meant } of corrections) {
    corrected += query.slice(behind, start) + meant;
    behind = start + text.length;
  }
  return { text: corrected + query.slice(behind), nothingFound };
}

/** The last word may be unfinished. */
function occurs(weigh: Weigh, { text }: Word, isLast: boolean): boolean {
  const term = indexForm(text).toLowerCase();
  return [false, isLast].some((isPrefix) => weigh({ text: term, isPrefix }).passages > 0);
}

function correctWord(file: SqliteFile, written: string, nothingFound: boolean): string | null {
  const word = foldedWord(written);
  if (!mayBeMisspelt(word) || (!nothingFound && word.length < longEnoughBesideOthers)) return null;
  const stem = stemOf(word);
  const most = nothingFound && word.length >= longWord ? 2 : 1;
  const vocabulary = openVocabulary(file);
  const texts = [...beginningsNear(file, stem, nothingFound)].flatMap(vocabulary.textsBeginning);
  const spelling = new Spelling(word);
  const near = termsNear(texts, { spelling, word, stem, most })
    .map((one) => ({ ...one, ...vocabulary.count(one.term, passagesRead) }))
    .filter(({ passages }) => passages > 0)
    .sort((a, b) => a.distance - b.distance || b.passages - a.passages || (a.term < b.term ? -1 : 1))
    .slice(0, maxTermsReadUp);
  let best: { form: string; distance: number } | null = null;
  for (const { term, first } of near) {
    const form = formOf(file, term, first, spelling);
    const distance = form === null ? most + 1 : distanceTo(spelling, foldedWord(form), most);
    if (form === null || distance > most || distance >= (best?.distance ?? Infinity)) continue;
    best = { form, distance };
    // No later term is nearer, and this is the most frequent of those equally near.
    if (distance <= 1) break;
  }
  return best?.form ?? null;
}

interface Written {
  word: string;
  spelling: Spelling;
  stem: string;
  /** The most mistakes that the word may have. */
  most: number;
}

/**
 * Terms that are similar to the word. Compares stems. Stemming does not remove a misspelt ending, so terms of at least
 * `minBeginningLength` letters are also compared with the beginning of the word.
 */
function termsNear(texts: readonly string[], written: Written): { term: string; distance: number }[] {
  const { word, spelling, most } = written;
  const stem = new Spelling(written.stem);
  const near = new Map<string, number>();
  for (const text of texts) {
    for (let start = 0, end = 0; start < text.length; start = end + 1) {
      end = text.indexOf(' ', start);
      if (end < 0) end = text.length;
      let distance = stem.distanceTo(text, start, end, most);
      const length = end - start;
      if (distance > most && length >= minBeginningLength && beginAlike(text, start, word)) {
        distance = spelling.distanceTo(text, start, end, most, Math.min(length, word.length));
      }
      if (distance <= most) near.set(text.slice(start, end), distance);
    }
  }
  return [...near].map(([term, distance]) => ({ term, distance }));
}

/** Whether a word in a text begins with the same two letters as another one. */
function beginAlike(text: string, start: number, word: string): boolean {
  return text.charCodeAt(start) === word.charCodeAt(0) && text.charCodeAt(start + 1) === word.charCodeAt(1);
}

function distanceTo(spelling: Spelling, word: string, most: number): number {
  return spelling.distanceTo(word, 0, word.length, most);
}

/**
 * Prefixes to look up: that of the word, and variants with one letter changed, added, dropped or swapped. When other
 * words of the query exist, only the word's own.
 */
function beginningsNear(file: SqliteFile, stem: string, nothingFound: boolean): ReadonlySet<string> {
  const [first = '', second = '', third = ''] = stem;
  const beginnings = new Set([first + second]);
  if (nothingFound) for (const other of [second + first, second + third, first + third]) beginnings.add(other);
  if (nothingFound && countPassages(file) <= anyBeginningUpTo) {
    for (const letter of 'abcdefghijklmnopqrstuvwxyz') {
      for (const beginning of [letter + second, letter + first, first + letter]) beginnings.add(beginning);
    }
  }
  return beginnings;
}

/** A word of the account with this stem: in a few passages, the form nearest to what was written. */
function formOf(file: SqliteFile, term: string, passageIds: readonly number[], written: Spelling): string | null {
  let nearest: { form: string; distance: number } | null = null;
  for (const id of passageIds) {
    for (const form of formsIn(file, id, term)) {
      const distance = distanceTo(written, foldedWord(form), 4);
      if (distance < (nearest?.distance ?? Infinity)) nearest = { form, distance };
      // The written word itself does not exist, so no form is nearer.
      if (distance <= 1) return form;
    }
  }
  return nearest?.form ?? null;
}

function formsIn(file: SqliteFile, passageId: number, term: string): string[] {
  const texts = readPassageParts(file, [passageId]).map(({ parts }) => parts.join('\n'));
  const words = new Set(texts.flatMap((text) => wordsThatMayBegin(text, term.charAt(0))));
  return [...words].filter((word) => {
    const folded = foldedWord(word);
    return folded.startsWith(term.slice(0, 2)) && stemOf(folded) === term;
  });
}
