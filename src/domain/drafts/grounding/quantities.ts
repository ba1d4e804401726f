import { otherReadings } from './readings.ts';
import {
  chineseDigits,
  fractions,
  halves,
  ordinals,
  unitsByWord,
  unitsInRuns,
  times,
  type QuantityUnit,
} from './units.ts';
import type { GroundingToken } from './tokens.ts';

/*
 * The quantities of a text: each number, in digits or words, with the unit after it, so that half an hour equals 30
 * minutes and four fifths equal 80 percent.
 */

export interface Quantity {
  /** The index of its first token. */
  at: number;
  /** The possible values, in `unit`: `1.200` has two. */
  values: readonly number[];
  unit: QuantityUnit | undefined;
  /** Whether the text must support it: it is written in digits, or is a word for more than one. */
  isClaim: boolean;
}

interface Count {
  values: readonly number[];
  /** The index after its last token. */
  end: number;
  unit?: QuantityUnit;
}

const ratio: QuantityUnit = { kind: 'part', size: 1 };
const multiples = new Set('twice thrice zweimal dreimal viermal'.split(' '));

export function quantitiesIn(tokens: readonly GroundingToken[]): Quantity[] {
  const found: Quantity[] = [];
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at];
    if (token === undefined) break;
    const count = token.isRun ? undefined : countAt(tokens, at);
    if (token.isRun) found.push(...quantitiesInRun(token.word, at));
    else if (count === undefined) found.push(...unsaid(tokens, at));
    else {
      const { values } = count;
      const behind = unitBehind(tokens, count.end);
      // "By half once it boils" is not half a time.
      const unit = multiples.has(token.word)
        ? times
        : behind === times
          ? (count.unit ?? times)
          : (currencyBefore(tokens, at) ?? behind ?? count.unit);
      const more = isAndHalf(tokens, count.end) || isAndHalf(tokens, count.end + 1) ? 0.5 : 0;
      const isClaim = values.length > 0 && (/\d/.test(token.word) || !values.some((value) => value <= 1));
      const whole = more === 0 ? values : values.map((value) => value + more);
      found.push(
        { at, values: whole, unit, isClaim },
        ...otherReadings(tokens, at, count.end, whole).map((other) => ({ at, isClaim, ...other })),
      );
    }
    at = count?.end ?? at + 1;
  }
  return found;
}

/** $100. */
const currencyBefore = (tokens: readonly GroundingToken[], at: number): QuantityUnit | undefined => {
  const unit = unitsByWord.get(tokens[at - 1]?.word ?? '');
  return unit?.kind === 'money' && /^\P{L}/u.test(tokens[at - 1]?.word ?? '') ? unit : undefined;
};

/** Quantities without a number: ordinals, fractions and single units (every fourth week, a third, an hour). */
function unsaid(tokens: readonly GroundingToken[], at: number): Quantity[] {
  const { word = '' } = tokens[at] ?? {};
  const [last, next] = [tokens[at - 1], tokens[at + 1]?.word ?? ''];
  const isCounted =
    last !== undefined && (last.numbers.length > 0 || halves.has(last.word) || fractions.has(last.word));
  const unit = unitsByWord.get(word);
  const isAlone = unit !== undefined && !isCounted && (unit !== times || (word === 'once' && rates.has(next)));
  const one = (value: number | undefined, of?: QuantityUnit): Quantity[] =>
    value === undefined ? [] : [{ at, values: [value], unit: of, isClaim: false }];
  const part = fractions.get(word);
  return [
    ...one(ordinals.get(word)),
    ...one(part === undefined ? undefined : 1 / part, ratio),
    ...one(part === undefined ? undefined : 1 / part, unitOfPart(tokens, at + 1)),
    ...one(isAlone ? (isAndHalf(tokens, at + 1) ? 1.5 : 1) : undefined, unit),
    ...otherReadings(tokens, at, at + 1, []).map((other) => ({ at, isClaim: false, ...other })),
  ];
}

const rates = new Set('a per every daily weekly'.split(' '));

/** People round what they convert: six feet are about two metres, four weeks a month. */
const maxRounding = 0.1;

/**
 * Whether two quantities are equal: in units of the same kind or, if one has no unit, as numbers. Between two units a
 * conversion may be rounded: three months are 90 days, and 3 miles are 5 km.
 */
export function isSameQuantity(one: Quantity, other: Quantity, rounding: number): boolean {
  const [ours, theirs] = one.unit === undefined || other.unit === undefined ? [ratio, ratio] : [one.unit, other.unit];
  const tolerance = ours.size === theirs.size ? Math.max(rounding, 1e-9) : maxRounding;
  const isNear = (value: number, their: number) => Math.abs(value - their) <= tolerance * Math.max(value, their);
  return (
    ours.kind === theirs.kind &&
    one.values.some((value) => other.values.some((their) => isNear(value * ours.size, their * theirs.size)))
  );
}

/** Words in a ratio to ten: eight in ten, 8 out of 10. */
const outOf = new Set('in of von sur de em'.split(' '));
const joints = new Set('and und et y e'.split(' '));

/** The number that begins at an index: digits, words, half, four fifths, eight out of ten. */
function countAt(tokens: readonly GroundingToken[], at: number): Count | undefined {
  const token = tokens[at];
  if (token === undefined) return undefined;
  if (halves.has(token.word)) {
    // Half an hour, half a dozen.
    const next = articles.has(tokens[at + 1]?.word ?? '') ? at + 2 : at + 1;
    return tokens[next]?.numbers[0] === 12 ? { values: [6], end: next + 1 } : { values: [0.5], end: next, unit: ratio };
  }
  if (token.numbers.length === 0) return undefined;
  const whole = /\d/.test(token.word) ? { values: token.numbers, end: at + 1 } : wordsAt(tokens, at);
  const { word = '' } = tokens[whole.end] ?? {};
  const part = fractions.get(word);
  if (part !== undefined)
    return {
      values: whole.values.map((value) => value / part),
      end: whole.end + 1,
      unit: unitOfPart(tokens, whole.end + 1) ?? ratio,
    };
  const of = tokens.slice(whole.end, whole.end + 3).findIndex((other) => other.numbers[0] === 10);
  if (of > 0 && outOf.has(tokens[whole.end + of - 1]?.word ?? ''))
    return { values: [...whole.values, ...whole.values.map((value) => value / 10)], end: whole.end, unit: ratio };
  return whole;
}

/** A number in words: twenty-five, two hundred and fifty, quatre-vingt-dix. */
function wordsAt(tokens: readonly GroundingToken[], at: number): Count {
  let sum = 0;
  let end = at;
  for (let next = at; next < tokens.length; next += 1) {
    const { word = '', numbers = [] } = tokens[next] ?? {};
    const [number] = numbers;
    if (number === undefined && joints.has(word) && next > at) continue;
    if (number === undefined || /\d/.test(word) || (next > at && !isPart(sum, number))) break;
    // More than one word between the two numbers: they are separate.
    if (next - end > 1) break;
    if (number === 20 && sum === 4) sum = 80;
    else sum = (number >= 100 || number === 12) && sum > 0 && sum % 10 !== 0 ? sum * number : sum + number;
    end = next + 1;
  }
  return { values: [sum], end };
}

/** Whether a number word continues the number before it: two dozen, twenty-five, dix-sept, soixante-dix. */
function isPart(sum: number, number: number): boolean {
  if (number >= 100 || (number === 20 && sum === 4)) return sum < number || sum % 1000 === 0;
  if (sum >= 100) return sum % 100 === 0 || (sum % 10 === 0 && number < 10);
  return sum % 10 === 0 && sum !== 0 && (sum === 60 || sum === 80 ? number < 20 : number < 10);
}

/** A quarter of an hour, three quarters of a litre. */
function unitOfPart(tokens: readonly GroundingToken[], at: number): QuantityUnit | undefined {
  const behind = tokens.slice(at, at + 3).find(({ word }) => !ofA.has(word));
  return behind === undefined ? undefined : unitsByWord.get(behind.word);
}
const ofA = new Set('of a an the einer eines de d un une'.split(' '));

function isAndHalf(tokens: readonly GroundingToken[], at: number): boolean {
  const place = articles.has(tokens[at + 1]?.word ?? '') ? at + 2 : at + 1;
  return joints.has(tokens[at]?.word ?? '') && halves.has(tokens[place]?.word ?? '');
}

const articles = new Set('a an ein eine un une uma um una'.split(' '));
/** Words between the two numbers of a range or list. */
const between = new Set('to or and bis oder und a ou et o y e ate'.split(' '));

/** The unit after a number, or after the range or list that it begins: 3 to 5 grams; 1, 3 and 7 days. */
function unitBehind(tokens: readonly GroundingToken[], at: number): QuantityUnit | undefined {
  const behind = tokens.slice(at, at + 4);
  // Three 30-second holds are not three seconds.
  if (!/\d/.test(tokens[at - 1]?.word ?? '') && /^\d/.test(behind[0]?.word ?? '')) return undefined;
  for (const [i, { word, numbers, isRun }] of behind.entries()) {
    if (isRun) return unitAtStart(word)?.unit;
    const unit = unitsByWord.get(word) ?? unitsByWord.get(`${word} ${behind[i + 1]?.word ?? ''}`);
    if (unit !== undefined) return unit;
    const isOnTheWay = numbers.length > 0 || (between.has(word) && (behind[i + 1]?.numbers.length ?? 0) > 0);
    if (!isOnTheWay) return undefined;
  }
  return undefined;
}

const unitNames = [...unitsInRuns.keys()].toSorted((one, other) => other.length - one.length);

function unitAtStart(run: string): { name: string; unit: QuantityUnit | undefined } | undefined {
  const name = unitNames.find((one) => run.startsWith(one));
  return name === undefined ? undefined : { name, unit: unitsInRuns.get(name) };
}

const numberInRun = /[〇零一二三四五六七八九两兩十百千万半]{1,8}/gu;

/** Numbers in Chinese characters: 十二分钟 is 12 minutes, 半年 half a year, 八成 and 百分之八十 are 80 percent. */
function quantitiesInRun(run: string, at: number): Quantity[] {
  return Array.from(run.matchAll(numberInRun), ({ 0: found, index }): Quantity => {
    const behind = run.slice(index + found.length);
    const isPercent = run.slice(0, index).endsWith('百分之');
    const unit = unitAtStart(behind)?.unit ?? (found.endsWith('半') ? ratio : undefined);
    const values = found === '百' && behind.startsWith('分之') ? [] : valuesInRun(found);
    const isOrdinal = run.charAt(index - 1) === '第';
    const isClaim = !isOrdinal && values.length > 0 && values.every((value) => value > 1);
    return { at, values, unit: isPercent ? { kind: 'part', size: 0.01 } : unit, isClaim };
  });
}

/** The possible values of a number in Chinese characters: 两三 is two or three. */
function valuesInRun(signs: string): number[] {
  let [total, digit] = [0, 0];
  const others: number[] = [];
  for (const sign of signs) {
    const unit = { 十: 10, 百: 100, 千: 1000, 万: 10_000 }[sign];
    const value = chineseDigits.get(sign);
    if (sign === '半') digit += 0.5;
    else if (unit === undefined) {
      if (digit > 0) others.push(total + digit);
      digit = value ?? 0;
    } else if (unit === 10_000) [total, digit] = [(total + digit || 1) * unit, 0];
    else [total, digit] = [total + (digit || 1) * unit, 0];
  }
  return [...others, total + digit];
}
