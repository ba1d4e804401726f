/*
 * Measured with `workers: 1` on fifteen pages of the web: 488 MB at most for all processes together, 416 MB without the sentence model.
 */

/** With less than this, one worker and the sentence model are already too much. */
export const enoughMegabytes = 512;

/** Why this much memory is little, and what to do; null when it is enough. */
export function memoryWarning(megabytes: number): string | null {
  if (megabytes >= enoughMegabytes) return null;
  return (
    `Commonplace may use ${megabytes} MB of memory here; ${enoughMegabytes} MB are enough for one worker and the sentence model. ` +
    'It processes one item at a time and searches in its main thread, unless the settings say otherwise. ' +
    'Pages and files may fail until there is more; `embedder: none` needs about 70 MB less.'
  );
}
