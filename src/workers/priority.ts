import { writeFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/** A tenth of the processor time that a thread of the usual priority gets, when both want it. */
const lower = constants.priority.PRIORITY_BELOW_NORMAL;

/**
 * Lowers the priority of the calling thread, so that work for which somebody waits comes first. Only Linux has
 * priorities for threads: elsewhere this would slow down the whole process, so it does nothing.
 */
export function yieldProcessor(): void {
  if (process.platform !== 'linux') return;
  try {
    // 0 is the calling thread.
    setPriority(0, Math.min(constants.priority.PRIORITY_LOW, getPriority(0) + lower));
  } catch {
    // A container may forbid it. The work is done all the same.
  }
}

/**
 * Called by a process whose end costs one job: where memory runs out, Linux ends it before the program that others use. Elsewhere
 * nothing happens.
 */
export function offerToEndFirst(): void {
  if (process.platform !== 'linux') return;
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Not allowed here: the system then chooses by size, which is mostly the same.
  }
}
