import { writeFileSync } from 'node:fs';

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
