import type { Postings } from './postings.ts';
import { VarintReader } from './varint.ts';

/** Tells whether one word comes right before another in a passage, in the same column. */
export class Neighbours {
  #before: number[] = [];

  /** Yields those of these passages, in ascending order, that have the two words next to each other. */
  *among(ids: Uint32Array, first: Postings, second: Postings): Iterable<number> {
    let [firstAt, secondAt] = [0, 0];
    for (const id of ids) {
      firstAt = placeOf(first.ids, id, firstAt);
      secondAt = placeOf(second.ids, id, secondAt);
      if (firstAt === first.ids.length || secondAt === second.ids.length) return;
      if (first.ids[firstAt] === id && second.ids[secondAt] === id && this.#meet(first, firstAt, second, secondAt))
        yield id;
    }
  }

  #meet(first: Postings, firstAt: number, second: Postings, secondAt: number): boolean {
    const before = this.#before;
    before.length = 0;
    readPlaces(first, firstAt, (place) => {
      before.push(place + 1);
      return true;
    });
    let at = 0;
    let met = false;
    readPlaces(second, secondAt, (place) => {
      while (at < before.length && (before[at] ?? 0) < place) at += 1;
      met = before[at] === place;
      return !met && at < before.length;
    });
    return met;
  }
}

/** The index of the id, or where it would be inserted, searched from `from` on. */
function placeOf(ids: Uint32Array, id: number, from: number): number {
  let step = 1;
  let low = from;
  while (low + step < ids.length && (ids[low + step] ?? 0) < id) {
    low += step;
    step *= 2;
  }
  let high = Math.min(ids.length, low + step + 1);
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] ?? 0) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The distance between the columns' positions: no passage is as long. */
const column = 2 ** 32;

/** Visits positions in order, until `visit` returns false. */
function readPlaces({ bytes, starts }: Postings, posting: number, visit: (place: number) => boolean): void {
  const numbers = new VarintReader(bytes, starts[posting] ?? 0);
  const size = numbers.next() >>> 1;
  const end = numbers.at + size;
  let place = 0;
  while (numbers.at < end) {
    const number = numbers.next();
    if (number === 1) place = numbers.next() * column;
    else {
      // Distances are stored plus 2: a 1 begins a column.
      place += number - 2;
      if (!visit(place)) return;
    }
  }
}
