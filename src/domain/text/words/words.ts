import { prefixSetOf, latinWords, latinWordsWithPrefix, mayHavePrefix } from './latin-words.ts';

/*
 * Tokenization for the index, for questions and for highlighting. A word is a run of letters, numbers and combining
 * marks. In scripts without spaces a whole sentence would be one "word", so their runs are split into overlapping pairs
 * of characters. The same applies to Korean, whose particles are attached to words.
 */

import { foldedArabic, isArabic } from './arabic.ts';
import { raisedDigit } from '../sentences.ts';

export const unspacedCharacter = String.raw`[[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]&&[\p{L}\p{M}\p{N}]]`;
/** The Unicode categories that the index's tokenizer is configured to treat as word characters. */
export const wordCharacter = String.raw`[\p{L}\p{N}\p{Co}\p{Mn}\p{Mc}]`;

const words = new RegExp(`(?<run>${unspacedCharacter}+)|[${wordCharacter}--${unspacedCharacter}]+`, 'gv');

/** A word of a text at offset `start`, or a run of a script without spaces. */
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
 * The words of a text, in lower case, that may begin with `letter` after folding. Most words do not: checking the first
 * letter is cheaper than slicing every word.
 */
export function wordsThatMayBegin(text: string, letter: string): string[] {
  const prefixes = prefixSetOf([letter]);
  const edges = latinWordsWithPrefix(text, prefixes);
  const found =
    edges === null ? wordsOf(text).filter((word) => mayHavePrefix(word.text, prefixes)) : wordsBetween(text, edges);
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

/** NFKC, so that ligatures from PDFs, full-width Latin and half-width Kana equal the letters that they stand for. */
export function normalizedText(text: string): string {
  return text.toWellFormed().normalize('NFKC');
}

/** A superscript: a note number after a word, or an exponent. After short words it belongs to a unit (m², km³). */
const raisedNumber = new RegExp(String.raw`(?<=\p{L}{4}|\p{Nd})${raisedDigit}+`, 'gu');

/** Puts a space before each superscript, so that it is not part of the word before. */
export function withRaisedApart(text: string): string {
  return text.replaceAll(raisedNumber, ' $&');
}

/**
 * Letters without a decomposition that are also written with others: Straße, Łódź, Œuvre, København, Ёлка. Not đ: in
 * Vietnamese, d and đ make different words.
 */
const letters = new Map([
  ['ß', 'ss'],
  ['ẞ', 'SS'],
  ['ł', 'l'],
  ['Ł', 'L'],
  ['œ', 'oe'],
  ['Œ', 'OE'],
  ['æ', 'ae'],
  ['Æ', 'AE'],
  ['ø', 'o'],
  ['Ø', 'O'],
  ['ð', 'd'],
  ['Ð', 'D'],
  ['þ', 'th'],
  ['Þ', 'TH'],
  ['ı', 'i'],
  ['ё', 'е'],
  ['Ё', 'Е'],
]);
const otherLetter = /[ßẞłŁœŒæÆøØðÐþÞıёЁ]/gu;

/** Writes letters that the index does not fold (it folds accents) as most people type them. */
export function foldedLetters(text: string): string {
  return text.replaceAll(otherLetter, (letter) => letters.get(letter) ?? letter);
}

/**
 * Equal for all spellings of a word. Ignores case, accents and compatibility forms, and signs that many writers omit:
 * the vowel signs and hamzas of Arabic, and the dots of the Russian ё. ß, ł, œ and the like are folded as in the index.
 */
export function foldedWord(word: string): string {
  const plain = word.toLowerCase();
  if (/^[a-z0-9]*$/.test(plain)) return plain;
  const folded = normalizedText(plain.replaceAll(raisedNumber, ''))
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/(?<=[\p{Script=Latin}\p{Script=Arabic}])\p{Mn}+/gu, '')
    .normalize('NFC');
  return isArabic(folded) ? foldedArabic(folded) : foldedLetters(folded);
}

/** Overlapping pairs of characters. */
export function pairsOf(characters: readonly string[]): string[] {
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
