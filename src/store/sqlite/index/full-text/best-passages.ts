import { bestFirst } from '../../../../domain/records/passage.ts';

export interface PassageScore {
  passageId: number;
  score: number;
}

/** Keeps the best of many passages: a heap with the worst of them on top. */
export class BestPassages {
  readonly #limit: number;
  readonly #ids: Float64Array;
  readonly #scores: Float64Array;
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#ids = new Float64Array(limit);
    this.#scores = new Float64Array(limit);
  }

  /** A passage with a lower score is not among the best. */
  get least(): number {
    return this.#count < this.#limit ? -Infinity : (this.#scores[0] ?? -Infinity);
  }

  offer(id: number, score: number): void {
    if (this.#count < this.#limit) {
      this.#count += 1;
      this.#rise(this.#count - 1, id, score);
    } else if (this.#isWorse(0, id, score)) this.#sink(id, score);
  }

  /** Best first. */
  list(): PassageScore[] {
    const best: PassageScore[] = [];
    for (let at = 0; at < this.#count; at += 1)
      best.push({ passageId: this.#ids[at] ?? 0, score: this.#scores[at] ?? 0 });
    return best.sort(bestFirst);
  }

  /** Whether the entry at `at` ranks after this passage in the order of `bestFirst`. */
  #isWorse(at: number, id: number, score: number): boolean {
    const there = this.#scores[at] ?? 0;
    return there < score || (there === score && (this.#ids[at] ?? 0) > id);
  }

  #put(at: number, id: number, score: number): void {
    this.#ids[at] = id;
    this.#scores[at] = score;
  }

  #rise(from: number, id: number, score: number): void {
    let at = from;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (this.#isWorse(above, id, score)) break;
      this.#put(at, this.#ids[above] ?? 0, this.#scores[above] ?? 0);
      at = above;
    }
    this.#put(at, id, score);
  }

  /** Replaces the worst passage. */
  #sink(id: number, score: number): void {
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= this.#count) break;
      const next = below + 1;
      if (next < this.#count && this.#isWorse(next, this.#ids[below] ?? 0, this.#scores[below] ?? 0)) below = next;
      if (!this.#isWorse(below, id, score)) break;
      this.#put(at, this.#ids[below] ?? 0, this.#scores[below] ?? 0);
      at = below;
    }
    this.#put(at, id, score);
  }
}
