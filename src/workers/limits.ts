/** Measures processor time for the watch: in microseconds, counted since `from` if that is given. */
interface Watched {
  cpuUsage?: ((from?: NodeJS.CpuUsage) => Promise<NodeJS.CpuUsage>) | undefined;
}

/** Wall-clock time allowed as a multiple of the processor time, for machines busy with other work. */
export const patience = 6;
/** Shortest wait before the processor time is measured again. */
const minWaitMs = 50;

/**
 * Calls `over` when the process has used its allowed processor time. Processor time is used because the same work takes
 * many times as long on a busy machine. Where the system cannot report it (Windows), wall-clock time counts instead.
 * @param allowedMs counted from now; it may grow while the watch runs
 * @param clockMs limit of the wall-clock time instead, for a process that mostly waits; it alone counts where the system cannot
 * report processor time
 * @returns a function that stops the watch
 */
export function watchProcessorTime(
  watched: Watched,
  allowedMs: () => number,
  over: () => void,
  clockMs?: number,
): () => void {
  const beganAt = performance.now();
  const passed = (from?: NodeJS.CpuUsage): Promise<NodeJS.CpuUsage> =>
    Promise.resolve({ user: (performance.now() - beganAt) * 1_000 - (from?.user ?? 0), system: 0 });
  const { cpuUsage = passed } = watched;
  let isEnded = false;
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearTimeout(last);
    clearTimeout(timer);
    isEnded = true;
  };
  const end = (): void => {
    stop();
    over();
  };
  // Wall-clock limit: a process may never get processor time, and a thread may be too busy to report its usage.
  const endLate = (): void => {
    const leftMs = latestMs() - (performance.now() - beganAt);
    if (leftMs <= 0) end();
    else last = setTimeout(endLate, leftMs);
  };
  const latestMs = (): number => clockMs ?? allowedMs() * patience;
  let last = setTimeout(endLate, latestMs());
  const wait = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      timer = setTimeout(resolve, ms);
    });
  const watch = async (): Promise<void> => {
    // Most work is done by then, and is never measured. Until then it counts as going on at the pace of the rest.
    await wait(Math.min(minWaitMs, allowedMs() / 2));
    if (isEnded) return;
    const before = await cpuUsage();
    const measuredFrom = performance.now();
    for (let usedMs = measuredFrom - beganAt; usedMs < allowedMs();) {
      if (isEnded) return;
      await wait(Math.max(allowedMs() - usedMs, minWaitMs));
      const { user, system } = await cpuUsage(before);
      const now = performance.now();
      usedMs = (((user + system) / 1_000) * (now - beganAt)) / (now - measuredFrom);
    }
    if (!isEnded) end();
  };
  // `cpuUsage` fails when the process has ended. The owner of the process learns about its end elsewhere.
  if (watched.cpuUsage !== undefined || clockMs === undefined) watch().catch(stop);
  return stop;
}

export interface Measured extends Watched {
  /** Memory of the worker alone, in bytes; null where unknown. */
  memory(): Promise<number | null>;
}

const memoryCheckMs = 50;

/** The current limits of a worker: wall-clock time, processor time, memory. */
export class WorkerLimits {
  readonly #worker: Measured;
  readonly #onTime: (cause: Error) => void;
  #clock: NodeJS.Timeout | undefined;
  #stopProcessorWatch: (() => void) | undefined;
  #memory: NodeJS.Timeout | undefined;

  /** @param onTime called when a limit of time is reached */
  constructor(worker: Measured, onTime: (cause: Error) => void) {
    this.#worker = worker;
    this.#onTime = onTime;
  }

  /** Limits the wall-clock time from now on, and only that. */
  limitSilence(ms: number): void {
    this.#stopProcessorWatch?.();
    this.limitClock(ms);
  }

  /** Limits the wall-clock time from now on. A limit of processor time stays. */
  limitClock(ms: number): void {
    clearTimeout(this.#clock);
    const late = (): void => this.#onTime(new Error(`no answer within ${ms / 1_000} seconds`));
    this.#clock = setTimeout(late, ms).unref();
  }

  /**
   * Limits the processor time. A limit of wall-clock time stays.
   * @param allowedMs counted from now; it may grow while the worker works
   * @param clockMs wall-clock time, for a worker that mostly waits
   */
  limitProcessor(allowedMs: () => number, clockMs?: number): void {
    this.#stopProcessorWatch?.();
    const over = (): void =>
      this.#onTime(new Error(`no answer within ${allowedMs() / 1_000} seconds of the processor`));
    this.#stopProcessorWatch = watchProcessorTime(this.#worker, allowedMs, over, clockMs);
  }

  /** Calls `over` once the worker has more than `maxBytes`. */
  limitMemory(maxBytes: number, over: (cause: Error) => void): void {
    const check = async (): Promise<void> => {
      const bytes = await this.#worker.memory();
      if (this.#memory !== timer) return;
      if (bytes !== null && bytes > maxBytes) over(new Error(`it has ${bytes} bytes of memory`));
      else this.limitMemory(maxBytes, over);
    };
    const timer = setTimeout(() => void check(), memoryCheckMs);
    this.#memory = timer;
  }

  /** Stops the limits of time. */
  stopTime(): void {
    clearTimeout(this.#clock);
    this.#stopProcessorWatch?.();
  }

  /** Stops the limits of time and memory. */
  stop(): void {
    this.stopTime();
    clearTimeout(this.#memory);
    this.#memory = undefined;
  }
}
