import type { SqliteFile } from '../../files/sqlite-file.ts';
import { UnsupportedIndexFormat } from './unsupported-index-format.ts';
import { VarintReader } from './varint.ts';

/** Those of so many numbers in a row are read at once: a row between others costs a tenth of one that is looked up. */
const blockBits = 12;

/**
 * How many words passages have, their titles' included. A passage's number is never another's, and its words stay the same until its
 * item gets another title: so what is known stays when somebody writes, unless another state of the file is put back over this one.
 */
export class Lengths {
  readonly #file: SqliteFile;
  #known = new Uint32Array(1_024);
  #state = '';

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  /** By id, the length and one more; 0 where it is not known. */
  get known(): Uint32Array {
    return this.#known;
  }

  /** To be called whenever the structure was read. @param schema of the structure */
  forgetOutdated(schema: number): void {
    const row = this.#file.get<{ titlesGiven: number }>('SELECT titles_given AS titlesGiven FROM file_state');
    const state = `${schema} ${row?.titlesGiven ?? 0}`;
    if (state !== this.#state) this.#known.fill(0);
    this.#state = state;
  }

  /**
   * @param ids in ascending order
   * @returns `known`, in which these passages have theirs
   * @throws {UnsupportedIndexFormat}
   */
  of(ids: Uint32Array): Uint32Array {
    this.#makeRoom(ids.at(-1) ?? 0);
    let lastBlock = -1;
    for (const id of ids) {
      // In ascending order: what is not known when its block was read has no length.
      if (this.#known[id] !== 0 || id >>> blockBits === lastBlock) continue;
      lastBlock = id >>> blockBits;
      this.#readBlock(lastBlock);
    }
    return this.#known;
  }

  #readBlock(block: number): void {
    const first = block << blockBits;
    // The sizes of a row's two columns are two numbers that say themselves where they end.
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
    for (const id of ids) this.#known[id] = numbers.next() + numbers.next() + 1;
    if (!numbers.isAtEnd) throw new UnsupportedIndexFormat('lengths of another number of columns');
  }

  #makeRoom(most: number): void {
    if (most < this.#known.length) return;
    const wider = new Uint32Array(Math.max(most + 1, 2 * this.#known.length));
    wider.set(this.#known);
    this.#known = wider;
  }
}
