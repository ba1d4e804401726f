import { totalmem } from 'node:os';
import { enoughMegabytes } from '../domain/memory-needs.ts';

/** Memory of the machine, or the container's limit for this process if that is lower. */
export function memoryMegabytes(): number {
  const constrained = process.constrainedMemory();
  // Without a limit this is 0, or larger than the machine's memory.
  const bytes = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  return Math.floor(bytes / 2 ** 20);
}

/** Whether heaps must be kept small, although that costs time. */
export function isMemorySmall(): boolean {
  return memoryMegabytes() < enoughMegabytes;
}
