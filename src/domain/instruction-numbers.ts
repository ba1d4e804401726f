import { dateWords, functionWords, rateUnits } from './instruction-words.ts';
import { areAkin, numbersInRun, type Token } from './instruction-tokens.ts';

/* What an instruction counts, and when it says that something is to be done. */

export function numbersOf(token: Token): number[] {
  if (token.isRun) return numbersInRun(token.word);
  if (twos.has(token.word)) return [2, ...token.numbers];
  return ones.has(token.word)
    ? [1]
    : halves.has(token.word)
      ? [0.5]
      : token.word === 'quarter'
        ? [0.25]
        : [...token.numbers];
}

const ones = new Set('a an single once ein eine einen einmal un une una every each'.split(' '));
const halves = new Set('half halb halbe halben demi demie medio media'.split(' '));
const twos = new Set('second both pair couple zweite beide deuxieme segundo ambos'.split(' '));

/** Eight in ten, 8 out of 10. */
const outOf = new Set('in of von sur de'.split(' '));

/** Of number words that make one number: twenty-five, two hundred and fifty. */
export function numbersIn(tokens: readonly Token[]): number[] {
  const found: number[] = [];
  let sum = 0;
  for (const [at, token] of tokens.entries()) {
    const [number] = token.numbers;
    const isWord = number !== undefined && !/\d/.test(token.word);
    if (isWord) {
      const isPart = number >= 100 || (sum >= 20 && sum % 100 !== 0 ? number < 10 : number < 100);
      if (!isPart) sum = 0;
      sum = number >= 100 ? Math.max(1, sum) * number : sum + number;
      found.push(sum);
    } else if (token.word !== 'and' && token.word !== 'e' && token.word !== 'y') sum = 0;
    found.push(...numbersOf(token));
    if (token.numbers[0] === 10 && outOf.has(tokens[at - 1]?.word ?? ''))
      found.push(...[at - 2, at - 3].flatMap((place) => tokens[place]?.numbers.map((part) => part * 10) ?? []));
  }
  return found;
}

/** 1 is a word like any other in most languages, and 一 a part of many words. */
export function hasForeignNumber(tokens: readonly Token[], near: ReadonlySet<number>): boolean {
  return tokens.some((token, at) => {
    if (token.isRun) return numbersInRun(token.word).some((number) => number > 1 && !near.has(number));
    if (token.numbers.length === 0 || (token.numbers[0] === 1 && !/\d/.test(token.word))) return false;
    const parts = wholes.get(unitBehind(tokens, at) ?? '') ?? 1;
    if (token.numbers.some((number) => near.has(number) || (number !== parts && near.has(number / parts))))
      return false;
    if (/\d/.test(token.word)) return true;
    // A part of a number that is written as words.
    const around = tokens.slice(Math.max(0, at - 3), at + 4).filter(({ word }) => !/\d/.test(word));
    return !numbersIn(around).some((number) => number > 20 && near.has(number));
  });
}

/** Whether it names a date, or how often something is done, that is not near: every hour. */
export function hasForeignTime(tokens: readonly Token[], near: readonly Token[], quote: readonly Token[]): boolean {
  const known = new Set(ratesIn(quote));
  const named = new Set(near.map(({ word }) => rateUnits.get(word)));
  return (
    tokens.some(({ word, stem }) => dateWords.has(word) && !near.some((other) => other.stem === stem)) ||
    ratesIn(tokens).some((unit) => !known.has(unit) && (known.size > 0 || (isShort(unit) && !named.has(unit))))
  );
}

const isShort = (unit: string) => unit === 'minute' || unit === 'hour';

/** A day, per day, every day, daily. */
function ratesIn(tokens: readonly Token[]): string[] {
  return tokens.flatMap(({ word }, at) => {
    const unit = rateUnits.get(word);
    const [second, first] = [tokens[at - 2]?.word ?? '', tokens[at - 1]?.word ?? ''];
    const isPer =
      articles.has(first) && second !== '' && (second === 'once' || !functionWords.has(second)) && second !== 'half';
    const isRate = word.endsWith('ly') || isPer || rates.has(first) || rates.has(second);
    return unit === undefined || !isRate ? [] : [unit];
  });
}

const rates = new Set('per every each all pro je jede jeden jedes par chaque tous toutes cada todos todas'.split(' '));
const articles = new Set('a an am im al a la'.split(' '));

/** Whether its number counts another unit than near the quote: 400 g for 400 mg. */
export function changesUnit(tokens: readonly Token[], near: readonly Token[]): boolean {
  return tokens.some(({ numbers }, at) => {
    const unit = unitBehind(tokens, at);
    if (unit === undefined || numbers.length === 0) return false;
    const known = near.flatMap((other, i) =>
      other.numbers.some((number) => numbers.includes(number)) ? (unitBehind(near, i) ?? []) : [],
    );
    return known.length > 0 && !known.includes(unit);
  });
}

/** The unit of a number, or of the range that it begins: 3 to 5 grams. */
function unitBehind(tokens: readonly Token[], at: number): string | undefined {
  for (const { word, numbers, isRun } of tokens.slice(at + 1, at + 4)) {
    if (isRun) return undefined;
    const unit = units.get(word) ?? rateUnits.get(word);
    if (unit !== undefined) return unit;
    if (numbers.length === 0 && !between.has(word)) return undefined;
  }
  return undefined;
}

/** 25 percent are a quarter, 30 minutes half an hour, 6 months half a year. */
const wholes = new Map([
  ['%', 100],
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['month', 12],
]);
const between = new Set('to or and bis oder und a ou et o y e'.split(' '));
const units: ReadonlyMap<string, string> = new Map(
  [
    'mg milligram milligrams milligramm',
    'mcg microgram micrograms',
    'g gram grams gramm grammes gramos',
    'kg kilo kilos kilogram kilograms kilogramm',
    'ml millilitre millilitres milliliter milliliters mililitros',
    'l litre litres liter liters litern litros',
    'mm millimetre millimetres millimeter millimeters',
    'cm centimetre centimetres centimeter centimeters zentimeter zentimetern',
    'm metre metres meter meters metern metros',
    'km kilometre kilometres kilometer kilometers kilometern kilometros',
    'mb megabyte',
    'gb gigabyte',
    '% percent prozent',
    'second seconds s sekunden secondes segundos',
    'minute minutes min minuten minutos',
    'hour hours h stunden heures horas',
    'day tage tagen',
    'week wochen semaines semanas',
    'month monate monaten meses',
    'year jahre jahren ans anos',
  ].flatMap((line) => line.split(' ').map((word) => [word, line.split(' ')[0] ?? word] as const)),
);

/** What a number counts: what follows it, up to the next number. */
function nounPhrase(tokens: readonly Token[]): readonly Token[] {
  const end = tokens.findIndex(({ numbers }) => numbers.length > 0);
  return (end === -1 ? tokens : tokens.slice(0, end)).filter(({ word }) => !functionWords.has(word));
}

/** How many times: twice, three times. */
function timesIn(tokens: readonly Token[]): number[] {
  return tokens.flatMap(({ word, numbers }, at) => {
    const next = tokens[at + 1]?.word ?? '';
    if (word === 'once') return ['a', 'per', 'every', 'daily', 'weekly'].includes(next) ? [1] : [];
    return ['twice', 'thrice', 'zweimal', 'dreimal'].includes(word) || times.has(next) ? numbers : [];
  });
}

const times = new Set('times mal fois veces'.split(' '));

export function changesTimes(tokens: readonly Token[], quote: readonly Token[]): boolean {
  const asked = timesIn(quote);
  return asked.length > 0 && timesIn(tokens).some((number) => !asked.includes(number));
}

/** Whether it counts otherwise what the quote counts: one tablet for two. */
export function countsOtherwise(tokens: readonly Token[], quote: readonly Token[]): boolean {
  const counted = (list: readonly Token[], at: number) => nounPhrase(list.slice(at + 1, at + 4));
  return tokens.some(({ numbers, isRun }, at) => {
    const [noun] = counted(tokens, at);
    if (numbers.length === 0 || isRun || noun === undefined) return false;
    const counts = quote.flatMap((one, i) =>
      one.isRun || !counted(quote, i).some((other) => areAkin(other, noun)) ? [] : numbersOf(one),
    );
    // The other number may be meant: the three worst of the last five.
    const isThere = quote.some((one) => numbersOf(one).some((number) => number !== 1 && numbers.includes(number)));
    return counts.length > 0 && !isThere && !counts.some((count) => numbers.includes(count));
  });
}
