import type { Piece, Room } from './chunk.ts';

/** First and last piece of a passage, both inclusive. */
export type PieceRun = readonly [first: number, last: number];

/**
 * Groups consecutive pieces into passages that fit, by the cheapest arrangement: a passage costs the square of the
 * share that it leaves empty, plus the seam at which it begins. Two half passages thus cost less than a full one and an
 * orphan.
 */
export function packPieces(
  pieces: readonly Piece[],
  room: Pick<Room, 'maxTokens' | 'maxChars'>,
  fits: (start: number, end: number) => boolean,
): PieceRun[] {
  /** For the cheapest arrangement of the first n pieces: its cost, and the first piece of its last passage. */
  const cost = new Float64Array(pieces.length + 1);
  const begin = new Uint32Array(pieces.length + 1);
  for (let n = 1; n <= pieces.length; n += 1) {
    const end = pieces[n - 1]?.end ?? 0;
    let best = Infinity;
    let tokens = 0;
    for (let first = n - 1; first >= 0; first -= 1) {
      const piece = pieces[first];
      if (piece === undefined) break;
      tokens += piece.tokens;
      if (first < n - 1 && (tokens > room.maxTokens || end - piece.start > room.maxChars)) break;
      const empty = Math.max(0, 1 - tokens / room.maxTokens);
      const candidate = (cost[first] ?? 0) + empty * empty + (first === 0 ? 0 : piece.seam);
      if (candidate < best) {
        best = candidate;
        begin[n] = first;
      }
    }
    cost[n] = best;
  }

  const runs: PieceRun[] = [];
  for (let n = pieces.length; n > 0; n = begin[n] ?? 0) runs.push([begin[n] ?? 0, n - 1]);
  return runs.reverse().flatMap((run) => halveUntilFitting(run, pieces, fits));
}

/**
 * Halves a run that does not fit. When pieces meet inside a word, a tokenizer may count more tokens for the whole than
 * for its parts.
 */
function halveUntilFitting(
  [first, last]: PieceRun,
  pieces: readonly Piece[],
  fits: (start: number, end: number) => boolean,
): PieceRun[] {
  if (first === last || fits(pieces[first]?.start ?? 0, pieces[last]?.end ?? 0)) return [[first, last]];
  const middle = (first + last) >> 1;
  return [...halveUntilFitting([first, middle], pieces, fits), ...halveUntilFitting([middle + 1, last], pieces, fits)];
}
