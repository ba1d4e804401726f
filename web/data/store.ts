import { createContext } from 'preact';
import { useContext, useLayoutEffect, useState } from 'preact/hooks';
import type { Entry, Store } from './answers.ts';

const context = createContext<Store | null>(null);
export const StoreProvider = context.Provider;

export function useStore(): Store {
  const store = useContext(context);
  if (store === null) throw new Error('there is no store around this');
  return store;
}

/** Draws the component again when the connection is lost or back, or writes come, wait or go. */
export function useConnection(): Store {
  const store = useStore();
  const [, draw] = useState(0);
  useLayoutEffect(() => store.watch(() => draw((count) => count + 1)), [store]);
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
  useLayoutEffect(() => {
    if (input === null) return undefined;
    const stop = store.listen(operation, input, () => draw((count) => count + 1));
    if (isWanted) void store.load(operation, input);
    return stop;
  }, [store, operation, key, isWanted]);
  return input === null ? nothing : (store.get<Answer>(operation, input) ?? waiting);
}
