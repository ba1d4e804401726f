import { type Call, CallError } from './calls.ts';
import type { Start } from './start.ts';

/** An answer of the server, and whether it is being asked for. */
export interface Entry<Answer = unknown> {
  answer?: Answer | undefined;
  error?: CallError | undefined;
  isLoading: boolean;
  /** The answer on its way may be from before a change: it is asked for again once it is there. */
  isOutdated?: boolean;
}

/** Answers that are kept at most; the oldest go first. */
const maxKept = 400;
/** After this time a call that did not reach the server is made again, while its answer is shown. */
const againMs = 2_000;

/** Keeps answers while views come and go, and asks again after changes. */
export class Store {
  readonly start: Start;
  readonly call: Call;
  readonly #entries = new Map<string, Entry>();
  readonly #listeners = new Map<string, Set<() => void>>();

  constructor(start: Start, call: Call) {
    this.start = start;
    this.call = call;
    for (const { operation, input, answer, problem } of start.answers) {
      const error = problem === undefined ? undefined : new CallError(problem, 400);
      this.#entries.set(keyOf(operation, input), { answer, error, isLoading: false });
    }
  }

  get<Answer>(operation: string, input: object): Entry<Answer> | undefined {
    return this.#entries.get(keyOf(operation, input)) as Entry<Answer> | undefined;
  }

  /** Asks the server, unless the answer is there or on its way. @returns once it came, or did not */
  load(operation: string, input: object, isAgain = false): Promise<void> {
    const key = keyOf(operation, input);
    const known = this.#entries.get(key);
    if (known?.isLoading === true) known.isOutdated ||= isAgain;
    if (known?.isLoading === true || (known?.answer !== undefined && !isAgain)) return Promise.resolve();
    const asked: Entry = { ...known, isLoading: true };
    this.#set(key, asked);
    const take = (entry: Entry): void => {
      // Else it was forgotten meanwhile, and may be asked for anew.
      if (this.#entries.get(key) !== asked) return;
      this.#set(key, entry);
      if (asked.isOutdated === true) this.#renew(key);
    };
    return this.call(operation, input).then(
      (answer) => take({ answer, isLoading: false }),
      (error: CallError) => {
        take({ answer: known?.answer, error, isLoading: false });
        if (error.status === 0) setTimeout(() => this.#listeners.has(key) && this.#renew(key), againMs);
      },
    );
  }

  /** Asks again for what is shown, and forgets what is not. */
  #renew(key: string): void {
    const [operation = ''] = key.split(' ', 1);
    if (this.#listeners.has(key))
      void this.load(operation, JSON.parse(key.slice(operation.length + 1)) as object, true);
    else this.#entries.delete(key);
  }

  /** Forgets the answers of these operations. Those that are shown are asked for again. */
  refresh(...operations: string[]): void {
    const outdated = [...this.#entries.keys()].filter((key) => operations.includes(key.split(' ', 1)[0] ?? ''));
    for (const key of outdated) this.#renew(key);
  }

  listen(operation: string, input: object, listener: () => void): () => void {
    const key = keyOf(operation, input);
    const listeners = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(key);
    };
  }

  #set(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    for (const old of this.#entries.keys()) {
      if (this.#entries.size <= maxKept) break;
      if (!this.#listeners.has(old)) this.#entries.delete(old);
    }
    for (const listener of this.#listeners.get(key) ?? []) listener();
  }
}

function keyOf(operation: string, input: object): string {
  return `${operation} ${JSON.stringify(input)}`;
}
