import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { type Call, CallError } from './calls.ts';
import type { Start } from './start.ts';

/** An answer of the server, and whether it is being asked for. */
export interface Entry<Answer = unknown> {
  answer?: Answer | undefined;
  error?: CallError | undefined;
  isLoading: boolean;
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
    if (known?.isLoading === true || (known?.answer !== undefined && !isAgain)) return Promise.resolve();
    this.#set(key, { ...known, isLoading: true });
    return this.call(operation, input).then(
      (answer) => this.#set(key, { answer, isLoading: false }),
      (error: CallError) => {
        this.#set(key, { answer: known?.answer, error, isLoading: false });
        if (error.status === 0) setTimeout(() => this.#loadShown(key, operation, input), againMs);
      },
    );
  }

  /** Asks again for what is still shown. */
  #loadShown(key: string, operation: string, input: object): void {
    if (this.#listeners.has(key)) void this.load(operation, input, true);
  }

  /** Forgets the answers of these operations. Those that are shown are asked for again. */
  refresh(...operations: string[]): void {
    for (const key of this.#entries.keys()) {
      const [operation = ''] = key.split(' ', 1);
      if (!operations.includes(operation)) continue;
      if (this.#listeners.has(key))
        void this.load(operation, JSON.parse(key.slice(operation.length + 1)) as object, true);
      else this.#entries.delete(key);
    }
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

const context = createContext<Store | null>(null);
export const StoreProvider = context.Provider;

export function useStore(): Store {
  const store = useContext(context);
  if (store === null) throw new Error('there is no store around this');
  return store;
}

const nothing: Entry<never> = { isLoading: false };
const waiting: Entry<never> = { isLoading: true };

/**
 * The answer of a read operation, asked for when it is not there. `input` null: not now.
 * @param isWanted false: shown when it is there, and not asked for
 */
export function useAnswer<Answer>(operation: string, input: object | null, isWanted = true): Entry<Answer> {
  const store = useStore();
  const [, draw] = useState(0);
  const key = input === null ? null : JSON.stringify(input);
  useEffect(() => {
    if (input === null) return undefined;
    const stop = store.listen(operation, input, () => draw((count) => count + 1));
    if (isWanted) void store.load(operation, input);
    return stop;
  }, [store, operation, key, isWanted]);
  return input === null ? nothing : (store.get<Answer>(operation, input) ?? waiting);
}
