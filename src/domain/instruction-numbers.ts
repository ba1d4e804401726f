import { dateWords, functionWords } from './instruction-words.ts';
import { areAkin, numbersInRun, stemOfWord, type Token } from './instruction-tokens.ts';

/* What an instruction counts, and when it says that something is to be done. */

function numbersOf(token: Token): number[] {
  if (token.isRun) return numbersInRun(token.word);
  const isOne = [
    'a',
    'an',
    'single',
    'once',
    'ein',
    'eine',
    'einen',
    'einmal',
    'un',
    'une',
    'una',
    'every',
    'each',
  ].includes(token.word);
  return isOne ? [1] : token.word === 'half' ? [0.5] : token.word === 'quarter' ? [0.25] : [...token.numbers];
}

/** Of number words that make one number: twenty-five, two hundred and fifty. */
export function numbersIn(tokens: readonly Token[]): number[] {
  const found: number[] = [];
  let sum = 0;
  for (const token of tokens) {
    const [number] = token.numbers;
    const isWord = number !== undefined && !/\d/.test(token.word);
    if (isWord) {
      const isPart = number >= 100 || (sum >= 20 && sum % 100 !== 0 ? number < 10 : number < 100);
      if (!isPart) sum = 0;
      sum = number >= 100 ? Math.max(1, sum) * number : sum + number;
      found.push(sum);
    } else if (token.word !== 'and' && token.word !== 'e' && token.word !== 'y') sum = 0;
    found.push(...numbersOf(token));
  }
  return found;
}

/** 1 is a word like any other in most languages, and 一 a part of many words. */
export function hasForeignNumber(tokens: readonly Token[], near: ReadonlySet<number>): boolean {
  return tokens.some((token, at) => {
    if (token.isRun) return numbersInRun(token.word).some((number) => number > 1 && !near.has(number));
    if (token.numbers.length === 0 || (token.numbers[0] === 1 && !/\d/.test(token.word))) return false;
    if (token.numbers.some((number) => near.has(number))) return false;
    if (/\d/.test(token.word)) return true;
    // A part of a number that is written as words.
    const around = tokens.slice(Math.max(0, at - 3), at + 4).filter(({ word }) => !/\d/.test(word));
    return !numbersIn(around).some((number) => number > 20 && near.has(number));
  });
}

/** A date, or how often something is done: every hour. */
export function isTime({ word, stem }: Token, before: Token | undefined): boolean {
  return dateWords.has(word) || (timeUnits.has(stem) && before !== undefined && rates.has(before.word));
}

const timeUnits = new Set(['second', 'minute', 'hour', 'day', 'week', 'month', 'year'].map(stemOfWord));
const rates = new Set(['every', 'per']);

/** Whether it counts otherwise what the quote counts: one tablet for two. */
export function countsOtherwise(tokens: readonly Token[], quote: readonly Token[]): boolean {
  const counted = (list: readonly Token[], at: number) =>
    list.slice(at + 1, at + 4).filter(({ word, numbers }) => numbers.length === 0 && !functionWords.has(word));
  return tokens.some(({ numbers, isRun }, at) => {
    const [noun] = counted(tokens, at);
    if (numbers.length === 0 || isRun || noun === undefined) return false;
    const counts = quote.flatMap((one, i) =>
      one.isRun || !counted(quote, i).some((other) => areAkin(other, noun)) ? [] : numbersOf(one),
    );
    return counts.length > 0 && !counts.some((count) => numbers.includes(count));
  });
}
