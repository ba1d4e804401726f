import { setImmediate } from 'node:timers/promises';

/** Called between small steps of long work. Throws the signal's reason once it is aborted. */
export type Pause = () => Promise<void> | undefined;

/** Yields to the event loop after every `batch` steps, which take some ten milliseconds. */
export function createPause(signal: AbortSignal, batch = 200): Pause {
  let steps = 0;
  return () => {
    steps += 1;
    if (steps % batch !== 0) return undefined;
    signal.throwIfAborted();
    return setImmediate();
  };
}
