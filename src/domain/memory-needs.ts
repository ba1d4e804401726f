/*
 * Measured with `workers: 1` on fifteen web pages: at most 488 MB for all processes together, 416 MB without the
 * sentence model. With little memory, readers and threads end after each text: on five pages at most 233 MB, then more
 * and more, because glibc keeps what ended threads freed. With one arena: 251 MB on 25 pages, and no more.
 */

/** Below this, there is not enough memory for one worker and the sentence model. */
export const enoughMegabytes = 512;

/** A warning that this is too little memory, with advice; null when it is enough. */
export function memoryWarning(megabytes: number): string | null {
  if (megabytes >= enoughMegabytes) return null;
  return (
    `Commonplace may use ${megabytes} MB of memory here; ${enoughMegabytes} MB are enough for one worker and the sentence model. ` +
    'It processes one item at a time and searches in its main thread, unless the settings say otherwise. ' +
    'Pages and files may fail until there is more. ' +
    '256 MB are enough for web pages on Linux; `embedder: none` needs about 70 MB less.'
  );
}
