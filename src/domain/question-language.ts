/*
 * Questions are too short for a language detector, and one costs more memory than the server itself. Function words
 * are what short questions have, and what no two of these languages share. Words that are English, too ("die", "was",
 * "in", "no", "me"), are in neither list.
 */

const english = new Set(
  (
    'a an and are as at be been but by can could did do does for from get had has have how i if in into is it its just ' +
    'like may might more most my not of on or our should some than that the their them then there these they this to ' +
    'was we were what when where which while who whom whose why will with without would you your about after again all ' +
    'any because before between both each few during over under up until'
  ).split(' '),
);

const foreign = new Set(
  // German, Dutch
  (
    'der das den dem des ein eine einen einem einer eines und oder aber nicht ist sind wie wo wer warum welche welcher ' +
    'welches wieviel viele vom zum zur bei mit auf für über wird werden wurde haben hat ich wir ihr sie mein meine wer wen ' +
    'wem von zu sich noch nach durch um seit aus nur kann zwischen als het ' +
    'een niet zijn hoe waarom waar wat welke voor naar ook wordt ' +
    // Swedish, Danish, Norwegian, Finnish
    'och att det som är inte hur varför vad vilken på av til ikke hvordan hvorfor hvad hva jeg er og af ja mikä miksi ' +
    'miten että ovat ' +
    // French, Spanish, Portuguese, Italian, Romanian, Catalan
    'le la les des du une est sont avec pour dans sur pas que qui quoi comment pourquoi quel quelle quels quelles aux ' +
    'ce cette mon mes el los las del un una unos es son con por para cómo qué cuál cuáles cuándo dónde quién más está ' +
    'como qual quais quando onde quem não são uma uns umas dos das nos nas il gli di che chi perché quale quali sono ' +
    'della delle nel nella si și cum ce este sunt pentru amb ' +
    // Polish, Czech, Hungarian, Turkish, Indonesian, Vietnamese
    'jak dlaczego co jest są nie się czy który która dla proč kde který je se az egy és hogyan miért mi nem ve bir bu ' +
    'için nasıl neden ne mı mi yang dan bagaimana mengapa apa untuk tidak là và của có không như thế nào'
  ).split(' '),
);

/** True when a question is visibly not English: by its script, by its function words, or by its letters. */
export function isVisiblyNotEnglish(question: string): boolean {
  const letters = question.match(/\p{L}/gu) ?? [];
  const latin = letters.filter((letter) => /\p{Script=Latin}/u.test(letter)).length;
  if (letters.length > 0 && latin < letters.length / 2) return true;
  const words = question.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
  const englishWords = words.filter((word) => english.has(word)).length;
  const foreignWords = words.filter((word) => foreign.has(word) && !english.has(word)).length;
  if (englishWords > 0 || foreignWords > 0) return foreignWords > englishWords;
  // Without any function word: English has hardly any letter beyond a–z, and hardly any question two such words.
  return words.filter((word) => /[^a-z]/.test(word.normalize('NFC'))).length >= 1 && words.length > 1;
}

/**
 * Which words, in lower case, only hold the sentences of this question together. Other languages' count in a question that
 * is visibly in one of them: "son" and "des" are words of their own in English.
 */
export function functionWordsOf(question: string): (word: string) => boolean {
  const isForeign = isVisiblyNotEnglish(question);
  return (word) => english.has(word) || (isForeign && foreign.has(word));
}
