import { FairQueue } from '../../domain/turns/fair-queue.ts';

/** A text for the model. */
export interface Text {
  text: string;
}

/** Message to the model's process: one text. It gets as many at once as it declared. */
export interface ToWorker extends Text {
  /** Number of the text; its answer bears it, too. */
  id: number;
  isQuery: boolean;
}

/** Message from the model's process: the answer to one text. */
export interface TextVector {
  kind: 'vector';
  id: number;
  vector: Float32Array;
}

/** One call of the embedder: its texts, and the callbacks for its result. */
export interface EmbeddingCall {
  kind: 'query' | 'passages';
  accountId: string;
  texts: readonly Text[];
  resolve(vectors: Float32Array[]): void;
  reject(error: Error): void;
}

/** A call in the queue. */
export interface QueuedCall extends EmbeddingCall {
  /** The vectors that it has so far, by the place of their text. */
  readonly vectors: Float32Array[];
  /** Number of its texts that the model was given, and number of these that it has answered. */
  given: number;
  answered: number;
}

/** Number of texts that the model is given before it has answered. */
export interface TextsAtOnce {
  passages: number;
  /** True if the model answers a query beside passages. Otherwise it takes a query only when it has nothing else. */
  isQueryBeside: boolean;
}

/**
 * Queues texts for the model, which works on each of them apart: on one thread a batch is no faster, and its padding and
 * shared quantisation would make a vector depend on the other texts of the batch. Queries overtake passages, so a query
 * waits for at most one text. Accounts take turns, text by text; the calls of one account are served in order.
 */
export class EmbeddingQueue {
  readonly #atOnce: TextsAtOnce;
  readonly #waiting: Record<EmbeddingCall['kind'], FairQueue<QueuedCall>> = {
    query: new FairQueue(),
    passages: new FairQueue(),
  };
  /** The texts that the model works on, by number. The call is null when it was removed. */
  readonly #asked = new Map<number, { kind: EmbeddingCall['kind']; call: QueuedCall | null; place: number }>();
  #lastId = 0;

  constructor(atOnce: TextsAtOnce) {
    this.#atOnce = atOnce;
  }

  get isEmpty(): boolean {
    return !this.#isAwaited && this.#waiting.query.isEmpty && this.#waiting.passages.isEmpty;
  }

  /** True while the model works on a text, even an abandoned one. */
  get isAsking(): boolean {
    return this.#asked.size > 0;
  }

  get #isAwaited(): boolean {
    return [...this.#asked.values()].some(({ call }) => call !== null);
  }

  /** `call.texts` must not be empty. */
  add(call: EmbeddingCall): QueuedCall {
    const waiting = { ...call, vectors: [], given: 0, answered: 0 };
    this.#waiting[call.kind].add(waiting);
    return waiting;
  }

  /** Removes a call and its texts. If the model is already processing some of them, its answers are discarded. */
  remove(call: QueuedCall): void {
    this.#waiting[call.kind].remove(call);
    for (const asked of this.#asked.values()) if (asked.call === call) asked.call = null;
  }

  /** The next text for the model, with its number; undefined when nothing waits, or the model has enough to do. */
  next(): ToWorker | undefined {
    const call = this.#nextCall();
    if (call === undefined) return undefined;
    const place = call.given;
    const text = call.texts[place];
    if (text === undefined) throw new Error('a call whose texts were all given does not wait');
    call.given += 1;
    if (call.given < call.texts.length) this.#waiting[call.kind].addFirst(call);
    this.#lastId += 1;
    this.#asked.set(this.#lastId, { kind: call.kind, call, place });
    return { ...text, id: this.#lastId, isQuery: call.kind === 'query' };
  }

  #nextCall(): QueuedCall | undefined {
    const kinds = [...this.#asked.values()].map(({ kind }) => kind);
    const queries = kinds.filter((kind) => kind === 'query').length;
    const { passages, isQueryBeside } = this.#atOnce;
    if (queries === 0 && (isQueryBeside || kinds.length === 0)) {
      const query = this.#waiting.query.next();
      if (query !== undefined) return query;
    }
    if (!isQueryBeside && queries > 0) return undefined;
    return kinds.length - queries < passages ? this.#waiting.passages.next() : undefined;
  }

  /** Takes the vector of a text that `next` returned. */
  answer(id: number, vector: Float32Array): void {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (asked === undefined || asked.call === null) return;
    const { call, place } = asked;
    call.vectors[place] = vector;
    call.answered += 1;
    if (call.answered === call.texts.length) call.resolve(call.vectors);
  }

  /** Rejects the calls of the texts that the model works on; other calls keep their vectors. */
  failAsked(error: Error): void {
    const calls = new Set([...this.#asked.values()].map(({ call }) => call));
    this.#asked.clear();
    for (const call of calls) {
      if (call === null) continue;
      this.#waiting[call.kind].remove(call);
      call.reject(error);
    }
  }

  /** Rejects all calls, including those in progress. */
  fail(error: Error): void {
    const calls = [...this.#waiting.query.clear(), ...this.#waiting.passages.clear()];
    this.failAsked(error);
    for (const call of calls) call.reject(error);
  }
}
