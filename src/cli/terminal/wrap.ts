import { breakable, columnsOf } from './columns.ts';
import type { StyledRun } from './runs.ts';

/** Runs without a space between them, between two places where the line may break. */
interface UnbrokenWord {
  runs: StyledRun[];
  columns: number;
  /** White space before it; dropped when the word begins a line. */
  before: StyledRun[];
  isNewLine: boolean;
}

/**
 * Breaks runs into lines of at most `first` columns for the first one and `rest` for the others. White space inside a
 * line stays as it is. A word that is too long stands alone, unbroken, so that an address can still be copied.
 */
export function wrap(runs: readonly StyledRun[], first: number, rest: number): StyledRun[][] {
  const lines: StyledRun[][] = [];
  let line: StyledRun[] = [];
  let taken = 0;
  for (const word of wordsOf(runs)) {
    const space = word.before.reduce((sum, { text }) => sum + columnsOf(text), 0);
    const width = lines.length === 0 ? first : rest;
    const isFull = taken > 0 && taken + space + word.columns > width;
    if (word.isNewLine || isFull) {
      lines.push(line);
      [line, taken] = [[], 0];
    }
    // White space stays at the beginning of the first line: there it was written on purpose.
    if (taken > 0 || lines.length === 0) {
      line.push(...word.before);
      taken += space;
    }
    line.push(...word.runs);
    taken += word.columns;
  }
  return [...lines, line];
}

function wordsOf(runs: readonly StyledRun[]): UnbrokenWord[] {
  const words: UnbrokenWord[] = [];
  const begin = (isNewLine = false): UnbrokenWord => {
    const word: UnbrokenWord = { runs: [], columns: 0, before: [], isNewLine };
    words.push(word);
    return word;
  };
  for (const { text, ...look } of runs) {
    for (const [piece] of text.matchAll(/\n|[^\S\n]+|\S+/g)) {
      const last = words.at(-1);
      if (piece === '\n') begin(true);
      else if (piece.trim() === '') {
        const word = last === undefined || last.runs.length > 0 ? begin() : last;
        word.before.push({ ...look, text: piece.replaceAll('\t', '    ') });
      } else {
        for (const [index, part] of breakable(piece).entries()) {
          const word = index === 0 ? (last ?? begin()) : begin();
          word.runs.push({ ...look, text: part });
          word.columns += columnsOf(part);
        }
      }
    }
  }
  return words;
}
