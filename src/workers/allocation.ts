import { isMemorySmall } from './machine-memory.ts';

/**
 * Makes glibc use one arena for all threads and give freed memory back to the system. By default it keeps an arena for
 * each thread, and in each what the thread freed. Other C libraries ignore these variables.
 */
export const smallAllocation = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' };

/**
 * Flags of V8 for this process and its threads, unless a thread has limits of its own: new objects may take 8 MB before they are
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
