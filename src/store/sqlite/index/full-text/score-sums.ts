import { BestPassages, type PassageScore } from './best-passages.ts';
import { cardLength } from './lengths.ts';
import { UnsupportedIndexFormat } from './unsupported-index-format.ts';
import type { Postings } from './postings.ts';

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

/**
 * Adds up the scores of terms: BM25 is a sum over terms (Robertson and Zaragoza, "The Probabilistic Relevance
 * Framework", 2009). Holds a number for each passage of the account, all of them 0 between two queries.
 */
export class ScoreSums {
  #scores = new Float64Array(1_024);
  #scored = new Uint32Array(1_024);
  #count = 0;
  #rows = 0;
  #averageLength = 0;

  begin(rows: number, averageLength: number): void {
    [this.#rows, this.#averageLength] = [rows, averageLength];
  }

  /** @param lengths by passage id, each plus one */
  add({ ids, frequencies, passages }: Postings, lengths: Uint32Array): void {
    this.#makeRoom((ids.at(-1) ?? 0) + 1, this.#count + ids.length);
    const [scores, scored] = [this.#scores, this.#scored];
    const rarity = idf(this.#rows, passages);
    const average = this.#averageLength;
    let count = this.#count;
    for (let at = 0; at < ids.length; at += 1) {
      const id = ids[at] ?? 0;
      const frequency = frequencies[at] ?? 0;
      const before = scores[id] ?? 0;
      const length = lengths[id] ?? 0;
      if (before === 0) {
        if (length === 0) throw new UnsupportedIndexFormat('a passage without a length');
        scored[count] = id;
        count += 1;
        this.#count = count;
      }
      const norm = length === cardLength ? k1 : k1 * (1 - b + (b * (length - 1)) / average);
      scores[id] = before + rarity * ((frequency * maxPerIdf) / (frequency + norm));
    }
  }

  /** Like `add`, but only for passages that already have a score. */
  addToKnown({ ids, frequencies, passages }: Postings, lengths: Uint32Array): void {
    const scores = this.#scores;
    const average = this.#averageLength;
    const rarity = idf(this.#rows, passages);
    for (let at = 0; at < ids.length; at += 1) {
      const id = ids[at] ?? 0;
      const before = scores[id] ?? 0;
      if (before === 0) continue;
      const frequency = frequencies[at] ?? 0;
      const length = lengths[id] ?? 0;
      const norm = length === cardLength ? k1 : k1 * (1 - b + (b * (length - 1)) / average);
      scores[id] = before + rarity * ((frequency * maxPerIdf) / (frequency + norm));
    }
  }

  best(limit: number, isLeftOut: (passageId: number) => boolean): PassageScore[] {
    const best = new BestPassages(limit);
    for (let at = 0; at < this.#count; at += 1) {
      const id = this.#scored[at] ?? 0;
      const score = this.#scores[id] ?? 0;
      if (score >= best.least && !isLeftOut(id)) best.offer(id, score);
    }
    return best.list();
  }

  clear(): void {
    for (let at = 0; at < this.#count; at += 1) this.#scores[this.#scored[at] ?? 0] = 0;
    this.#count = 0;
  }

  #makeRoom(passages: number, scored: number): void {
    if (passages > this.#scores.length) {
      const wider = new Float64Array(Math.ceil(passages * 1.25));
      wider.set(this.#scores);
      this.#scores = wider;
    }
    if (scored <= this.#scored.length) return;
    const wider = new Uint32Array(2 * scored);
    wider.set(this.#scored);
    this.#scored = wider;
  }
}
