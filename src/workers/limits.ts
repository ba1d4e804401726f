import { type Watched, watchProcessorTime } from './processor-budget.ts';

export interface Measured extends Watched {
  /** Bytes of memory that belong to the worker alone; null where nobody can tell. */
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
