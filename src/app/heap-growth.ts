import { setFlagsFromString } from 'node:v8';

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

/** Makes V8 optimize for size from now on: exporting 10,000 items takes 75 MB, not 250, and a sixth more time. */
export function keepHeapSmall(): void {
  setFlagsFromString('--optimize-for-size');
}
