import { UnsupportedIndexFormat } from './unsupported-index-format.ts';
import type { IsDeleted } from './tombstones.ts';

interface PostingPlaces {
  ids: Uint32Array;
  /** Where in `bytes` each passage's list of positions is; the list begins with its size. */
  starts: Uint32Array;
  bytes: Uint8Array;
}

const none = new Uint32Array(0);

/** The passages that have a term, by ascending id. */
export class Postings implements PostingPlaces {
  readonly ids: Uint32Array;
  readonly starts: Uint32Array;
  readonly bytes: Uint8Array;
  /** How many passages have the term, even when only some of them were read. */
  readonly passages: number;
  #frequencies: Uint32Array | null;

  constructor({ ids, starts, bytes }: PostingPlaces, passages = ids.length, frequencies: Uint32Array | null = null) {
    this.ids = ids;
    this.starts = starts;
    this.bytes = bytes;
    this.passages = passages;
    this.#frequencies = frequencies;
  }

  /** How often each passage has the term; an occurrence in the title counts twice. Computed on first access. */
  get frequencies(): Uint32Array {
    this.#frequencies ??= frequenciesOf(this);
    return this.#frequencies;
  }
}

export const noPostings = new Postings({ ids: none, starts: none, bytes: new Uint8Array(0) });

const titleWeight = 2;

/** Arrays are indexed by passage id, some 30 bytes per id: with greater ids, FTS5 is asked instead. */
export const maxId = 2 ** 27;

/** Which postings of a term are read. */
export interface Wanted {
  /** Only these passages, ascending; null: all. */
  rows: Uint32Array | null;
  /** Passages beyond this number are counted, but their postings are not kept. */
  maxPassages: number;
  /** Whether passages outside `rows` are counted. */
  areCounted: boolean;
}

export const wholeList: Wanted = { rows: null, maxPassages: Infinity, areCounted: false };

/**
 * Collects the postings of one term from its segments, oldest segment first. The index stores for each row: the
 * distance from the previous row id, twice the length of the list of positions, and that list. Reused for every term to
 * reuse its buffers.
 */
export class PostingsBuilder {
  #bytes = new Uint8Array(4_096);
  #length = 0;
  /** Where row ids are stored whole, not as a distance: the first row of each page. */
  readonly #numbered: number[] = [];
  #ids = new Uint32Array(1_024);
  #starts = new Uint32Array(1_024);
  #count = 0;
  #passages = 0;
  #inOrder = true;
  #segmentStart = 0;

  /** Adds a piece of postings. @param numberedAt where in it a row id is stored whole; -1: nowhere */
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

  /** Reads the pieces that were added since the last segment. */
  endSegment(isDeleted: IsDeleted | null, { rows: wanted, maxPassages, areCounted }: Wanted): void {
    const numbered = this.#numbered;
    const end = this.#length;
    const bytes = this.#bytes;
    let at = this.#segmentStart;
    let nextNumbered = 0;
    let numberedAt = numbered[0] ?? -1;
    let id = 0;
    let wantedAt = 0;
    let nextWanted = wanted?.[0] ?? Infinity;
    let [ids, starts] = [this.#ids, this.#starts];
    let [count, passages, inOrder] = [this.#count, this.#passages, this.#inOrder];
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
      if (at > end || id > maxId) throw new UnsupportedIndexFormat('postings that end too late');
      if (wanted !== null) {
        while (nextWanted < id) {
          wantedAt += 1;
          nextWanted = wanted[wantedAt] ?? Infinity;
        }
        if (!areCounted && nextWanted !== id) {
          if (nextWanted === Infinity) break;
          continue;
        }
      }
      if (at === start || (isDeleted !== null && isDeleted(id))) continue;
      passages += 1;
      if ((wanted !== null && nextWanted !== id) || passages > maxPassages) continue;
      if (count === ids.length) {
        this.#widen();
        [ids, starts] = [this.#ids, this.#starts];
      }
      if (id <= last) inOrder = false;
      last = id;
      ids[count] = id;
      starts[count] = listAt;
      count += 1;
    }
    numbered.length = 0;
    [this.#count, this.#passages, this.#inOrder] = [count, passages, inOrder];
    this.#segmentStart = this.#length;
  }

  /** How many passages were found, including those that were not wanted if they are counted. */
  get passages(): number {
    return this.#passages;
  }

  /** Returns the postings found. Call `reset` before the next term. */
  finish(): Postings {
    const found = {
      ids: this.#ids.slice(0, this.#count),
      starts: this.#starts.slice(0, this.#count),
      bytes: this.#bytes.slice(0, this.#length),
    };
    if (this.#inOrder) return new Postings(found, this.#passages);
    const inOrder = sorted(found);
    return new Postings(inOrder, this.#passages - (found.ids.length - inOrder.ids.length));
  }

  reset(): void {
    this.#numbered.length = 0;
    [this.#length, this.#segmentStart, this.#count, this.#passages] = [0, 0, 0, 0];
    this.#inOrder = true;
  }

  #widen(): void {
    const wider = (array: Uint32Array) => {
      const copy = new Uint32Array(2 * array.length);
      copy.set(array);
      return copy;
    };
    this.#ids = wider(this.#ids);
    this.#starts = wider(this.#starts);
  }
}

function frequenciesOf({ starts, bytes }: PostingPlaces): Uint32Array {
  const frequencies = new Uint32Array(starts.length);
  for (let at = 0; at < starts.length; at += 1) frequencies[at] = frequencyAt(bytes, starts[at] ?? 0);
  return frequencies;
}

/**
 * Positions in the first column, the title, come first. A 1 and the column's number come before those of another
 * column.
 */
function frequencyAt(bytes: Uint8Array, start: number): number {
  let at = start;
  let byte = bytes[at] ?? 0;
  let size = byte & 0x7f;
  while (byte >= 0x80) {
    at += 1;
    byte = bytes[at] ?? 0;
    size = size * 0x80 + (byte & 0x7f);
  }
  at += 1;
  const end = at + (size >>> 1);
  let weight = titleWeight;
  let frequency = 0;
  for (; at < end; at += 1) {
    byte = bytes[at] ?? 0;
    if (byte === 1) {
      at += 1;
      weight = 1;
    } else {
      // Skip to the last byte of the number.
      while ((bytes[at] ?? 0) >= 0x80) at += 1;
      frequency += weight;
    }
  }
  return frequency;
}

/** For a row that is in two segments, the newer segment counts. */
function sorted({ ids, starts, bytes }: PostingPlaces): PostingPlaces {
  const order = Uint32Array.from(ids, (_, place) => place);
  order.sort((a, b) => (ids[a] ?? 0) - (ids[b] ?? 0) || b - a);
  const places = order.filter((place, at) => at === 0 || ids[place] !== ids[order[at - 1] ?? 0]);
  return { ids: pick(ids, places), starts: pick(starts, places), bytes };
}

function pick(values: Uint32Array, places: Uint32Array): Uint32Array {
  return places.map((place) => values[place] ?? 0);
}

/** The passages that have any of several terms, with the sums of their frequencies. The result has no positions. */
export function united(lists: readonly Postings[]): Postings {
  const some = lists.filter(({ passages }) => passages > 0);
  const [first = noPostings, ...others] = some;
  if (others.length === 0) return first;
  const all = {
    ids: unite(some.map(({ ids }) => ids)),
    frequencies: unite(some.map(({ frequencies }) => frequencies)),
  };
  const order = Uint32Array.from(all.ids, (_, place) => place).sort((a, b) => (all.ids[a] ?? 0) - (all.ids[b] ?? 0));
  const ids = new Uint32Array(order.length);
  const frequencies = new Uint32Array(order.length);
  let count = 0;
  for (const place of order) {
    const id = all.ids[place] ?? 0;
    if (count === 0 || ids[count - 1] !== id) {
      ids[count] = id;
      count += 1;
    }
    frequencies[count - 1] = (frequencies[count - 1] ?? 0) + (all.frequencies[place] ?? 0);
  }
  // Where only some passages of a list were read, the rest is counted as if no passage were in two lists.
  const unread = some.reduce((sum, { passages, ids: read }) => sum + passages - read.length, 0);
  return new Postings({ ...noPostings, ids: ids.slice(0, count) }, count + unread, frequencies.slice(0, count));
}

/** The passages that have any of several terms, ascending; one that has several of them is repeated. */
export function idsOf(lists: readonly Postings[]): Uint32Array {
  const [first = noPostings, ...others] = lists;
  return others.length === 0 ? first.ids : unite(lists.map(({ ids }) => ids)).sort();
}

function unite(arrays: readonly Uint32Array[]): Uint32Array {
  const whole = new Uint32Array(arrays.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const array of arrays) {
    whole.set(array, at);
    at += array.length;
  }
  return whole;
}
