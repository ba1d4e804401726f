import { processMemory, processorTime } from '../../workers/process-usage.ts';
import { watchProcessorTime } from '../../workers/processor-budget.ts';

const memoryCheckMs = 50;

/** The current limits of a reading process: wall-clock time, processor time, memory. */
export class ProcessLimits {
  readonly #pid: number | undefined;
  readonly #onTime: () => void;
  #clock: NodeJS.Timeout | undefined;
  #stopProcessorWatch: (() => void) | undefined;
  #memory: NodeJS.Timeout | undefined;

  /**
   * @param pid undefined when the system did not start the process; then only wall-clock time is limited
   * @param onTime called when a limit of time is reached
   */
  constructor(pid: number | undefined, onTime: () => void) {
    this.#pid = pid;
    this.#onTime = onTime;
  }

  /** Bytes of memory that belong to the process alone; null where the system does not say. */
  async memory(): Promise<number | null> {
    return this.#pid === undefined ? null : processMemory(this.#pid);
  }

  /** Limits the wall-clock time from now on, and only that. */
  limitSilence(ms: number): void {
    this.#stopProcessorWatch?.();
    this.limitClock(ms);
  }

  /** Limits the wall-clock time from now on. A limit of processor time stays. */
  limitClock(ms: number): void {
    clearTimeout(this.#clock);
    this.#clock = setTimeout(this.#onTime, ms);
  }

  /**
   * Limits the processor time. A limit of wall-clock time stays.
   * @param allowedMs counted from now; it may grow while the process works
   */
  limitProcessor(allowedMs: () => number): void {
    this.#stopProcessorWatch?.();
    const pid = this.#pid;
    const cpuUsage = async (before?: NodeJS.CpuUsage): Promise<NodeJS.CpuUsage> => {
      const had = pid === undefined ? null : await processorTime(pid);
      if (had === null) throw new Error('the process has ended');
      return { user: had * 1_000 - (before?.user ?? 0), system: 0 };
    };
    const watched = process.platform === 'win32' ? {} : { cpuUsage };
    this.#stopProcessorWatch = watchProcessorTime(watched, allowedMs, this.#onTime);
  }

  /** Calls `over` once the process has more than `maxBytes`. */
  limitMemory(maxBytes: number, over: () => void): void {
    const check = async (): Promise<void> => {
      const bytes = await this.memory();
      if (this.#memory !== timer) return;
      if (bytes !== null && bytes > maxBytes) over();
      else this.limitMemory(maxBytes, over);
    };
    const timer = setTimeout(() => void check(), memoryCheckMs);
    this.#memory = timer;
  }

  /** Stops both limits of time. */
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
