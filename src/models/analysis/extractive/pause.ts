import { setImmediate } from 'node:timers/promises';

/** Called between small steps of long work. Throws the signal's reason once it is aborted. */
export type Pause = () => Promise<void> | undefined;

/** So many steps take some ten milliseconds. */
const maxStepsAtOnce = 200;

/** Yields to the event loop after every `maxStepsAtOnce` steps. */
export function createPause(signal: AbortSignal): Pause {
  let steps = 0;
  return () => {
    steps += 1;
    if (steps % maxStepsAtOnce !== 0) return undefined;
    signal.throwIfAborted();
    return setImmediate();
  };
}
