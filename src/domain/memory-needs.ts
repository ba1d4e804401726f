/*
 * What a program with 256 MB bears is in docs/hosting.md: web pages, and PDFs that take less than some 150 MB to read. With enough
 * memory six pages at once take up to 300 MB (docs/performance.md), and two accounts that save at once 580.
 */

/** Below this, there is not enough memory for one worker and the sentence model. */
export const enoughMegabytes = 512;

/** UTF-16 units. Nobody saves a text of more than twenty Bibles, but a small decompression bomb expands to it. */
const usualMaxCharacters = 20_000_000;
/**
 * Splitting and storing a text takes some 20 bytes of this process for each character, beside 80 MB that it has anyway: with 256 MB, a
 * page of ten million characters had the system end the whole program.
 */
const charactersPerMegabyte = 8_000;

/** How long the text of one item may be, in UTF-16 units, for a program that may use so much memory. */
export function maxCharactersWith(megabytes: number): number {
  return megabytes >= enoughMegabytes ? usualMaxCharacters : megabytes * charactersPerMegabyte;
}

/** A warning that this is too little memory, with advice; null when it is enough. */
export function memoryWarning(megabytes: number): string | null {
  if (megabytes >= enoughMegabytes) return null;
  return (
    `Commonplace may use ${megabytes} MB of memory here; ${enoughMegabytes} MB are enough for one worker and the sentence model. ` +
    'It processes one item at a time and searches in its main thread, unless the settings say otherwise. ' +
    'Pages and files may fail until there is more. ' +
    '256 MB are enough for web pages and most PDFs on Linux; `embedder: none` needs about 60 MB less.'
  );
}
