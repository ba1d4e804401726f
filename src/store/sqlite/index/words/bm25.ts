import { bestFirst } from '../../../../domain/records/texts/passage.ts';
import type { SqliteFile } from '../../files/sqlite-file.ts';
import { type Narrowing, narrowingOf } from '../narrowing.ts';
import type { Postings } from './full-text.ts';

/** The constants of FTS5. */
const k1 = 1.2;
const b = 0.75;
const minIdf = 1e-6;
/** The most that a term adds to a score, in units of its idf. */
export const maxPerIdf = k1 + 1;

/** The inverse document frequency (idf) of a term, as FTS5's `bm25()` computes it. */
export function idf(total: number, passages: number): number {
  return Math.max(minIdf, Math.log((total - passages + 0.5) / (passages + 0.5)));
}

/** See `readAverages`. */
function averagesOf(lengths: Lengths, { passages }: Narrowing): { rows: number; average: number } {
  // A card has the average length, and counts for nothing here.
  const known = lengths.of(Float64Array.from(passages).sort(), 0).filter((length) => length > 0);
  return { rows: passages.size, average: known.reduce((sum, length) => sum + length, 0) / known.length || 1 };
}

const lengthsOf = new WeakMap<SqliteFile, Lengths>();

/**
 * The best of the passages that have one of the terms, best first, by BM25 (Robertson and Zaragoza,
 * "The Probabilistic Relevance Framework", 2009). Scores are those of `bm25()` in FTS5, apart from the lengths.
 */
export function rank(
  file: SqliteFile,
  terms: readonly Postings[],
  limit: number,
  isLeftOut: (passageId: number) => boolean,
): { passageId: number; score: number }[] {
  const lengths = lengthsOf.get(file) ?? new Lengths(file);
  lengthsOf.set(file, lengths);
  lengths.forgetOutdated();
  const narrowing = narrowingOf(file);
  const { rows, average } = narrowing === undefined ? readAverages(file) : averagesOf(lengths, narrowing);
  const ids = sortedIds(terms);
  const scores = new Float64Array(ids.length);
  for (const postings of terms) {
    const rarity = idf(rows, postings.ids.length);
    const lengthsHere = lengths.of(postings.ids, average);
    let place = 0;
    for (let at = 0; at < postings.ids.length; at += 1) {
      const id = postings.ids[at] ?? 0;
      // The ids ascend, unless the index is damaged.
      while ((ids[place] ?? Infinity) < id) place += 1;
      if (ids[place] !== id) continue;
      const norm = k1 * (1 - b + (b * (lengthsHere[at] ?? 0)) / average);
      const frequency = postings.frequencies[at] ?? 0;
      scores[place] = (scores[place] ?? 0) + rarity * ((frequency * maxPerIdf) / (frequency + norm));
    }
  }
  for (const [at, id] of ids.entries()) if (isLeftOut(id)) scores[at] = -Infinity;
  const least = scores.toSorted().at(-limit) ?? 0;
  const best: { passageId: number; score: number }[] = [];
  for (const [at, score] of scores.entries())
    if (score >= least && score > 0) best.push({ passageId: ids[at] ?? 0, score });
  return best.sort(bestFirst).slice(0, limit);
}

/** Typed arrays are sorted ten times as fast as others. */
function sortedIds(lists: readonly Postings[]): Float64Array {
  const all = new Float64Array(lists.reduce((sum, { ids }) => sum + ids.length, 0));
  let count = 0;
  for (const { ids } of lists) {
    all.set(ids, count);
    count += ids.length;
  }
  const sorted = lists.length > 1 ? all.sort() : all;
  return sorted.filter((id, at) => id !== sorted[at - 1]);
}

/** In place of the length of a card, which counts as long as the average passage: a few words are no short text. */
const cardLength = 2 ** 32 - 1;

/** The lengths of so many consecutive ids are read at once: reading a row in sequence costs a tenth of looking it up. */
const blockSize = 4_096;
const none: Uint32Array = new Uint32Array(0);

/**
 * How many words passages have, including those of their titles. Compounds by their ends do not count: otherwise
 * passages in German would look longer than others. A passage id is never reused, and its words stay the
 * same until its item gets another title. So cached lengths stay valid across writes, unless a backup is restored over
 * this file.
 */
export class Lengths {
  readonly #file: SqliteFile;
  /** Lengths plus one; 0 where it is unknown. */
  readonly #blocks = new Map<number, Uint32Array>();
  #state = '';

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  /** Call at the start of a search. */
  forgetOutdated(): void {
    const row = this.#file.get<{ titlesGiven: number }>('SELECT titles_given AS titlesGiven FROM libraries');
    const state = `${this.#file.schema()} ${row?.titlesGiven ?? 0}`;
    if (state !== this.#state) this.#blocks.clear();
    this.#state = state;
  }

  /** The lengths of passages. @param ids ascending @param average the length of cards */
  of(ids: Float64Array, average: number): Float64Array {
    let [number, block, isNew] = [-1, none, false];
    return ids.map((id) => {
      const at = Math.floor(id / blockSize);
      if (at !== number) [number, block, isNew] = [at, this.#blocks.get(at) ?? none, false];
      // Passages may have come since the block was read.
      if (!isNew && !block[id % blockSize]) [block, isNew] = [this.#readBlock(at), true];
      const length = block[id % blockSize] ?? 0;
      return length === 0 || length === cardLength ? average : length - 1;
    });
  }

  #readBlock(number: number): Uint32Array {
    const first = number * blockSize;
    const range = [first, first + blockSize - 1];
    // A row's `sz` holds the sizes of its three columns as varints, which mark their own ends.
    const found = this.#file.get<{ ids: string | null; sizes: Uint8Array | null }>(
      `SELECT group_concat(id) AS ids, CAST(group_concat(sizes, '') AS BLOB) AS sizes
       FROM (SELECT id, sz AS sizes FROM passage_words_docsize WHERE id BETWEEN ? AND ? ORDER BY id)`,
      ...range,
    );
    const lengths = new Uint32Array(blockSize);
    this.#blocks.set(number, lengths);
    const numbers = new VarintReader(found?.sizes ?? new Uint8Array(0), 0);
    for (const id of JSON.parse(`[${found?.ids ?? ''}]`) as number[]) {
      lengths[id - first] = numbers.next() + numbers.next() + 1;
      numbers.next(); // Compounds.
    }
    const cards = 'SELECT id FROM passages WHERE document IS NULL AND id BETWEEN ? AND ?';
    for (const { id } of this.#file.all<{ id: number }>(cards, ...range)) lengths[id - first] = cardLength;
    return lengths;
  }
}

/** The number of passages in the index, and their mean number of words. */
export function readAverages(file: SqliteFile): { rows: number; average: number } {
  return file.remember('average lengths', () => {
    const row = file.get<{ block: Uint8Array | null; cards: number }>(
      `SELECT block, (SELECT count(*) FROM passages WHERE document IS NULL) AS cards FROM passage_words_data
       WHERE id = 1`,
    );
    const numbers = new VarintReader(row?.block ?? new Uint8Array(0), 0);
    const rows = numbers.next();
    // Cards are no texts: many of them would make every text a long one.
    return { rows, average: (numbers.next() + numbers.next()) / (rows - (row?.cards ?? 0) || rows) || 1 };
  });
}

/** Reads SQLite's variable-length integers one after another: seven bits per byte, the most significant first. */
class VarintReader {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  next(): number {
    let value = 0;
    for (let length = 1; length < 9; length += 1) {
      const byte = this.#bytes[this.at] ?? 0;
      this.at += 1;
      if (byte < 0x80) return value * 0x80 + byte;
      value = value * 0x80 + (byte & 0x7f);
    }
    value = value * 0x100 + (this.#bytes[this.at] ?? 0);
    this.at += 1;
    return value;
  }
}
