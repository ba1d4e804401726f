import type { GroundingToken } from './tokens.ts';
import { unitsByWord, type QuantityUnit } from './units.ts';
import { functionWords } from './word-lists.ts';

/* What else a number may mean than its digits and the unit behind it: a time of day, a rate, thousands, a date. */

export interface NumberReading {
  values: readonly number[];
  unit: QuantityUnit | undefined;
}

const plain = (...values: number[]): NumberReading => ({ values, unit: undefined });

/**
 * Other readings of the number, or the word without a number, between two indexes of tokens.
 * @param values what it is worth by itself; empty for a word
 */
export function otherReadings(
  tokens: readonly GroundingToken[],
  at: number,
  end: number,
  values: readonly number[],
): NumberReading[] {
  const { word = '', isAcronym = false } = tokens[at] ?? {};
  const value = values.at(-1);
  if (value === undefined)
    return [
      ...(clockWords.get(word) ?? []).map((hour) => plain(hour)),
      ...(isAcronym && roman.test(word) ? [plain(romanValue(word))] : []),
      ...(word === 'quarter' && perWords.has(tokens[at - 1]?.word ?? '') ? [time(quarterSeconds)] : []),
    ];
  return [
    ...timesOfDay(tokens, at, end, value),
    ...shortened(tokens, at, end, value),
    ...rate(tokens, end, value),
    ...partsOf(word),
    ...(pounds.has(tokens[end]?.word ?? '') ? [{ values, unit: unitsByWord.get('£') }] : []),
    ...warmth(tokens[end]?.word ?? '', values),
    ...sumOfUnits(tokens, at, end, value),
    ...unitBefore(tokens, at, end, values),
  ];
}

const quarterSeconds = 90 * 86_400;

/** Up to 39: chapters, parts and kings. */
const roman = /^x{0,3}(?:ix|iv|v?i{0,3})$/;
const romanDigits: ReadonlyMap<string, number> = new Map([
  ['i', 1],
  ['v', 5],
  ['x', 10],
]);
function romanValue(word: string): number {
  const digits = Array.from(word, (digit) => romanDigits.get(digit) ?? 0);
  return digits.reduce((sum, digit, at) => sum + (digit < (digits[at + 1] ?? 0) ? -digit : digit), 0);
}

const noon = [12];
const midnight = [0, 12, 24, 23.59];
const clockWords: ReadonlyMap<string, readonly number[]> = new Map([
  ...'noon midday mittag mittags midi mediodia'.split(' ').map((word): [string, number[]] => [word, noon]),
  ...'midnight mitternacht minuit medianoche'.split(' ').map((word): [string, number[]] => [word, midnight]),
]);

/** Half past six, 6:30 p.m. and 18:30 are written as hours and hundredths of minutes: 6.3 and 18.3. */
function timesOfDay(tokens: readonly GroundingToken[], at: number, end: number, value: number): NumberReading[] {
  const behind = `${tokens[end]?.word ?? ''}${tokens[end + 1]?.word ?? ''}`;
  const [before, past] = [tokens[at - 2]?.word ?? '', tokens[at - 1]?.word ?? ''];
  const isClock = value <= 24 && (tokens[at]?.word.includes(':') === true || /^(?:[ap]m|uhr|oclock|h\d?)/.test(behind));
  const minutes = pastHours.get(`${before} ${past}`) ?? pastHours.get(past);
  const hour = minutes === undefined ? value : minutes > 0 ? value + minutes : value - 1 - minutes;
  const isPast = minutes !== undefined && value <= 12;
  const frenchMinutes = tokens[end]?.word === 'h' ? (tokens[end + 1]?.numbers[0] ?? 0) : 0;
  if (!isClock && !isPast && value < 13) return [];
  const full = hour + frenchMinutes / 100;
  return Number.isFinite(full) && full <= 24.5 ? [plain(full, full > 12 ? full - 12 : full + 12)] : [];
}

const pastHours: ReadonlyMap<string, number> = new Map([
  ['half past', 0.3],
  ['quarter past', 0.15],
  ['quarter to', -0.45],
  ['half', 0.3],
  ['halb', -0.3],
  ['viertel nach', 0.15],
  ['viertel vor', -0.45],
]);

/** 7k, 1.2 million, and 48 in 1815 to 48. */
function shortened(tokens: readonly GroundingToken[], at: number, end: number, value: number): NumberReading[] {
  const size = thousands.get(tokens[end]?.word ?? '');
  const first = tokens[at - 1]?.word === 'to' ? (tokens[at - 2]?.numbers[0] ?? 0) : 0;
  const isYear = Number.isInteger(first) && first > 1_000 && value > first % 100 && value < 100;
  return [
    ...(size === undefined ? [] : [plain(value * size)]),
    ...(isYear ? [plain(first - (first % 100) + value)] : []),
  ];
}

const thousands: ReadonlyMap<string, number> = new Map([
  ['k', 1_000],
  ['thousand', 1_000],
  ['m', 1_000_000],
  ['mn', 1_000_000],
  ['mio', 1_000_000],
  ['million', 1_000_000],
  ['bn', 1_000_000_000],
  ['billion', 1_000_000_000],
]);

/** Four times a year is every three months. */
function rate(tokens: readonly GroundingToken[], end: number, value: number): NumberReading[] {
  if (value === 0) return [];
  const [one, two, three] = tokens.slice(end, end + 3).map(({ word }) => word);
  const of = timesWords.has(one ?? '') ? [two, three] : [one, two];
  const unit = unitsByWord.get(of.find((word) => word !== undefined && !perWords.has(word)) ?? '');
  const isRate = of[0] !== undefined && (perWords.has(of[0]) || adverb.test(of[0]));
  return isRate && unit?.kind === 'time' ? [{ values: [unit.size / value], unit: { kind: 'time', size: 1 } }] : [];
}

const timesWords = new Set('times time mal fois veces vezes x'.split(' '));
const perWords = new Set('a an per each every im pro je par al por cada'.split(' '));
const adverb = /(?:ly|lich)$/;

/** The day and the month of a date in digits, 15.12. or 15.12.2026. */
function partsOf(word: string): NumberReading[] {
  const [, day, month] = /^(\d{1,2})\.(\d{1,2})(?:\.\d{4})?$/.exec(word) ?? [];
  return day === undefined || Number(day) > 31 || Number(month) > 12 || Number(month) === 0 ? [] : [plain(Number(day))];
}

const pounds = new Set('pound pounds pfund'.split(' '));

/** Degrees Celsius and Fahrenheit. */
function warmth(unit: string, values: readonly number[]): NumberReading[] {
  if (unit === 'c' || unit === 'celsius') return [{ values, unit: { kind: 'warmth', size: 1 } }];
  const isFahrenheit = unit === 'f' || unit === 'fahrenheit';
  // A size of its own: what was converted may be rounded.
  return isFahrenheit
    ? [{ values: values.map((value) => (value - 32) / 1.8), unit: { kind: 'warmth', size: 1.000_001 } }]
    : [];
}

/** 1 h 15 min is 75 minutes. 9:30 may be minutes and seconds, or hours and minutes. */
function sumOfUnits(tokens: readonly GroundingToken[], at: number, end: number, value: number): NumberReading[] {
  const [, first, second] = /^(\d{1,2}):(\d{2})$/.exec(tokens[at]?.word ?? '') ?? [];
  const seconds = Number(first) * 60 + Number(second);
  const found: NumberReading[] = first === undefined ? [] : [time(seconds), time(seconds * 60)];
  const large = unitsByWord.get(tokens[end]?.word ?? '');
  const next = tokens[end + 1]?.word === 'and' ? end + 2 : end + 1;
  const small = unitsByWord.get(tokens[next + 1]?.word ?? '');
  const rest = tokens[next]?.numbers[0];
  if (large?.kind === 'time' && small?.kind === 'time' && small.size < large.size && rest !== undefined)
    found.push(time(value * large.size + rest * small.size));
  const lastUnit = unitsByWord.get(tokens[at - 1]?.word ?? '');
  const lastNumber = tokens[at - 2]?.numbers[0];
  if (lastUnit?.kind === 'time' && large?.kind === 'time' && large.size < lastUnit.size && lastNumber !== undefined)
    found.push(time(lastNumber * lastUnit.size + value * large.size));
  return found;
}

/** "In one room for a week, indoors for three": a number without a unit may have the one before it. */
function unitBefore(
  tokens: readonly GroundingToken[],
  at: number,
  end: number,
  values: readonly number[],
): NumberReading[] {
  const [last, behind] = [tokens[end - 1], tokens[end]];
  const isAlone = behind === undefined || behind.clause !== last?.clause || functionWords.has(behind.word);
  if (!isAlone) return [];
  const before = tokens.slice(Math.max(0, at - maxUnitsAway), at).findLast(({ word }) => unitsByWord.has(word));
  return before === undefined ? [] : [{ values, unit: unitsByWord.get(before.word) }];
}
const maxUnitsAway = 12;

const time = (seconds: number): NumberReading => ({ values: [seconds], unit: { kind: 'time', size: 1 } });
