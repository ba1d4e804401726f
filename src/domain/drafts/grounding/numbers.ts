import { dateWords, functionWords } from './word-lists.ts';
import { isSameQuantity, quantitiesIn, type Quantity } from './quantities.ts';
import { areAkin, type Token } from './tokens.ts';

/* Compares the quantities and dates of an instruction with those of the text. */

/** Whether it has a quantity that is not near the quote. A count up to three is free: two steps, three questions, twice. */
export function hasForeignNumber(tokens: readonly Token[], near: readonly Token[]): boolean {
  const known = quantitiesIn(near);
  const isFree = ({ unit, values }: Quantity) =>
    (unit === undefined || unit.kind === 'times') && values.every((value) => value <= 3);
  return quantitiesIn(tokens).some(
    (quantity) => quantity.isClaim && !isFree(quantity) && !known.some((other) => isSameQuantity(quantity, other)),
  );
}

/** Whether it names a date that is not near. */
export function hasForeignDate(tokens: readonly Token[], near: readonly Token[]): boolean {
  return tokens.some(({ word, stem }) => dateWords.has(word) && !near.some((other) => other.stem === stem));
}

/** Whether it gives another number for what the quote counts: one tablet for two, three times a day for once. */
export function countsOtherwise(tokens: readonly Token[], quote: readonly Token[], close: readonly Token[]): boolean {
  const asked = quantitiesIn(quote).filter(isCounted(quote));
  const said = quantitiesIn(close);
  return quantitiesIn(tokens)
    .filter(isCounted(tokens))
    .some((one) => {
      const [noun] = countedBy(tokens, one);
      const isOfSame = (other: Quantity, text: readonly Token[]) =>
        one.unit !== undefined && other.unit !== undefined
          ? one.unit.kind === other.unit.kind
          : noun !== undefined && countedBy(text, other).some((word) => areAkin(noun, word));
      // The text may have several numbers, and the instruction another one of them: the three worst of the last five.
      const isSaid = said.some(
        (other) => isSameQuantity(one, other) && (isOfSame(other, close) || !other.values.includes(1)),
      );
      return !isSaid && asked.some((other) => isOfSame(other, quote));
    });
}

const isCounted =
  (tokens: readonly Token[]) =>
  ({ at, isClaim, unit }: Quantity) =>
    isClaim || unit?.kind === 'times' || (tokens[at]?.numbers.length ?? 0) > 0;

/** What a number counts: up to three words after it, up to the next number. */
function countedBy(tokens: readonly Token[], { at }: Quantity): readonly Token[] {
  const behind = tokens.slice(at + 1, at + 4);
  const end = behind.findIndex(({ numbers }) => numbers.length > 0);
  return (end === -1 ? behind : behind.slice(0, end)).filter(({ word }) => !functionWords.has(word));
}
