import type { GroundingToken } from './tokens.ts';

/* Months and weekdays, in full or abbreviated. */

/** A month of a year or a day of a week. */
export interface PlaceInCycle {
  /** 12 or 7. */
  length: number;
  index: number;
}

const cycles = [
  'january february march april may june july august september october november december',
  'monday tuesday wednesday thursday friday saturday sunday',
  'januar februar marz april mai juni juli august september oktober november dezember',
  'montag dienstag mittwoch donnerstag freitag samstag sonntag',
  'janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre',
  'lundi mardi mercredi jeudi vendredi samedi dimanche',
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  'lunes martes miercoles jueves viernes sabado domingo',
  'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  'lunedi martedi mercoledi giovedi venerdi sabato domenica',
].map((names) => names.split(' '));
/** Read as dates only with a capital letter; "may" and "sun" are words, too. */
const abbreviations = ['jan feb mar apr may jun jul aug sep oct nov dec', 'mon tue wed thu fri sat sun'].map((names) =>
  names.split(' '),
);
const otherAbbreviations: ReadonlyMap<string, string> = new Map([
  ['sept', 'sep'],
  ['tues', 'tue'],
  ['weds', 'wed'],
  ['thur', 'thu'],
  ['thurs', 'thu'],
]);

/** The position of a word in the year or the week; empty unless it names a month or a weekday. */
export function placesInCycle({ word, isCapital, isAcronym }: GroundingToken): PlaceInCycle[] {
  // On Mondays.
  const names = word.endsWith('s') ? [word, word.slice(0, -1)] : [word];
  const full = word === 'may' ? [] : cycles.flatMap((cycle) => names.flatMap((name) => placeIn(cycle, name)));
  if (full.length > 0 || !isCapital || isAcronym) return full;
  const short = otherAbbreviations.get(word) ?? word;
  return abbreviations.flatMap((cycle) => placeIn(cycle, short));
}

function placeIn(cycle: readonly string[], word: string): PlaceInCycle[] {
  const index = cycle.indexOf(word);
  return index === -1 ? [] : [{ length: cycle.length, index }];
}

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
