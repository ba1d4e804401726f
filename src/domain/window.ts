import { graphemesOf, type TextSpan } from './graphemes.ts';
import { stemOf } from './porter.ts';
import { foldedWord } from './words.ts';
import { sentences } from './sentences.ts';

/** A repeated word counts a little: it tells two windows apart that hold the same words. */
const repetitionWeight = 0.05;

/**
 * The part of a text that says most about a question: whole sentences (parts of one only where it alone is longer),
 * at most `maxCharacters` long, around the place where most of the question's words stand. The beginning when none does.
 * @param matches where the question's words stand in `text`, in order
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
  // What follows explains more than what came before, so it is taken first.
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

/** The shortest run of pieces with the most of the question's words; of several the first. The first piece when none has any. */
function strongestRun(
  pieces: readonly TextSpan[],
  matches: readonly (TextSpan & { term: string })[],
  fits: (first: number, last: number) => boolean,
): { first: number; last: number } {
  let best = { first: 0, last: 0, weight: 0, length: 0 };
  for (const [first, { start }] of pieces.entries()) {
    const terms = new Set<string>();
    let count = 0;
    let next = matches.findIndex((match) => match.start >= start);
    if (next === -1) break;
    for (let last = first; last < pieces.length && (last === first || fits(first, last)); last += 1) {
      const end = pieces[last]?.end ?? 0;
      for (let match = matches[next]; match !== undefined && match.end <= end; match = matches[next]) {
        terms.add(match.term);
        count += 1;
        next += 1;
      }
      const weight = terms.size + repetitionWeight * Math.min(10, count);
      const length = end - start;
      if (weight > best.weight || (weight === best.weight && length < best.length))
        best = { first, last, weight, length };
    }
  }
  return best;
}

/** Cuts what has no ends of sentences: at spaces, else between two characters. */
function cutAtWords(text: string, { start, end }: TextSpan, most: number): TextSpan[] {
  const graphemes = graphemesOf(text);
  const pieces: TextSpan[] = [];
  let from = start;
  while (end - from > most) {
    const space = text.lastIndexOf(' ', from + most);
    const cut = space > from + most / 2 ? space + 1 : graphemes.floor(from + most);
    const to = cut > from ? cut : graphemes.ceil(from + most);
    pieces.push({ start: from, end: to });
    from = to;
  }
  if (from < end) pieces.push({ start: from, end });
  return pieces;
}
