import { functionWordsOf } from './question-language.ts';
import { foldedWord, wordsOf } from '../text/words/words.ts';

/**
 * Those of the names that stand whole in a question. A name of one word, like Nature or Medium, has to be written as it
 * is, capitals and all: in lower case it is a word like others.
 */
export function namesStandingIn(question: string, names: readonly string[]): string[] {
  const folded = question.toLowerCase();
  const isFunctionWord = functionWordsOf(question);
  return names.filter((name) => {
    const words = wordsOf(name);
    if (words.length === 0 || name.length < 2) return false;
    if (words.length > 1) return standsWhole(folded, name.toLowerCase());
    return /^\p{Lu}/u.test(name) && !isFunctionWord(foldedWord(name)) && standsWhole(question, name);
  });
}

/** Whether no letter or digit goes on before or after some place of the part. */
function standsWhole(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    const isWhole =
      !endsInLetter.test(text.slice(Math.max(0, at - 2), at)) &&
      !beginsWithLetter.test(text.slice(at + part.length, at + part.length + 2));
    if (isWhole) return true;
  }
  return false;
}

const endsInLetter = /[\p{L}\p{N}\p{M}]$/u;
const beginsWithLetter = /^[\p{L}\p{N}\p{M}]/u;
