/*
 * Questions are too short for a language detector, and a detector takes more memory than the server itself. But short
 * questions have function words. Words that several languages share are weak evidence and are listed below.
 */

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

const foreign = new Set(
  // German, Dutch
  (
    'der das den dem des ein eine einen einem einer eines und oder aber nicht ist sind wie wo wer warum welche welcher ' +
    'welches wieviel viele vom zum zur bei mit auf für über wird werden wurde haben hat ich wir ihr sie mein meine wer wen ' +
    'wem von zu sich noch nach durch um seit aus nur kann zwischen als ' +
    'muss müssen musst kannst können könnte soll sollen sollte darf dürfen möchte wäre waren wurden hatte hatten habe ' +
    'seine seinen seiner ihre ihren ihrer meinem meinen meiner unser unsere dein deine deinem deinen dieser diese dieses ' +
    'diesem diesen wenn weil dass bevor im beim ins schon uns euch ihm ihn ihnen ' +
    'womit wofür woher wohin het ' +
    'een niet zijn hoe waarom waar wat welke voor naar ook wordt ' +
    // Swedish, Danish, Norwegian, Finnish
    'och att det som är inte hur varför vad vilken på av til ikke hvordan hvorfor hvad hva jeg er og af ja mikä miksi ' +
    'miten että ovat ' +
    // French, Spanish, Portuguese, Italian, Romanian, Catalan
    'le la les de des du une est sont avec pour dans sur pas que qui quoi comment pourquoi quel quelle quels quelles aux ' +
    'ce cette mon mes el los las del un una unos es son con por para cómo qué cuál cuáles cuándo dónde quién más está ' +
    'como qual quais quando onde quem não são uma uns umas dos das nos nas il gli di che chi perché quale quali sono ' +
    'peut peux doit faut était étaient leur leurs votre après entre vous elles où quand puedo puede pueden debo debe ' +
    'deben tiene tienen eran fueron nuestro nuestra estos estas sobre después desde hasta cuánto cuánta cuántos cuántas ' +
    'muy ' +
    'della delle nel nella si și cum ce este sunt pentru amb ' +
    // Polish, Czech, Hungarian, Turkish, Indonesian, Vietnamese
    'jak dlaczego co jest są nie się czy który która dla proč kde který je se az egy és hogyan miért mi nem ve bir bu ' +
    'için nasıl neden ne mı mi yang dan bagaimana mengapa apa untuk tidak là và của có không như thế nào'
  ).split(' '),
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
  const foreignWords = words.filter((word) => foreign.has(word) && !english.has(word));
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

function isMostlyNotLatin(question: string): boolean {
  const letters = question.match(/\p{L}/gu) ?? [];
  const latin = letters.filter((letter) => /\p{Script=Latin}/u.test(letter)).length;
  return latin < letters.length / 2;
}

/**
 * Returns a test for the function words (in lower case) of this question. Foreign ones count only in a question that is
 * visibly not English: "son" is an English noun, and "des" is part of English names.
 */
export function functionWordsOf(question: string): (word: string) => boolean {
  const isForeign = isVisiblyNotEnglish(question);
  return (word) => english.has(word) || (isForeign && foreign.has(word));
}
