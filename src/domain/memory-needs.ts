/*
 * What the program takes, measured with `workers: 1` while it processed pages of the web: some 200 MB itself, 200 MB for the process
 * that reads, 80 MB for the sentence model; some of it twice for a moment.
 */

/** With this much, nothing has to be left out. */
export const enoughMegabytes = 512;
/** With less, even one worker without the sentence model is ended by the system again and again. */
export const leastMegabytes = 192;

/** Why this much memory is little, and what to do; null when it is enough. */
export function memoryWarning(megabytes: number): string | null {
  if (megabytes >= enoughMegabytes) return null;
  const needed = `Commonplace may use ${megabytes} MB of memory here, and needs ${enoughMegabytes} MB for everything it does.`;
  return megabytes >= leastMegabytes
    ? `${needed} It processes one item at a time and searches in its main thread, unless the settings say otherwise. ` +
        'Large pages and files may fail until there is more; `embedder: none` saves 80 MB.'
    : `${needed} With less than ${leastMegabytes} MB the system will end it again and again. Give it more, or run it elsewhere.`;
}
