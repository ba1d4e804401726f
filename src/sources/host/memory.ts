import { totalmem } from 'node:os';
import { enoughMegabytes } from '../../domain/memory-needs.ts';

/** What the machine has, or a container lets this process have. */
export function memoryMegabytes(): number {
  const constrained = process.constrainedMemory();
  // Without a limit it is 0, or a number beyond any machine.
  const bytes = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  return Math.floor(bytes / 2 ** 20);
}

/** Whether heaps have to be kept small, at the cost of time. */
export function isMemorySmall(): boolean {
  return memoryMegabytes() < enoughMegabytes;
}
