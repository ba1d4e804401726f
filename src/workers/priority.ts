import { writeFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/** A tenth of the processor time that a thread of the usual priority gets, when both want it. */
const lower = constants.priority.PRIORITY_BELOW_NORMAL;

/** Lowers the thread's priority. Only Linux has priorities for threads; elsewhere it does nothing. */
export function yieldProcessor(): void {
  if (process.platform !== 'linux') return;
  try {
    // 0 is the calling thread.
    setPriority(0, Math.min(constants.priority.PRIORITY_LOW, getPriority(0) + lower));
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
