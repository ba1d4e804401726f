/** How long reading a file may have the processor. */
export interface ReadingTimes {
  /** Longest time without a finished page. */
  silenceMs: number;
  /** Time for a whole file: so much, and so much more for every page that was finished, but never more than the ceiling. */
  baseMs: number;
  perPageMs: number;
  maxTotalMs: number;
}

/** Text that is recognised on a picture takes seconds where reading takes milliseconds. */
const recognitionFactor = 8;
/** How much higher the ceiling is for a file with such pages: three hundred of them take about ten minutes. */
const recognitionCeilingFactor = 5;

/**
 * What a file that has come so far may take of the processor: from now to its next page, and from its beginning in all. Only pages
 * whose text is recognised have the longer times, so that turning recognition on gives a hostile file without pictures no more.
 * @param done pages that are finished
 * @param recognised pages on which text was recognised, with the one that is at work
 */
export function readingLimits(
  { silenceMs, baseMs, perPageMs, maxTotalMs }: ReadingTimes,
  done: number,
  recognised: number,
): { silenceMs: number; totalMs: number } {
  const totalMs = baseMs + (done + recognised * (recognitionFactor - 1)) * perPageMs;
  return recognised > 0
    ? { silenceMs: silenceMs * recognitionFactor, totalMs: Math.min(totalMs, maxTotalMs * recognitionCeilingFactor) }
    : { silenceMs, totalMs: Math.min(totalMs, maxTotalMs) };
}
