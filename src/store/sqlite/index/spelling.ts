import { stemOf } from '../../../domain/text/porter.ts';
import { mayBeMisspelt, Spelling } from '../../../domain/search/spelling.ts';
import { foldedWord, type Word, wordsOf, wordsThatMayBegin } from '../../../domain/text/words.ts';
import { indexForm, queryTerms } from './lexical.ts';
import { openVocabulary } from './vocabulary.ts';
import type { Weigh } from './words/word-statistics.ts';
import { countPassages, readPassageParts } from './passages.ts';
import type { Correction } from '../../search-records.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

/*
 * What a person may have meant who typed a word that no passage has. The vocabulary is the index itself: its terms lie in
 * order, so those with the same beginning are read without the rest, and nothing has to be kept in step with it.
 */

/** In a larger account only terms that begin as the word does are looked at. */
const anyBeginningUpTo = 20_000;
/** Up to so many passages a missing word is looked into although others are there. */
const besideOthersUpTo = 200_000;
/** From so many letters on a word may have two mistakes. */
const longWord = 8;
/** So long is a word at least that is corrected although other words of the query are there. */
const longEnoughBesideOthers = 6;
/** So long is a term at least for which the rest of a word may be an ending. */
const minBeginningLength = 5;
const maxTermsReadUp = 12;
/** Passages in which the form of a term is looked up that a person would write. */
const passagesRead = 5;

/**
 * The query with misspelt words replaced by words that passages have; null when there is nothing to correct: no word is
 * missing, or nothing like it is there. To be called within one transaction with `weigh`.
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

/** The last word may not be finished. */
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
    // No further one is nearer, and this is the most frequent of those that are as near.
    if (distance <= 1) break;
  }
  return best?.form ?? null;
}

interface Written {
  word: string;
  spelling: Spelling;
  stem: string;
  /** So many mistakes it may have. */
  most: number;
}

/**
 * The terms that are near. Stems are compared; and, as a mistake in an ending leaves it on, the beginning of the word with longer ones
 * of its own.
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

/** Whether a word of a text has the same two letters at the beginning as another one. */
function beginAlike(text: string, start: number, word: string): boolean {
  return text.charCodeAt(start) === word.charCodeAt(0) && text.charCodeAt(start + 1) === word.charCodeAt(1);
}

function distanceTo(spelling: Spelling, word: string, most: number): number {
  return spelling.distanceTo(word, 0, word.length, most);
}

/** Beginnings as that of the word, give or take one letter; beside words that are there, no such letter. */
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

/** A word of the account with this stem: of those in a few passages the one that is nearest to what was written. */
function formOf(file: SqliteFile, term: string, passageIds: readonly number[], written: Spelling): string | null {
  let nearest: { form: string; distance: number } | null = null;
  for (const id of passageIds) {
    for (const form of formsIn(file, id, term)) {
      const distance = distanceTo(written, foldedWord(form), 4);
      if (distance < (nearest?.distance ?? Infinity)) nearest = { form, distance };
      // What was written is not there, so none is nearer.
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
