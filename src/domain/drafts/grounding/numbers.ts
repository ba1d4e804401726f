import type { GroundingToken } from './tokens.ts';
import {
  chineseDigits,
  fractions,
  halves,
  ordinals,
  times,
  unitsByWord,
  unitsInRuns,
  type QuantityUnit,
} from './units.ts';

/* Compares the numbers of an instruction with those of the text: digits or words, with the following unit. */

interface Quantity {
  /** The possible values: `1.200` has two. */
  values: readonly number[];
  unit: QuantityUnit | undefined;
  /** Whether the text must have it: it is written in digits, or is a word for more than one. */
  isClaim: boolean;
}

/** Whether it has a quantity that is not near the quote. A count up to three is free: two steps, three questions. */
export function hasForeignNumber(tokens: readonly GroundingToken[], near: readonly GroundingToken[]): boolean {
  const known = quantitiesIn(near);
  return quantitiesIn(tokens).some(
    (one) => one.isClaim && !isFree(one) && !known.some((other) => isSameQuantity(one, other)),
  );
}

const isFree = ({ unit, values }: Quantity) =>
  (unit === undefined || unit.kind === 'times') && values.every((value) => value <= 3);

/** People round what they convert: six feet are about two metres, four weeks a month. */
const maxRounding = 0.1;

/** Whether two quantities are equal: in units of the same kind or, if one has no unit, as numbers. */
function isSameQuantity(one: Quantity, other: Quantity): boolean {
  const hasUnits = one.unit !== undefined && other.unit !== undefined;
  const [ours, theirs] = hasUnits ? [one.unit?.size ?? 1, other.unit?.size ?? 1] : [1, 1];
  const tolerance = ours === theirs ? 1e-9 : maxRounding;
  const isNear = (value: number, their: number) => Math.abs(value - their) <= tolerance * Math.max(value, their);
  return (
    (!hasUnits || one.unit?.kind === other.unit?.kind) &&
    one.values.some((value) => other.values.some((their) => isNear(value * ours, their * theirs)))
  );
}

function quantitiesIn(tokens: readonly GroundingToken[]): Quantity[] {
  const found: Quantity[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token === undefined) continue;
    const { word, numbers, isRun, isCode } = token;
    const one = (value: number | undefined, unit?: QuantityUnit) => {
      if (value !== undefined) found.push({ values: [value], unit, isClaim: false });
    };
    const part = (of: number) => {
      const unit = unitBehind(tokens, at + 1);
      one(1 / of, unit === undefined || unit === times ? whole : unit);
    };
    if (isRun) found.push(...quantitiesInRun(word));
    else if (halves.has(word)) part(2);
    else if (fractions.has(word)) part(fractions.get(word) ?? 1);
    else if (isCode) for (const digits of word.match(/\d+/g) ?? []) one(Number(digits));
    else if (numbers.length === 0) one(unitsByWord.has(word) ? 1 : undefined, unitsByWord.get(word));
    else {
      const start = at;
      const isWord = !/\d/.test(word);
      let values = numbers;
      if (isWord) [values, at] = wordsFrom(tokens, at);
      const over = fractions.get(tokens[at + 1]?.word ?? '');
      if (over !== undefined) found.push({ values: values.map((value) => value / over), unit: whole, isClaim: false });
      else {
        const unit = currencyBefore(tokens[start - 1]) ?? unitBehind(tokens, at + 1);
        const isClaim = !isWord || values.every((value) => value > 1);
        found.push({ values: [...values, ...timesOfDay(tokens, start, at, values)], unit, isClaim });
      }
    }
    one(ordinals.get(word) ?? clockTimes.get(word));
  }
  return found;
}

const whole: QuantityUnit = { kind: 'part', size: 1 };

/** A number in words, and the index of its last token: twenty-five, two hundred and fifty. */
function wordsFrom(tokens: readonly GroundingToken[], from: number): [values: number[], last: number] {
  let [value, last] = [tokens[from]?.numbers[0] ?? 0, from];
  for (let at = from + 1; at <= last + 2; at += 1) {
    const { word = '', numbers = [], clause } = tokens[at] ?? {};
    const [next] = numbers;
    if (next === undefined && joints.has(word)) continue;
    const isLarge = next === 12 || (next ?? 0) >= 100;
    const goesOn = value % 100 === 0 || (value % 10 === 0 && (next ?? 0) < 10);
    if (next === undefined || value === 0 || /\d/.test(word) || !(isLarge || goesOn)) break;
    if (clause !== tokens[last]?.clause && !joints.has(tokens[at - 1]?.word ?? '')) break;
    [value, last] = [isLarge && value < next ? value * next : value + next, at];
  }
  return [[value], last];
}

const joints = new Set('and und et y e'.split(' '));

/** 7:18 pm is 19:18, and half past six 6:30; they are written as hours and hundredths of minutes. */
function timesOfDay(
  tokens: readonly GroundingToken[],
  from: number,
  last: number,
  values: readonly number[],
): number[] {
  const past = halves.has(tokens[from - 2]?.word ?? '') && tokens[from - 1]?.word === 'past' ? 0.3 : 0;
  const hour = (values.at(-1) ?? 0) + past;
  const isClock =
    past > 0 ||
    /^\d{1,2}:\d{2}$/.test(tokens[from]?.word ?? '') ||
    clockWords.has(tokens[last + 1]?.word ?? '') ||
    hour >= 13;
  return isClock && hour < 25 ? [hour, hour > 12 ? hour - 12 : hour + 12] : [];
}

const clockWords = new Set('am pm a p uhr oclock h'.split(' '));
const clockTimes: ReadonlyMap<string, number> = new Map([
  ...'noon midday mittag midi mediodia'.split(' ').map((word) => [word, 12] as const),
  ...'midnight mitternacht minuit medianoche'.split(' ').map((word) => [word, 24] as const),
]);

/** $100. */
function currencyBefore(token?: GroundingToken): QuantityUnit | undefined {
  const unit = unitsByWord.get(token?.word ?? '');
  return unit?.kind === 'money' && /^\P{L}/u.test(token?.word ?? '') ? unit : undefined;
}

/** Words between a number and its unit: half an hour, 3 to 5 grams. */
const onTheWay = new Set(
  'a an of the to or and bis oder und ein eine einer a ou et un une de o y e uma um una'.split(' '),
);

function unitBehind(tokens: readonly GroundingToken[], at: number): QuantityUnit | undefined {
  for (const [i, { word, numbers, isRun, clause }] of tokens.slice(at, at + 3).entries()) {
    if (isRun) return unitInRun(word);
    const unit = unitsByWord.get(word);
    if (unit !== undefined) return unit;
    // "Eight 25 m sprints" are not eight metres.
    const isAnother = numbers.length > 0 && (i > 0 || clause !== tokens[at - 1]?.clause);
    if (!isAnother && !onTheWay.has(word)) return undefined;
  }
  return undefined;
}

const unitNames = [...unitsInRuns.keys()].toSorted((one, other) => other.length - one.length);
const unitInRun = (run: string) => unitsInRuns.get(unitNames.find((name) => run.startsWith(name)) ?? '');
const numberInRun = /[〇零一二三四五六七八九两兩十百千万半]{1,8}/gu;

/** Numbers in Chinese characters: 十二分钟 is 12 minutes, 半年 half a year. */
function quantitiesInRun(run: string): Quantity[] {
  return Array.from(run.matchAll(numberInRun), ({ 0: found, index }): Quantity => {
    const value = valueInRun(found);
    const unit = unitInRun(run.slice(index + found.length)) ?? (found === '半' ? whole : undefined);
    return { values: [value], unit, isClaim: value > 1 && run.charAt(index - 1) !== '第' };
  });
}

function valueInRun(signs: string): number {
  let [total, digit] = [0, 0];
  for (const sign of signs) {
    const size = { 十: 10, 百: 100, 千: 1000, 万: 10_000 }[sign];
    if (sign === '半') digit += 0.5;
    else if (size === undefined) digit = chineseDigits.get(sign) ?? 0;
    else [total, digit] = size === 10_000 ? [(total + digit || 1) * size, 0] : [total + (digit || 1) * size, 0];
  }
  return total + digit;
}
