import type { ToWorker } from './minilm-messages.ts';

/** One call of the embedder: its texts, and what to do with their vectors. */
export interface EmbeddingCall {
  kind: 'query' | 'passages';
  texts: readonly ToWorker[];
  resolve(vectors: Float32Array[]): void;
  reject(error: Error): void;
}

interface Waiting extends EmbeddingCall {
  vectors: Float32Array[];
}

/**
 * The texts that wait for the model, which takes one at a time: on one thread a batch is no faster, and its padding and
 * shared quantisation would make a vector depend on its neighbours. Queries overtake passages, so a query waits for one
 * text at most; otherwise calls are served in the order they came.
 */
export class EmbeddingQueue {
  readonly #waiting: Record<EmbeddingCall['kind'], Waiting[]> = { query: [], passages: [] };
  /** Whose text the model has; null when that call was removed meanwhile. */
  #asked: Waiting | null = null;

  get isEmpty(): boolean {
    return this.#waiting.query.length + this.#waiting.passages.length === 0;
  }

  /** `call.texts` must not be empty. Gives what `remove` takes. */
  add(call: EmbeddingCall): EmbeddingCall {
    const waiting = { ...call, vectors: [] };
    this.#waiting[call.kind].push(waiting);
    return waiting;
  }

  /** Forgets a call and its texts; a text that the model already has is answered to nobody. */
  remove(call: EmbeddingCall): void {
    const left = this.#waiting[call.kind];
    const at = left.findIndex((other) => other === call);
    if (at !== -1) left.splice(at, 1);
    if (this.#asked === call) this.#asked = null;
  }

  /** The text to ask the model next; undefined when nothing waits. */
  next(): ToWorker | undefined {
    this.#asked = this.#waiting.query[0] ?? this.#waiting.passages[0] ?? null;
    return this.#asked?.texts[this.#asked.vectors.length];
  }

  /** The vector of the text that `next` gave last. */
  answer(vector: Float32Array): void {
    const call = this.#asked;
    this.#asked = null;
    if (call === null) return;
    call.vectors.push(vector);
    if (call.vectors.length < call.texts.length) return;
    this.remove(call);
    call.resolve(call.vectors);
  }

  /** Rejects the call of the text that `next` gave last; the others keep the vectors that they have. */
  failAsked(error: Error): void {
    const call = this.#asked;
    if (call === null) return;
    this.remove(call);
    call.reject(error);
  }

  /** The model that was asked is gone; nothing will be answered. */
  forgetAnswer(): void {
    this.#asked = null;
  }

  /** Rejects all that waits. */
  fail(error: Error): void {
    const calls = [...this.#waiting.query, ...this.#waiting.passages];
    this.#waiting.query = [];
    this.#waiting.passages = [];
    this.#asked = null;
    for (const call of calls) call.reject(error);
  }
}
