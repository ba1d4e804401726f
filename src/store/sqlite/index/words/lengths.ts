import type { SqliteFile } from '../../files/sqlite-file.ts';

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

/** How many passages the index has, and how many words those of texts have on the mean. */
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
export class VarintReader {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#bytes.length;
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
