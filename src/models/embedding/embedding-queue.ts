import { FairQueue } from '../../domain/turns/fair-queue.ts';
import type { ToWorker } from './minilm/messages.ts';

/** One call of the embedder: its texts, and the callbacks for its result. */
export interface EmbeddingCall {
  kind: 'query' | 'passages';
  accountId: string;
  texts: readonly ToWorker[];
  resolve(vectors: Float32Array[]): void;
  reject(error: Error): void;
}

/** A call in the queue, with the vectors it has so far. */
export interface QueuedCall extends EmbeddingCall {
  vectors: Float32Array[];
}

/**
 * Queues texts for the model, which takes one at a time: on one thread a batch is no faster, and its padding and shared
 * quantisation would make a vector depend on the other texts of the batch. Queries overtake passages, so a query waits
 * for at most one text. Accounts take turns, text by text; the calls of one account are served in order.
 */
export class EmbeddingQueue {
  readonly #waiting: Record<EmbeddingCall['kind'], FairQueue<QueuedCall>> = {
    query: new FairQueue(),
    passages: new FairQueue(),
  };
  /**
   * The call whose text the model is processing; it is not in `#waiting`. Null when there is none or it was removed.
   */
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

  /** Removes a call and its texts. If the model is already processing one of them, its answer is discarded. */
  remove(call: QueuedCall): void {
    if (this.#asked === call) this.#asked = null;
    else this.#waiting[call.kind].remove(call);
  }

  /** The next text for the model; undefined when nothing waits. */
  next(): ToWorker | undefined {
    this.#asked = this.#waiting.query.next() ?? this.#waiting.passages.next() ?? null;
    return this.#asked?.texts[this.#asked.vectors.length];
  }

  /** Takes the vector of the text that `next` returned last. */
  answer(vector: Float32Array): void {
    const call = this.#asked;
    this.#asked = null;
    if (call === null) return;
    call.vectors.push(vector);
    if (call.vectors.length < call.texts.length) this.#waiting[call.kind].addFirst(call);
    else call.resolve(call.vectors);
  }

  /** Rejects the call of the text that `next` returned last; other calls keep their vectors. */
  failAsked(error: Error): void {
    const call = this.#asked;
    this.#asked = null;
    call?.reject(error);
  }

  /** Rejects all calls, including the one in progress. */
  fail(error: Error): void {
    const calls = [...this.#waiting.query.clear(), ...this.#waiting.passages.clear()];
    if (this.#asked !== null) calls.unshift(this.#asked);
    this.#asked = null;
    for (const call of calls) call.reject(error);
  }
}
