import type { Clock } from '../../domain/clock.ts';
import type { Embedder } from './embedder.ts';

/**
 * Limits passages to a share of the time of the processors that the model uses. After each passage one of them rests in
 * proportion to the time it took, and passages of other calls wait for that rest, too. Queries are not limited.
 * @param share per cent, 1 to 100
 * @param processors how many passages the model works on at once
 */
export function withCpuShare<E extends Embedder>(embedder: E, share: number, clock: Clock, processors = 1): E {
  if (share >= 100) return embedder;
  let free = processors;
  const waiting: (() => void)[] = [];

  /** Runs at most one passage on each processor, including its rest, across all callers. */
  const inTurn = async <T>(task: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
  const andRest = <T>(work: () => Promise<T>, signal: AbortSignal) =>
    inTurn(async () => {
      signal.throwIfAborted();
      const began = clock.elapsed();
      const done = await work();
      await clock.sleep(((clock.elapsed() - began) * (100 - share)) / share, signal);
      return done;
    });
  /** Calls `work` for each text, for as many at once as there are processors: calls of others come between. */
  const forEach = async <Text, T>(
    texts: readonly Text[],
    work: (text: Text) => Promise<T[]>,
    signal: AbortSignal,
  ): Promise<T[]> => {
    const results: T[][] = [];
    let next = 0;
    const take = async (): Promise<void> => {
      for (let at = next++; at < texts.length; at = next++) {
        try {
          results[at] = await andRest(() => work(texts[at] as Text), signal);
        } catch (error) {
          next = texts.length;
          throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: processors }, take));
    return results.flat();
  };

  return {
    ...embedder,
    get isLoading() {
      return embedder.isLoading ?? false;
    },
    embedPassages: (texts: readonly string[], signal: AbortSignal, accountId?: string) =>
      forEach(texts, (text) => embedder.embedPassages([text], signal, accountId), signal),
  };
}
