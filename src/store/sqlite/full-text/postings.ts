import { NotUnderstood } from './not-understood.ts';
import type { IsDeleted } from './tombstones.ts';

/** Which passages have a term, in the order of their ids. */
export interface Postings {
  ids: Uint32Array;
  /** How often each has it; a word of the title counts twice. */
  frequencies: Uint32Array;
  /** Where in `bytes` the list of its places in each is, the length of the list first. */
  starts: Uint32Array;
  bytes: Uint8Array;
}

export const titleWeight = 2;

/** Numbers are kept by id, some 30 bytes each: where ids are greater, FTS5 is asked. */
export const greatestId = 2 ** 27;

const none = new Uint32Array(0);
export const noPostings: Postings = { ids: none, frequencies: none, starts: none, bytes: new Uint8Array(0) };

/**
 * Takes the postings of one term out of its segments, the oldest of them first. Postings are, for each row, the distance from the row
 * before, twice the length of its list of places, and that list. Kept from term to term, because its room is.
 */
export class PostingsBuilder {
  #bytes = new Uint8Array(4_096);
  #length = 0;
  /** Where rows are given by their number, not by a distance: the first ones of pages. */
  readonly #numbered: number[] = [];
  #ids = new Uint32Array(1_024);
  #frequencies = new Uint32Array(1_024);
  #starts = new Uint32Array(1_024);
  #count = 0;
  #inOrder = true;
  #segmentStart = 0;

  /** Adds a piece of postings. @param numberedAt where in it a row is given by its number; -1: nowhere */
  addPiece(piece: Uint8Array, numberedAt: number): void {
    if (numberedAt >= 0) this.#numbered.push(this.#length + numberedAt);
    const length = this.#length + piece.length;
    if (length > this.#bytes.length) {
      const wider = new Uint8Array(2 * length);
      wider.set(this.#bytes);
      this.#bytes = wider;
    }
    this.#bytes.set(piece, this.#length);
    this.#length = length;
  }

  /** Reads the pieces that were added since the last segment. @param wanted the only rows that count, in their order; null: all do */
  endSegment(isDeleted: IsDeleted | null, wanted: Uint32Array | null = null): void {
    const numbered = this.#numbered;
    const end = this.#length;
    const bytes = this.#bytes;
    let at = this.#segmentStart;
    let nextNumbered = 0;
    let numberedAt = numbered[0] ?? -1;
    let id = 0;
    let wantedAt = 0;
    let nextWanted = wanted === null ? 0 : (wanted[0] ?? Infinity);
    let last = this.#count === 0 ? -1 : (this.#ids[this.#count - 1] ?? 0);
    while (at < end) {
      if (at === numberedAt) {
        id = 0;
        nextNumbered += 1;
        numberedAt = numbered[nextNumbered] ?? -1;
      }
      let byte = bytes[at] ?? 0;
      at += 1;
      if (byte < 0x80) id += byte;
      else {
        let distance = 0;
        while (byte >= 0x80) {
          distance = distance * 0x80 + (byte & 0x7f);
          byte = bytes[at] ?? 0;
          at += 1;
        }
        id += distance * 0x80 + byte;
      }
      const listAt = at;
      byte = bytes[at] ?? 0;
      at += 1;
      let size = byte & 0x7f;
      while (byte >= 0x80) {
        byte = bytes[at] ?? 0;
        at += 1;
        size = size * 0x80 + (byte & 0x7f);
      }
      const start = at;
      at += size >>> 1;
      if (at > end || id > greatestId) throw new NotUnderstood('postings that end too late');
      if (id < nextWanted) continue;
      if (wanted !== null) {
        while (nextWanted < id) {
          wantedAt += 1;
          nextWanted = wanted[wantedAt] ?? Infinity;
        }
        if (nextWanted === Infinity) break;
        if (nextWanted !== id) continue;
      }
      if (at === start || (isDeleted !== null && isDeleted(id))) continue;
      if (this.#count === this.#ids.length) this.#widen();
      if (id <= last) this.#inOrder = false;
      last = id;
      this.#ids[this.#count] = id;
      this.#frequencies[this.#count] = frequencyIn(bytes, start, at);
      this.#starts[this.#count] = listAt;
      this.#count += 1;
    }
    numbered.length = 0;
    this.#segmentStart = this.#length;
  }

  /** What was found, and begins anew. */
  finish(): Postings {
    const found: Postings = {
      ids: this.#ids.slice(0, this.#count),
      frequencies: this.#frequencies.slice(0, this.#count),
      starts: this.#starts.slice(0, this.#count),
      bytes: this.#bytes.slice(0, this.#length),
    };
    const isSorted = this.#inOrder;
    this.reset();
    return isSorted ? found : sorted(found);
  }

  reset(): void {
    this.#numbered.length = 0;
    [this.#length, this.#segmentStart, this.#count] = [0, 0, 0];
    this.#inOrder = true;
  }

  #widen(): void {
    const wider = (array: Uint32Array) => {
      const copy = new Uint32Array(2 * array.length);
      copy.set(array);
      return copy;
    };
    this.#ids = wider(this.#ids);
    this.#frequencies = wider(this.#frequencies);
    this.#starts = wider(this.#starts);
  }
}

/** Places of the first column, the title, come first; a 1 and the number of another column stand before its own. */
function frequencyIn(bytes: Uint8Array, start: number, end: number): number {
  let weight = titleWeight;
  let frequency = 0;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === 1) {
      at += 1;
      weight = 1;
    } else {
      // The last byte of each number.
      while ((bytes[at] ?? 0) >= 0x80) at += 1;
      frequency += weight;
    }
  }
  return frequency;
}

/** Of a row that is in two segments the newer one counts. */
function sorted({ ids, frequencies, starts, bytes }: Postings): Postings {
  const order = Uint32Array.from(ids, (_, place) => place);
  order.sort((a, b) => (ids[a] ?? 0) - (ids[b] ?? 0) || b - a);
  const places = order.filter((place, at) => at === 0 || ids[place] !== ids[order[at - 1] ?? 0]);
  return { ids: pick(ids, places), frequencies: pick(frequencies, places), starts: pick(starts, places), bytes };
}

function pick(values: Uint32Array, places: Uint32Array): Uint32Array {
  return places.map((place) => values[place] ?? 0);
}

/** The passages that have any of several terms, each as often as all of them together. Where the terms stand in them is not said. */
export function united(lists: readonly Postings[]): Postings {
  if (lists.length <= 1) return lists[0] ?? noPostings;
  const length = lists.reduce((sum, { ids }) => sum + ids.length, 0);
  const all = { ids: new Uint32Array(length), frequencies: new Uint32Array(length) };
  let at = 0;
  for (const { ids, frequencies } of lists) {
    all.ids.set(ids, at);
    all.frequencies.set(frequencies, at);
    at += ids.length;
  }
  const order = Uint32Array.from(all.ids, (_, place) => place).sort((a, b) => (all.ids[a] ?? 0) - (all.ids[b] ?? 0));
  const ids = new Uint32Array(length);
  const frequencies = new Uint32Array(length);
  let count = 0;
  for (const place of order) {
    const id = all.ids[place] ?? 0;
    if (count === 0 || ids[count - 1] !== id) {
      ids[count] = id;
      count += 1;
    }
    frequencies[count - 1] = (frequencies[count - 1] ?? 0) + (all.frequencies[place] ?? 0);
  }
  return { ...noPostings, ids: ids.slice(0, count), frequencies: frequencies.slice(0, count) };
}
