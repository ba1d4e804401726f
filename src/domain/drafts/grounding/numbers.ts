import { placesInCycle, type PlaceInCycle } from './dates.ts';
import { isSameQuantity, quantitiesIn, type Quantity } from './quantities.ts';
import type { GroundingToken } from './tokens.ts';

/* Compares the quantities and dates of an instruction with those of the text. */

/**
 * Whether it has a quantity that is not near the quote. A count up to three is free: two steps, three questions, twice.
 * So is 100 % where the text says that it is about all of something. Within a range of the text, or within a tenth of a
 * number after "about", a number is supported. So is what
 * follows from the numbers of the quote.
 */
export function hasForeignNumber(
  tokens: readonly GroundingToken[],
  near: readonly GroundingToken[],
  quote: readonly GroundingToken[],
): boolean {
  const stated = [...quantitiesIn(near), ...near.flatMap(numbersInCode)];
  const known = [...stated, ...derivedFrom(quantitiesIn(quote))];
  const ranges = rangesIn(near, stated);
  const isOfAll = near.some(({ word }) => wholes.has(word));
  const isFree = ({ unit, values }: Quantity) =>
    unit?.kind === 'part'
      ? isOfAll && values.every((value) => value * unit.size === 1)
      : (unit === undefined || unit.kind === 'times') && values.every((value) => value <= 3);
  const said = quantitiesIn(tokens);
  const own = rangesIn(tokens, said);
  const isSupported = (quantity: Quantity): boolean =>
    isFree(quantity) ||
    known.some((other) => isSameQuantity(quantity, other, isRounded(tokens, quantity.at) ? rounding : 0)) ||
    ranges.some((range) => isWithin(quantity, range)) ||
    own.some(
      (range) => [range.low.at, range.high.at].includes(quantity.at) && known.some((other) => isWithin(other, range)),
    );
  const supported = new Set(said.filter(isSupported).map(({ at }) => at));
  const claims = [...new Set(said.filter(({ isClaim }) => isClaim).map(({ at }) => at))];
  return claims.some((at) => !supported.has(at));
}

/** `q6h` and `p95`. */
const numbersInCode = ({ word, isCode }: GroundingToken, at: number): Quantity[] =>
  (isCode ? word.split(/\D+/) : [])
    .filter((digits) => digits !== '')
    .map((digits) => ({ at, values: [Number(digits)], unit: undefined, isClaim: false }));

interface QuantityRange {
  low: Quantity;
  high: Quantity;
}

/** Ranges such as 3 to 5 grams. Both ends have the unit. */
function rangesIn(tokens: readonly GroundingToken[], quantities: readonly Quantity[]): QuantityRange[] {
  return quantities.flatMap((high) => {
    const word = tokens[high.at - 1]?.word ?? '';
    const lows = quantities.filter(({ at, unit }) => {
      const isRange = rangeWords.has(word) || (joints.has(word) && betweens.has(tokens[at - 1]?.word ?? ''));
      return isRange && at < high.at - 1 && at >= high.at - 4 && unit?.kind === high.unit?.kind;
    });
    return lows.map((low) => ({ low, high }));
  });
}
const rangeWords = new Set('to bis a hasta'.split(' '));
const joints = new Set('and und et y'.split(' '));
const betweens = new Set('between zwischen entre'.split(' '));

function isWithin(quantity: Quantity, { low, high }: QuantityRange): boolean {
  const bounds = [low, high].map(sizeOf);
  const size = quantity.unit === undefined || high.unit === undefined ? 1 : quantity.unit.size;
  const unitless = quantity.unit === undefined || high.unit === undefined;
  if (!unitless && quantity.unit?.kind !== high.unit?.kind) return false;
  const [from = 0, to = 0] = unitless ? [low.values.at(-1), high.values.at(-1)] : bounds;
  return from < to && to <= from * 3 && quantity.values.some((value) => value * size >= from && value * size <= to);
}

const sizeOf = ({ values, unit }: Quantity) => (values.at(-1) ?? 0) * (unit?.size ?? 1);

const rounding = 0.1;
const roundingWords = new Set(
  'about around roughly approximately approx circa ca nearly almost over some etwa rund ungefahr fast environ presque unos unas casi aproximadamente'.split(
    ' ',
  ),
);
const isRounded = (tokens: readonly GroundingToken[], at: number) =>
  tokens.slice(Math.max(0, at - 2), at).some(({ word }) => roundingWords.has(word));

/** What follows from the numbers of a sentence: what is left of a whole, and sums and differences in the same unit. */
function derivedFrom(quantities: readonly Quantity[]): Quantity[] {
  const given = quantities.slice(0, maxDerivedFrom);
  return given.flatMap((one) => {
    const rest = one.unit?.kind === 'part' ? one.values.map((value) => 1 / (one.unit?.size ?? 1) - value) : [];
    const sums = given
      .filter(({ at, unit }) => at > one.at && unit !== undefined && unit.kind === one.unit?.kind)
      .flatMap((other) => [sizeOf(one) + sizeOf(other), Math.abs(sizeOf(one) - sizeOf(other))])
      .map((sum) => sum / (one.unit?.size ?? 1));
    const values = [...rest, ...sums].filter((value) => value > 0);
    return values.length === 0 ? [] : [{ ...one, values }];
  });
}
const maxDerivedFrom = 12;

const wholes = new Set(
  'all full fully whole entire entirely complete completely ganz ganze ganzen voll alle alles tout toute entier todo toda entero'.split(
    ' ',
  ),
);

/**
 * Whether it names a month or a weekday that is neither near the quote, in words or digits, nor beside one that is:
 * before July is until 30 June.
 */
export function hasForeignDate(tokens: readonly GroundingToken[], near: readonly GroundingToken[]): boolean {
  const known = near.flatMap(placesInCycle);
  return tokens.some((token) => {
    const places = placesInCycle(token);
    return (
      places.length > 0 &&
      !near.some(({ stem }) => stem === token.stem) &&
      !places.some((place) => known.some((other) => areNeighbours(place, other))) &&
      !places.some(({ length, index }) => length === 12 && near.some(({ numbers }) => numbers.includes(index + 1)))
    );
  });
}

const areNeighbours = (one: PlaceInCycle, other: PlaceInCycle) =>
  one.length === other.length && [0, 1, one.length - 1].includes(Math.abs(one.index - other.index));
