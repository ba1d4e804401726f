/** Limits on the processor time for reading one file. */
export interface ReadingTimes {
  /** Maximum time without a finished page. */
  silenceMs: number;
  /** Time for a whole file: `baseMs`, plus `perPageMs` for every finished page, but at most `maxTotalMs`. */
  baseMs: number;
  perPageMs: number;
  maxTotalMs: number;
}

/** Recognising the text of a picture takes seconds where reading text takes milliseconds. */
const recognitionFactor = 8;
/**
 * How many times higher `maxTotalMs` is for a file with recognised pages: three hundred of them take about ten minutes.
 */
const recognitionCeilingFactor = 5;

/**
 * Processor time that a file may use, given its progress: until its next page, and in total. Only pages whose text is
 * recognised get the longer times. So turning recognition on gives a hostile file without pictures no extra time.
 * @param done finished pages
 * @param recognised pages with text recognition, including the current one
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
