/** How long reading may take. */
export interface ReadingTimes {
  /** Longest time without a finished page. */
  silenceMs: number;
  /** Time for a whole file: so much, and so much more for every page that was finished. */
  baseMs: number;
  perPageMs: number;
}

/** Text that is recognised on a picture takes seconds where reading takes milliseconds. */
const recognitionFactor = 8;

/**
 * What a file that has come so far may take: from now to its next page, and from its beginning in all. Only pages whose
 * text is recognised have the longer times, so that turning recognition on gives a hostile file without pictures no more.
 * @param done pages that are finished
 * @param recognised pages on which text was recognised, with the one that is at work
 */
export function readingLimits(
  { silenceMs, baseMs, perPageMs }: ReadingTimes,
  done: number,
  recognised: number,
): { silenceMs: number; totalMs: number } {
  return {
    silenceMs: recognised > 0 ? silenceMs * recognitionFactor : silenceMs,
    totalMs: baseMs + (done + recognised * (recognitionFactor - 1)) * perPageMs,
  };
}
