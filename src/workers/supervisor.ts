import { openHandle, type WorkerHandle } from './handle.ts';
import { WorkerLimits } from './limits.ts';
import type { Conversation, Failure, Run, Task, WorkerSignal, WorkerUse } from './worker-use.ts';

export interface WorkerEvents {
  /** The worker can take a job. */
  idle(): void;
  /** It accepts no more jobs. @param failure null when its owner ended it, or it was idle for too long */
  ending?(failure: Failure | null): void;
  /** The worker is gone, and its memory is free. */
  ended?(): void;
}

/** A worker's memory is measured when it rests, and between two jobs when this long has passed since it was measured last. */
const minMeasuringMs = 100;

/**
 * Starts one worker, a process or a thread, and watches it while it runs jobs, one at a time. Nothing in a worker can be
 * interrupted, so the worker is ended when its job is aborted, passes a limit or breaks it. The worker keeps this
 * process alive only while somebody needs it.
 */
export class Supervisor<Job, Result, Message> {
  readonly #use: WorkerUse<Job, Result, Message>;
  readonly #events: WorkerEvents;
  readonly #handle: WorkerHandle;
  readonly #limits: WorkerLimits;
  #task: Task<Job, Result> | null = null;
  #conversation: Conversation<Message> | null = null;
  #isReady = false;
  #beganAt: number | null = null;
  /** Processor time that the worker had used when `measureUse` was first called during its job; null before. */
  #usedBefore: NodeJS.CpuUsage | null = null;
  #usedMs = 0;
  #isNeeded = true;
  /** True while the memory that is left after a job is being measured. */
  #isMeasured = false;
  /** When it was measured last, by the clock of `performance.now()`. */
  #measuredAt = Number.NEGATIVE_INFINITY;
  #isEnding = false;
  #gone = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;

  /** @throws when the system does not start the worker. It may also report that later. */
  constructor(use: WorkerUse<Job, Result, Message>, events: WorkerEvents) {
    this.#use = use;
    this.#events = events;
    this.#handle = openHandle(use.start(), {
      message: (message) => this.#receive(message as Message | WorkerSignal),
      ended: (kind, cause) => this.#fail(kind, cause),
    });
    this.#limits = new WorkerLimits(this.#handle, (cause) => this.#fail('time', cause));
    if (use.startMs !== undefined) this.#limits.limitClock(use.startMs);
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Processor time that the current job has used between the first and the last call of `measureUse`, in milliseconds. */
  get usedMs(): number {
    return this.#usedMs;
  }

  /** By the clock where the system does not tell the processor time of a worker. */
  async measureUse(): Promise<void> {
    const [task, beganAt] = [this.#task, this.#beganAt];
    if (beganAt === null) return;
    const used = await this.#handle.cpuUsage?.(this.#usedBefore ?? undefined).catch(() => undefined);
    if (this.#task !== task) return;
    if (used === undefined) this.#usedMs = performance.now() - beganAt;
    else if (this.#usedBefore === null) this.#usedBefore = used;
    else this.#usedMs = (used.user + used.system) / 1_000;
  }

  get isIdle(): boolean {
    return this.#task === null && !this.#isMeasured && !this.#isEnding;
  }

  /** Runs a job when the worker is ready. Call this only when it is idle. */
  run(task: Task<Job, Result>): void {
    this.#task = task;
    this.setNeeded(true);
    task.signal?.addEventListener('abort', this.#abort, { once: true });
    const { maxBytes } = this.#use;
    if (maxBytes !== undefined) this.#limits.limitMemory(maxBytes, (cause) => this.#fail('memory', cause));
    this.#conversation = this.#use.open(task, this.#runOf(task));
    if (this.#isReady) this.#begin();
  }

  /** An unneeded worker lets this process exit, and is ended after `idleMs`, even if it still works. */
  setNeeded(isNeeded: boolean): void {
    clearTimeout(this.#idle);
    if (isNeeded !== this.#isNeeded) this.#handle.hold(isNeeded);
    this.#isNeeded = isNeeded;
    if (!isNeeded) this.#idle = setTimeout(() => void this.end(), this.#use.idleMs).unref();
  }

  /** Ends the worker. The job that it runs fails with `reason`. Resolves when the worker is gone. */
  end(reason?: unknown): Promise<void> {
    return this.#end(reason, null);
  }

  #end(reason: unknown, failure: Failure | null): Promise<void> {
    if (this.#isEnding) return this.#gone;
    this.#isEnding = true;
    const task = this.#finish();
    clearTimeout(this.#idle);
    this.#gone = this.#handle.end().then(() => this.#events.ended?.());
    this.#events.ending?.(failure);
    task?.reject(reason);
    return this.#gone;
  }

  #fail(kind: Failure['kind'], cause: Error): void {
    if (this.#isEnding) return;
    const failure = { kind, cause, wasReady: this.#isReady };
    void this.#end(this.#conversation?.failure(failure), failure);
  }

  #receive(message: Message | WorkerSignal): void {
    if (this.#isEnding) return;
    if (isSignal(message)) {
      if (message.kind === 'failed') return this.#fail('crash', new Error(message.reason));
      this.#isReady = true;
      // It was started before there was a job.
      if (this.#task === null) this.#limits.stopTime();
      else this.#begin();
    } else this.#conversation?.receive(message);
  }

  #begin(): void {
    this.#beganAt = performance.now();
    this.#usedBefore = null;
    this.#usedMs = 0;
    try {
      this.#conversation?.begin();
    } catch (error) {
      // The job cannot be sent. It fails alone.
      this.#fail('crash', error instanceof Error ? error : new Error(String(error)));
    }
  }

  #runOf(task: Task<Job, Result>): Run<Result> {
    const isActive = (): boolean => this.#task === task;
    const limits = this.#limits;
    return {
      limits,
      get isActive() {
        return isActive();
      },
      send: (message, moved) => this.#handle.send(message, moved),
      write: (bytes) => this.#handle.write(bytes),
      resolve: (result, isSpent = false) => {
        if (!isActive()) return;
        this.#finish();
        task.resolve(result);
        if (isSpent) void this.end();
        else this.#rest();
      },
      reject: (error) => {
        if (!isActive()) return;
        this.#finish();
        task.reject(error);
        this.#rest();
      },
      end: (error) => {
        if (isActive()) void this.end(error);
      },
    };
  }

  #finish(): Task<Job, Result> | null {
    const task = this.#task;
    this.#task = null;
    this.#beganAt = null;
    this.#conversation = null;
    this.#limits.stop();
    task?.signal?.removeEventListener('abort', this.#abort);
    return task;
  }

  #rest(): void {
    const { maxRestingBytes } = this.#use;
    if (maxRestingBytes !== undefined && this.#isMeasurementDue()) return void this.#measure(maxRestingBytes);
    this.#events.idle();
    if (!this.isIdle) return;
    if (maxRestingBytes === undefined) this.setNeeded(false);
    else void this.#measure(maxRestingBytes);
  }

  /** Between small jobs, of which a worker may run hundreds in a second: measuring takes as long as sending one. */
  #isMeasurementDue(): boolean {
    return performance.now() - this.#measuredAt >= minMeasuringMs;
  }

  /** Ends a worker that still holds much memory: it would count against the next job, and others need it. */
  async #measure(maxRestingBytes: number): Promise<void> {
    this.#isMeasured = true;
    this.#measuredAt = performance.now();
    const bytes = await this.#handle.memory();
    this.#isMeasured = false;
    if (this.#isEnding) return;
    if (bytes !== null && bytes > maxRestingBytes) return this.end();
    this.#events.idle();
    if (this.isIdle) this.setNeeded(false);
  }

  readonly #abort = (): void => void this.end(this.#task?.signal?.reason);
}

function isSignal(message: unknown): message is WorkerSignal {
  const { kind } = message as { kind?: unknown };
  return kind === 'ready' || kind === 'failed';
}
