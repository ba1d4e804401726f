import type { Clock } from '../../domain/clock.ts';
import type { Embedder, PlacedSentence } from './embedder.ts';

/**
 * Limits passages to a share of one processor's time. After each passage the model rests in proportion to the time it
 * took, and passages of other calls wait for that rest, too. Queries are not limited.
 * @param share per cent, 1 to 100
 */
export function withCpuShare<E extends Embedder>(embedder: E, share: number, clock: Clock): E {
  if (share >= 100) return embedder;
  let free: Promise<unknown> = Promise.resolve();

  /** Runs one passage at a time, including its rest, across all callers. */
  const inTurn = async <T>(task: () => Promise<T>): Promise<T> => {
    const mine = free.then(task, task);
    free = mine.catch(() => undefined);
    return mine;
  };
  const andRest = <T>(work: () => Promise<T>, signal: AbortSignal) =>
    inTurn(async () => {
      signal.throwIfAborted();
      const began = clock.elapsed();
      const done = await work();
      await clock.sleep(((clock.elapsed() - began) * (100 - share)) / share, signal);
      return done;
    });
  const score = embedder.scoreInstructions;

  return {
    ...embedder,
    async embedPassages(texts: readonly string[], signal: AbortSignal, accountId?: string) {
      const vectors: (Float32Array | null)[] = [];
      const embed = (text: string) => embedder.embedPassages([text], signal, accountId);
      for (const text of texts) vectors.push(...(await andRest(() => embed(text), signal)));
      return vectors;
    },
    ...(score !== undefined && {
      async scoreInstructions(sentences: readonly PlacedSentence[], signal: AbortSignal, accountId?: string) {
        const odds: number[] = [];
        for (const sentence of sentences)
          odds.push(...(await andRest(() => score([sentence], signal, accountId), signal)));
        return odds;
      },
    }),
  };
}
