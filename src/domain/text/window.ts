import { graphemesOf, type TextSpan } from './graphemes.ts';
import { stemOf } from './words/porter.ts';
import { foldedWord } from './words/words.ts';
import { sentences } from './sentences.ts';

/** Weight of a repeated word: it breaks ties between windows with the same words. */
const repetitionWeight = 0.05;

/**
 * The part of a text that is most relevant to a question: whole sentences (parts of one only if it alone is too long),
 * at most `maxCharacters` long, around the most matches. The beginning of the text when there are no matches.
 * @param matches the spans of the question's words in `text`, in order
 */
export function bestWindow(text: string, matches: readonly TextSpan[], maxCharacters: number): TextSpan {
  if (text.length <= maxCharacters) return { start: 0, end: text.length };
  const pieces = sentences(text).flatMap((span, sentence) =>
    span.end - span.start <= maxCharacters
      ? [{ ...span, sentence, isWhole: true }]
      : cutAtWords(text, span, Math.ceil(maxCharacters / 2)).map((part) => ({ ...part, sentence, isWhole: false })),
  );
  const fits = (first: number, last: number): boolean =>
    (pieces[last]?.end ?? Infinity) - (pieces[first]?.start ?? 0) <= maxCharacters;
  let { first, last } = strongestRun(
    pieces,
    matches.map(({ start, end }) => ({ start, end, term: stemOf(foldedWord(text.slice(start, end))) })),
    fits,
  );
  const helps = (from: number, to: number): boolean =>
    pieces[to]?.isWhole === true || pieces[to]?.sentence === pieces[from]?.sentence;
  // Text after the matches explains more than text before them, so it is added first.
  for (let grown = true; grown;) {
    grown = false;
    if (helps(last, last + 1) && fits(first, last + 1)) {
      last += 1;
      grown = true;
    }
    if (first > 0 && helps(first, first - 1) && fits(first - 1, last)) {
      first -= 1;
      grown = true;
    }
  }
  return { start: pieces[first]?.start ?? 0, end: pieces[last]?.end ?? text.length };
}

type TermMatch = TextSpan & { term: string };

/** The matches within a sliding window of the text, whose start and end only move forward. */
class MatchesWithin {
  readonly #matches: readonly TermMatch[];
  readonly #terms = new Map<string, number>();
  #first = 0;
  /** Index after the last match in the window. */
  #end = 0;

  constructor(matches: readonly TermMatch[]) {
    this.#matches = matches;
  }

  get weight(): number {
    return this.#terms.size + repetitionWeight * Math.min(10, this.#end - this.#first);
  }

  beginAt(start: number): void {
    for (; (this.#matches[this.#first]?.start ?? Infinity) < start; this.#first += 1) {
      if (this.#first === this.#end) this.#end += 1;
      else this.#count(this.#first, -1);
    }
  }

  endAt(end: number): void {
    for (; (this.#matches[this.#end]?.end ?? Infinity) <= end; this.#end += 1) this.#count(this.#end, 1);
  }

  #count(at: number, change: number): void {
    const term = this.#matches[at]?.term ?? '';
    const count = (this.#terms.get(term) ?? 0) + change;
    if (count === 0) this.#terms.delete(term);
    else this.#terms.set(term, count);
  }
}

/**
 * For each piece, the longest run from it on that fits, or the shortest that weighs `enough`. The ends of the runs only
 * move forward, so pieces and matches are each visited once.
 */
function* runsFrom(
  pieces: readonly TextSpan[],
  matches: readonly TermMatch[],
  fits: (first: number, last: number) => boolean,
  enough = Infinity,
): Generator<{ first: number; last: number; weight: number; length: number }> {
  const within = new MatchesWithin(matches);
  let last = 0;
  for (const [first, { start }] of pieces.entries()) {
    last = Math.max(last, first);
    within.beginAt(start);
    within.endAt(pieces[last]?.end ?? 0);
    while (within.weight < enough && last + 1 < pieces.length && fits(first, last + 1)) {
      last += 1;
      within.endAt(pieces[last]?.end ?? 0);
    }
    yield { first, last, weight: within.weight, length: (pieces[last]?.end ?? 0) - start };
  }
}

/** The shortest run of pieces with the greatest weight; the first of equal ones. The first piece if nothing matches. */
function strongestRun(
  pieces: readonly TextSpan[],
  matches: readonly TermMatch[],
  fits: (first: number, last: number) => boolean,
): { first: number; last: number } {
  let bestWeight = 0;
  for (const { weight } of runsFrom(pieces, matches, fits)) bestWeight = Math.max(bestWeight, weight);
  let best = { first: 0, last: 0, length: Infinity };
  if (bestWeight === 0) return best;
  for (const run of runsFrom(pieces, matches, fits, bestWeight))
    if (run.weight === bestWeight && run.length < best.length) best = run;
  return best;
}

/** Splits text without sentence ends: at spaces, or else between two graphemes. */
function cutAtWords(text: string, { start, end }: TextSpan, maxLength: number): TextSpan[] {
  const graphemes = graphemesOf(text);
  const pieces: TextSpan[] = [];
  let from = start;
  while (end - from > maxLength) {
    const space = text.lastIndexOf(' ', from + maxLength);
    const cut = space > from + maxLength / 2 ? space + 1 : graphemes.floor(from + maxLength);
    const to = cut > from ? cut : graphemes.ceil(from + maxLength);
    pieces.push({ start: from, end: to });
    from = to;
  }
  if (from < end) pieces.push({ start: from, end });
  return pieces;
}
