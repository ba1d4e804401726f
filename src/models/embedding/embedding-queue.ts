import { FairQueue } from '../../domain/turns/fair-queue.ts';
import type { ToWorker } from './minilm/messages.ts';

/** One call of the embedder: its texts, and what to do with their vectors. */
export interface EmbeddingCall {
  kind: 'query' | 'passages';
  accountId: string;
  texts: readonly ToWorker[];
  resolve(vectors: Float32Array[]): void;
  reject(error: Error): void;
}

/** A call in the queue. */
export interface QueuedCall extends EmbeddingCall {
  vectors: Float32Array[];
}

/**
 * The texts that wait for the model, which takes one at a time: on one thread a batch is no faster, and its padding and
 * shared quantisation would make a vector depend on its neighbours. Queries overtake passages, so a query waits for one
 * text at most. Accounts take turns, text by text; the calls of an account are served in the order they came.
 */
export class EmbeddingQueue {
  readonly #waiting: Record<EmbeddingCall['kind'], FairQueue<QueuedCall>> = {
    query: new FairQueue(),
    passages: new FairQueue(),
  };
  /** Whose text the model has, and does not wait meanwhile; null when that call was removed. */
  #asked: QueuedCall | null = null;

  get isEmpty(): boolean {
    return this.#asked === null && this.#waiting.query.isEmpty && this.#waiting.passages.isEmpty;
  }

  /** `call.texts` must not be empty. */
  add(call: EmbeddingCall): QueuedCall {
    const waiting = { ...call, vectors: [] };
    this.#waiting[call.kind].add(waiting);
    return waiting;
  }

  /** Forgets a call and its texts; a text that the model already has is answered to nobody. */
  remove(call: QueuedCall): void {
    if (this.#asked === call) this.#asked = null;
    else this.#waiting[call.kind].remove(call);
  }

  /** The text to ask the model next; undefined when nothing waits. */
  next(): ToWorker | undefined {
    this.#asked = this.#waiting.query.next() ?? this.#waiting.passages.next() ?? null;
    return this.#asked?.texts[this.#asked.vectors.length];
  }

  /** The vector of the text that `next` gave last. */
  answer(vector: Float32Array): void {
    const call = this.#asked;
    this.#asked = null;
    if (call === null) return;
    call.vectors.push(vector);
    if (call.vectors.length < call.texts.length) this.#waiting[call.kind].addFirst(call);
    else call.resolve(call.vectors);
  }

  /** Rejects the call of the text that `next` gave last; the others keep the vectors that they have. */
  failAsked(error: Error): void {
    const call = this.#asked;
    this.#asked = null;
    call?.reject(error);
  }

  /** The model that was asked is gone; nothing will be answered. */
  forgetAnswer(): void {
    if (this.#asked !== null) this.#waiting[this.#asked.kind].addFirst(this.#asked);
    this.#asked = null;
  }

  /** Rejects all that waits. */
  fail(error: Error): void {
    const calls = [...this.#waiting.query.clear(), ...this.#waiting.passages.clear()];
    if (this.#asked !== null) calls.unshift(this.#asked);
    this.#asked = null;
    for (const call of calls) call.reject(error);
  }
}
