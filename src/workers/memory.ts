import { totalmem, constants, getPriority, setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { enoughMegabytes } from '../domain/machine-limits.ts';
import { writeFileSync } from 'node:fs';

/* Resource use of processes: the size of the memory, settings that save some of it, and priority. */

/** Memory of the machine, or the container's limit for this process if that is lower. */
export function memoryMegabytes(): number {
  const constrained = process.constrainedMemory();
  // Without a limit this is 0, or larger than the machine's memory.
  const bytes = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  return Math.floor(bytes / 2 ** 20);
}

/** True if heaps must be kept small, although that costs time. */
export function isMemorySmall(): boolean {
  return memoryMegabytes() < enoughMegabytes;
}

/**
 * Makes glibc use one arena for all threads and give freed memory back to the system. By default it keeps an arena for
 * each thread, and in each what the thread freed. Other C libraries ignore these variables.
 */
export const smallAllocation = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' };

/**
 * Flags of V8 for this process and its threads, unless a thread has its own limits: new objects may take 8 MB before they are
 * collected, instead of 32; old ones are collected when they take 32 MB, and then whenever they have grown by 40 per cent. V8
 * would wait until they take several times what is in use: 20 to 40 MB of garbage for as long as the program runs.
 */
const smallHeap = ['--max-semi-space-size=4', '--initial-old-space-size=32', '--heap-growing-percent=40'];

/**
 * Replaces this process by one that allocates as `smallAllocation` says, which glibc reads at the start of a process
 * alone. Returns when it does so already or cannot. It costs the start of Node, some 25 ms, so a server over stdio, which
 * an assistant waits for, does so with little memory alone.
 * @param isLongRunning whether the program will serve many clients
 */
export function allocateSmall(isLongRunning: boolean): void {
  // Another process may talk to this one over a channel, which would be closed.
  if (process.platform !== 'linux' || process.channel !== undefined) return;
  if (Object.keys(smallAllocation).some((name) => process.env[name] !== undefined)) return;
  if (!isLongRunning && !isMemorySmall()) return;
  const [, ...args] = process.argv;
  try {
    process.execve?.(process.execPath, [process.execPath, ...smallHeap, ...process.execArgv, ...args], {
      ...process.env,
      ...smallAllocation,
    });
  } catch {
    // The program then takes more memory.
  }
}

type Collect = (options: { type: 'major'; flavor: 'last-resort' }) => void;

let collect: Collect | undefined;

/**
 * Collects all garbage of this thread and gives the pages that are empty afterwards back to the system, which V8 does not do by
 * itself in a process that waits. Takes some 50 ms.
 */
export function returnMemory(): void {
  collect ??= exposeCollector();
  collect({ type: 'major', flavor: 'last-resort' });
}

/** As a flag at its start, `--expose-gc` would keep a process from using what Node has compiled ahead: 30 ms. */
function exposeCollector(): Collect {
  setFlagsFromString('--expose-gc');
  const collector = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  return collector;
}

/** Resident memory of the process with its threads; the model and the readers are other processes. */
const largeBytes = 320 * 1024 ** 2;
const checkMs = 1_000;

/**
 * While the process uses much memory, makes V8 optimize for size, so that heaps grow less ahead of what they hold. With
 * a hundred large texts at once, all processes took 755 MB instead of 1,076 MB. It costs a sixth of the processor time
 * of a request, so it is not always on.
 * @returns a function that stops the watch
 */
export function watchHeapGrowth(): () => void {
  let isLarge = false;
  const timer = setInterval(() => {
    const wasLarge = isLarge;
    isLarge = process.memoryUsage.rss() > largeBytes;
    if (isLarge !== wasLarge) setFlagsFromString(isLarge ? '--optimize-for-size' : '--no-optimize-for-size');
  }, checkMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** A tenth of the processor time that a thread of the usual priority gets, when both want it. */
const lowerPriority = constants.priority.PRIORITY_BELOW_NORMAL;

/** Lowers the thread's priority. Only Linux has priorities for threads: elsewhere it does nothing, as it would slow the whole process down. */
export function yieldProcessor(): void {
  if (process.platform !== 'linux') return;
  try {
    // 0 is the calling thread.
    setPriority(0, Math.min(constants.priority.PRIORITY_LOW, getPriority(0) + lowerPriority));
  } catch {
    // A container may forbid it. The work is done all the same.
  }
}

/** Where memory runs out, Linux ends this process before the program that others use. */
export function offerToEndFirst(): void {
  if (process.platform !== 'linux') return;
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Not allowed here: the system then chooses by size, which is mostly the same.
  }
}
