/**
 * A piece of the stored text without what stands before its lines (the `>` of a quotation, the indentation of a list), which still
 * knows where each of its characters stands in the whole.
 */
export interface Source {
  readonly text: string;
  /** The offset in the stored text of the character at `at`. */
  offsetOf(at: number): number;
}

/** A piece that stands in the stored text as it is. */
export function wholeSource(text: string, start: number): Source {
  return { text, offsetOf: (at) => start + at };
}

export interface Line {
  text: string;
  /** Where it stands in the stored text. */
  at: number;
}

/** Lines joined by line breaks. */
export function sourceOfLines(lines: readonly Line[]): Source {
  const starts: number[] = [];
  let length = 0;
  for (const { text } of lines) {
    starts.push(length);
    length += text.length + 1;
  }
  return {
    text: lines.map(({ text }) => text).join('\n'),
    offsetOf(at) {
      let [low, high] = [0, starts.length - 1];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((starts[middle] ?? 0) <= at) low = middle;
        else high = middle - 1;
      }
      return (lines[low]?.at ?? 0) + at - (starts[low] ?? 0);
    },
  };
}

export function linesOf({ text, offsetOf }: Source): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    lines.push({ text: line, at: offsetOf(start) });
    start += line.length + 1;
  }
  return lines;
}

/** The rest of a line, without its first characters. */
export function restOfLine({ text, at }: Line, skipped: number): Line {
  return { text: text.slice(skipped), at: at + skipped };
}
