import { beginningsOf, latinWords, latinWordsBeginning, mayBeginSo } from './latin-words.ts';

/*
 * What counts as a word, for the index, for questions and for marking what was found. A word is a run of letters,
 * numbers and combining marks. Scripts that are written without spaces (and Korean, whose particles stick to the words)
 * would come out as one "word" a sentence, so their runs are cut into overlapping pairs of characters.
 */

import { foldedArabic, isArabic } from './arabic.ts';
import { raisedDigit } from './note-marks.ts';

export const unspacedCharacter = String.raw`[[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]&&[\p{L}\p{M}\p{N}]]`;
/** The categories that the index's tokenizer is told to take for parts of words. */
const wordCharacter = String.raw`[\p{L}\p{N}\p{Co}\p{Mn}\p{Mc}]`;

const words = new RegExp(`(?<run>${unspacedCharacter}+)|[${wordCharacter}--${unspacedCharacter}]+`, 'gv');

/** A word of a text at `start`, or a run of a script without spaces. */
export interface Word {
  text: string;
  start: number;
  isRun: boolean;
}

export function wordsOf(text: string): Word[] {
  const edges = latinWords(text);
  if (edges !== null) return wordsBetween(text, edges);
  return Array.from(text.matchAll(words), (match) => ({
    text: match[0],
    start: match.index,
    isRun: match.groups?.['run'] !== undefined,
  }));
}

/**
 * In small letters the words of a text that may begin with a letter once they are folded: most do not, and cutting them out costs more
 * than looking.
 */
export function wordsThatMayBegin(text: string, letter: string): string[] {
  const beginnings = beginningsOf([letter]);
  const edges = latinWordsBeginning(text, beginnings);
  const found =
    edges === null ? wordsOf(text).filter((word) => mayBeginSo(word.text, beginnings)) : wordsBetween(text, edges);
  return found.map((word) => word.text.toLowerCase());
}

function wordsBetween(text: string, edges: readonly number[]): Word[] {
  const found: Word[] = [];
  for (let at = 0; at < edges.length; at += 2) {
    const start = edges[at] ?? 0;
    found.push({ text: text.slice(start, edges[at + 1]), start, isRun: false });
  }
  return found;
}

/** Compatibility forms: the ligatures of PDFs, full-width Latin and half-width Kana are the letters they stand for. */
export function normalizedText(text: string): string {
  return text.toWellFormed().normalize('NFKC');
}

/** The number of a note behind a word, or an exponent; short words before one are units of measure (m², km³). */
const raisedNumber = new RegExp(String.raw`(?<=\p{L}{4}|\p{Nd})${raisedDigit}+`, 'gu');

/** Text in which a raised number is no part of the word before. */
export function withRaisedApart(text: string): string {
  return text.replaceAll(raisedNumber, ' $&');
}

/**
 * Two spellings of a word are the same when this is: case, accents and compatibility forms do not count, nor does what many leave out
 * in writing: the vowel signs and hamzas of Arabic, and the dots of the Russian ё.
 */
export function foldedWord(word: string): string {
  const plain = word.toLowerCase();
  if (/^[a-z0-9]*$/.test(plain)) return plain;
  const folded = normalizedText(plain.replaceAll(raisedNumber, ''))
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/(?<=[\p{Script=Latin}\p{Script=Arabic}])\p{Mn}+/gu, '')
    .normalize('NFC')
    .replaceAll('ё', 'е');
  return isArabic(folded) ? foldedArabic(folded) : folded;
}

/** Overlapping pairs of characters. */
export function pairsOf(characters: readonly string[]): string[] {
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
