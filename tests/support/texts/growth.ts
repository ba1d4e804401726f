const rounds = 3;
const attempts = 3;

/** How many times as long the larger input is. */
const factor = 16;

/**
 * How many times the processor time grows when the input is sixteen times as long: about 16 where the work is in proportion to the length,
 * 256 where it is to its square. The smaller input is worked on sixteen times in a row, since the clock of a thread moves in steps of some
 * milliseconds: what takes less would often be read as nothing. The least of some rounds is taken, since a busy machine only ever makes them
 * longer; once a round has shown that the growth is under `maxGrowth`, no further one could show more. Both lengths are measured again when it
 * was not: the compiler may have come between them.
 * @param size of the smaller input: large enough for a millisecond of work
 */
export function growthOf<T>(make: (size: number) => T, run: (input: T) => unknown, size: number): number {
  const [small, large] = [make(size), make(size * factor)];
  const runSmall = (): void => {
    for (let time = 0; time < factor; time += 1) run(small);
  };
  let growth = Infinity;
  for (let attempt = 0; attempt < attempts && growth >= maxGrowth; attempt += 1) {
    const smallTime = Math.max(1_000 * factor, leastTime(runSmall)) / factor;
    growth = Math.min(growth, leastTime(() => run(large), maxGrowth * smallTime) / smallTime);
  }
  return growth;
}

/** Halfway, on a scale of factors, between the two. */
export const maxGrowth = 64;

/**
 * Microseconds that this thread had the processor, in the fastest of some rounds.
 * @param enough the rounds end with one that takes less
 */
export function leastTime(run: () => unknown, enough = 0): number {
  let least = Infinity;
  for (let round = 0; round < rounds && least >= enough; round += 1) {
    const before = process.threadCpuUsage();
    run();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, user + system);
  }
  return least;
}
