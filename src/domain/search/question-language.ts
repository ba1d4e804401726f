/*
 * Questions are too short for a language detector, and a detector takes more memory than the server itself. But short
 * questions have function words. Words that several languages share are weak evidence and are listed below.
 */

import { madeWhenUsed } from '../text/made-when-used.ts';
import { functionWords } from './function-words.ts';

const english = new Set(
  (
    'a an and are as at be been but by can could did do does for from get had has have how i if in into is it its just ' +
    'like may might more most my not of on or our should some than that the their them then there these they this to ' +
    'was we were what when where which while who whom whose why will with without would you your about after again all ' +
    'any because before between both each few during over under up until'
  ).split(' '),
);

/** English words that other languages share: was, in and an are German, is and over Dutch, a and as Portuguese. */
const alsoElsewhere = new Set('a an as do had i in is on over so was we will'.split(' '));

/** Words that tell a language other than English. */
const foreign = madeWhenUsed(
  () => new Set(Array.from(functionWords().values(), ({ evidence }) => [...evidence]).flat()),
);

/**
 * Foreign function words that also occur in English questions, in names or as English words: Las Vegas, Red Hat,
 * MIT licence, tai chi, Des Moines, co-op, father and son, Simone Weil, the Seine.
 */
const alsoInEnglish = new Set(
  (
    'als apa aux av az bir ce che chi co con cum dan das dass de del den des di dos du el er es est este hat il im ins ja ' +
    'je jest la las le les los mes mi mit mon nas ne nos op para pas pour se seine si son sur um uma un una unser ve ' +
    'von weil yang'
  ).split(' '),
);

/** True when a question is visibly not English: by its script, by its function words, or by its letters. */
export function isVisiblyNotEnglish(question: string): boolean {
  if (/[^\0-\x7f]/.test(question) && isMostlyNotLatin(question)) return true;
  const words = wordsIn(question);
  const englishWords = words.filter((word) => english.has(word));
  const foreignWords = words.filter((word) => foreign().has(word) && !english.has(word));
  const unmistakable = foreignWords.filter((word) => !alsoInEnglish.has(word));
  if (unmistakable.length > 0)
    return foreignWords.length > englishWords.filter((word) => !alsoElsewhere.has(word)).length;
  if (englishWords.length > 0) return false;
  if (foreignWords.length > 1) return true;
  // Without any function word, one word with a letter outside a–z is enough: English words hardly ever have one.
  return words.filter((word) => /[^a-z\p{N}]/u.test(word.normalize('NFC'))).length >= 1 && words.length > 1;
}

/** True when a question has an English function word that few other languages share, and is not visibly foreign. */
export function isVisiblyEnglish(question: string): boolean {
  return (
    wordsIn(question).some((word) => english.has(word) && !alsoElsewhere.has(word)) && !isVisiblyNotEnglish(question)
  );
}

/** Words in lower case. Letters and digits form one word: CO2 is not the Polish "co", nor ES6 the Spanish "es". */
function wordsIn(question: string): readonly string[] {
  return question.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** Whether most letters of a question are of another script than Latin. */
export function isMostlyNotLatin(question: string): boolean {
  const letters = question.match(/\p{L}/gu) ?? [];
  const latin = letters.filter((letter) => /\p{Script=Latin}/u.test(letter)).length;
  return latin < letters.length / 2;
}

/**
 * Returns a test for the function words (in lower case) of this question: those of its own language, and of several when
 * it may be in any of them. What is a function word of one language is a word of another: "Not" is German for need,
 * "son" is an English noun.
 */
export function functionWordsOf(question: string): (word: string) => boolean {
  const words = wordsIn(question);
  const lists =
    isVietnamese(words) || isVisiblyNotEnglish(question)
      ? [...likelyLanguages(question).flatMap((language) => functionWords().get(language)?.all ?? []), inEnglishNames]
      : [english];
  return (word) => lists.some((list) => list.has(word));
}

/** Of titles and names that stay English in other languages. No other language has these words in another sense. */
const inEnglishNames = new Set(['the', 'of']);

/** Letters of Vietnamese alone, or hardly of another language. */
const vietnameseLetter = /[ăơư\u1ea0-\u1ef9]/u;

/** Whether several words have such letters: a single one is a name, or phở. */
function isVietnamese(words: readonly string[]): boolean {
  return words.filter((word) => vietnameseLetter.test(word.normalize('NFC'))).length > 1;
}

/** The languages (ISO 639-1) that a question may be in: those with the most of its function words. Empty without any. */
export function likelyLanguages(question: string): string[] {
  const words = wordsIn(question);
  if (isVietnamese(words)) return ['vi'];
  const counted = Array.from(functionWords(), ([language, { all }]) => ({
    language,
    found: words.filter((word) => all.has(word)).length,
  }));
  const most = Math.max(1, ...counted.map(({ found }) => found));
  return counted.filter(({ found }) => found === most).map(({ language }) => language);
}
