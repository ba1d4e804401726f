import type { SqliteFile } from '../../files/sqlite-file.ts';
import { UnsupportedIndexFormat } from './unsupported-index-format.ts';
import { VarintReader } from './varint.ts';

/** In place of the length of a card, which counts as long as the average passage: a few words are no short text. */
export const cardLength = 2 ** 32 - 1;

/** The lengths of 2^12 consecutive ids are read at once: reading a row in sequence costs a tenth of looking it up. */
const blockBits = 12;

/**
 * How many words passages have, including those of their titles. Compounds by their ends do not count: otherwise
 * passages in German would look longer than others. A passage id is never reused, and its words stay the
 * same until its item gets another title. So cached lengths stay valid across writes, unless a backup is restored over
 * this file.
 */
export class Lengths {
  readonly #file: SqliteFile;
  #known = new Uint32Array(1_024);
  #state = '';

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  /** The length plus one, by passage id; 0 where it is unknown. */
  get known(): Uint32Array {
    return this.#known;
  }

  /** Call whenever the structure was read. @param schema of the structure */
  forgetOutdated(schema: number): void {
    const row = this.#file.get<{ titlesGiven: number }>('SELECT titles_given AS titlesGiven FROM libraries');
    const state = `${schema} ${row?.titlesGiven ?? 0}`;
    if (state !== this.#state) this.#known.fill(0);
    this.#state = state;
  }

  /**
   * @param ids ascending
   * @returns `known`, including the lengths of these passages
   * @throws {UnsupportedIndexFormat}
   */
  of(ids: Uint32Array): Uint32Array {
    this.#makeRoom(ids.at(-1) ?? 0);
    let lastBlock = -1;
    for (const id of ids) {
      // The ids ascend: one that is still unknown after its block was read has no length.
      if (this.#known[id] !== 0 || id >>> blockBits === lastBlock) continue;
      lastBlock = id >>> blockBits;
      this.#readBlock(lastBlock);
    }
    return this.#known;
  }

  #readBlock(block: number): void {
    const first = block << blockBits;
    // A row's `sz` holds the sizes of its three columns as varints, which mark their own ends.
    const found = this.#file.get<{ ids: string | null; sizes: Uint8Array | null }>(
      `SELECT group_concat(id) AS ids, CAST(group_concat(sizes, '') AS BLOB) AS sizes
       FROM (SELECT id, sz AS sizes FROM passage_words_docsize WHERE id BETWEEN ? AND ? ORDER BY id)`,
      first,
      first + (1 << blockBits) - 1,
    );
    if (!found?.ids || found.sizes === null) return;
    const ids = JSON.parse(`[${found.ids}]`) as number[];
    const numbers = new VarintReader(found.sizes, 0);
    this.#makeRoom(ids.at(-1) ?? 0);
    for (const id of ids) {
      this.#known[id] = numbers.next() + numbers.next() + 1;
      numbers.next(); // Compounds.
    }
    const cards = this.#file.all<{ id: number }>(
      'SELECT id FROM passages WHERE document IS NULL AND id BETWEEN ? AND ?',
      first,
      ids.at(-1),
    );
    for (const { id } of cards) this.#known[id] = cardLength;
    if (!numbers.isAtEnd) throw new UnsupportedIndexFormat('lengths of another number of columns');
  }

  #makeRoom(maxId: number): void {
    if (maxId < this.#known.length) return;
    const wider = new Uint32Array(Math.max(maxId + 1, 2 * this.#known.length));
    wider.set(this.#known);
    this.#known = wider;
  }
}
