/*
 * A search is written once, for engines that answer at once (SQLite, in its thread and its transaction) and for those
 * that answer later (a server). So it is a generator: it yields what an engine returns and gets the value back.
 */

/** What an engine returns: the value, or a promise of it. */
export type MaybePromise<T> = T | Promise<T>;

/** A function that reads step by step. */
export type Steps<T> = Generator<unknown, T, unknown>;

/** One step: `const found = yield* read(index.searchWords(…))`. */
export function* read<T>(reading: MaybePromise<T>): Steps<T> {
  return (yield reading) as T;
}

/** Runs all steps over an engine that answers at once, so that nothing else runs in between. */
export function runAtOnce<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (step.done !== true) {
    if (step.value instanceof Promise) throw new Error('this engine answers at once, but a step returned a promise');
    step = steps.next(step.value);
  }
  return step.value;
}
