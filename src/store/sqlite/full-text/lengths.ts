import type { SqliteFile } from '../sqlite-file.ts';
import { VarintReader } from './varint.ts';

/** So many are asked for at once. */
const atOnce = 5_000;

/**
 * How many words passages have, their titles' included. A passage's number is never another's, and its words stay the same until its
 * item gets another title: so what is known stays when somebody writes.
 */
export class Lengths {
  readonly #file: SqliteFile;
  /** By id, and one more: 0 is not known. */
  #known = new Uint32Array(1_024);

  #titlesGiven = 0;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  /** To be called whenever the structure was read. */
  forgetOutdated(): void {
    const state = this.#file.get<{ titlesGiven: number }>('SELECT titles_given AS titlesGiven FROM file_state');
    const titlesGiven = state?.titlesGiven ?? 0;
    if (titlesGiven !== this.#titlesGiven) this.#known.fill(0);
    this.#titlesGiven = titlesGiven;
  }

  /** @returns by id, the length and one more; of these passages at least */
  of(ids: Uint32Array): Uint32Array {
    const most = ids.at(-1) ?? 0;
    if (most >= this.#known.length) {
      const wider = new Uint32Array(Math.max(most + 1, 2 * this.#known.length));
      wider.set(this.#known);
      this.#known = wider;
    }
    const unknown: number[] = [];
    for (const id of ids) if (this.#known[id] === 0) unknown.push(id);
    for (let from = 0; from < unknown.length; from += atOnce) this.#read(unknown.slice(from, from + atOnce));
    return this.#known;
  }

  #read(ids: readonly number[]): void {
    const rows = this.#file.all<{ id: number; sizes: Uint8Array }>(
      'SELECT id, sz AS sizes FROM passage_words_docsize WHERE id IN (SELECT value FROM json_each(?))',
      JSON.stringify(ids),
    );
    for (const { id, sizes } of rows) {
      const numbers = new VarintReader(sizes, 0);
      let length = 0;
      while (!numbers.isAtEnd) length += numbers.next();
      this.#known[id] = length + 1;
    }
  }
}
