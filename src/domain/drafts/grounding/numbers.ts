import { dateWords } from './word-lists.ts';
import { isSameQuantity, quantitiesIn, type Quantity } from './quantities.ts';
import type { Token } from './tokens.ts';

/* Compares the quantities and dates of an instruction with those of the text. */

/**
 * Whether it has a quantity that is not near the quote. A count up to three is free: two steps, three questions, twice.
 * So is 100 % where the text says that it is about all of something.
 */
export function hasForeignNumber(tokens: readonly Token[], near: readonly Token[]): boolean {
  const known = quantitiesIn(near);
  const isOfAll = near.some(({ word }) => wholes.has(word));
  const isFree = ({ unit, values }: Quantity) =>
    unit?.kind === 'part'
      ? isOfAll && values.every((value) => value * unit.size === 1)
      : (unit === undefined || unit.kind === 'times') && values.every((value) => value <= 3);
  return quantitiesIn(tokens).some(
    (quantity) => quantity.isClaim && !isFree(quantity) && !known.some((other) => isSameQuantity(quantity, other)),
  );
}

const wholes = new Set(
  'all full fully whole entire entirely complete completely ganz ganze ganzen voll alle alles tout toute entier todo toda entero'.split(
    ' ',
  ),
);

/** Whether it names a date that is not near. */
export function hasForeignDate(tokens: readonly Token[], near: readonly Token[]): boolean {
  return tokens.some(({ word, stem }) => dateWords.has(word) && !near.some((other) => other.stem === stem));
}
