import type { Caption } from '../../domain/captions/caption.ts';

/** Share of captions that repeat the one before, from which on repeating is how they are shown and not what is said. */
const rollingShare = 0.4;

/** Captions with what each adds to those before it, and with the places where somebody else begins to speak. */
export function unroll(captions: readonly Caption[]): (Caption & { speakerChanged: boolean })[] {
  const cleaned = isRolling(captions) ? withoutRepeats(captions) : captions;
  let speaker: string | undefined;
  return cleaned.map((caption) => {
    const speakerChanged = caption.speaker !== undefined && caption.speaker !== speaker;
    speaker = caption.speaker ?? speaker;
    return { ...caption, speakerChanged };
  });
}

/** Captions made live show two lines, and with each new one the last line moves up: everything comes twice or more. */
function isRolling(captions: readonly Caption[]): boolean {
  let repeats = 0;
  for (const [index, caption] of captions.entries()) {
    const before = captions[index - 1];
    if (before !== undefined && touches(before, caption) && newText(before, caption) !== caption.text) repeats += 1;
  }
  return captions.length > 3 && repeats >= (captions.length - 1) * rollingShare;
}

function withoutRepeats(captions: readonly Caption[]): Caption[] {
  const kept: Caption[] = [];
  for (const [index, caption] of captions.entries()) {
    const before = captions[index - 1];
    const text = before !== undefined && touches(before, caption) ? newText(before, caption) : caption.text;
    if (text !== '') kept.push({ ...caption, text });
  }
  return kept;
}

/** Whether one follows the other without a pause. */
function touches(before: Caption, caption: Caption): boolean {
  return before.duration === null || caption.start - (before.start + before.duration) < 0.2;
}

/** What a caption shows that the one before did not: its lines behind those that moved up, or words added to a line. */
function newText(before: Caption, caption: Caption): string {
  const lines = caption.text.split('\n');
  const moved = overlap(before.text.split('\n'), lines);
  if (moved > 0) return lines.slice(moved).join('\n');
  const grown = caption.text.startsWith(`${before.text} `) || caption.text.startsWith(`${before.text}\n`);
  return grown ? caption.text.slice(before.text.length).trim() : caption.text;
}

/**
 * How many of the last lines of one text are the first ones of the next, as many as possible. In time linear in the lines (the prefix
 * function of Knuth, Morris and Pratt): captions may have hundreds of thousands that are all the same.
 */
function overlap(earlier: readonly string[], lines: readonly string[]): number {
  // Numbers are compared in place of lines, which may be long and differ at their ends only.
  const numbers = new Map<string, number>();
  const numberOf = (line: string): number => {
    const known = numbers.get(line) ?? numbers.size;
    numbers.set(line, known);
    return known;
  };
  const wanted = lines.map(numberOf);
  const shown = earlier.map(numberOf);
  /** For each line the longest beginning of `wanted` that ends there and is not all that was read. */
  const fallbacks = new Uint32Array(wanted.length);
  const advance = (matched: number, line: number | undefined): number => {
    let length = matched;
    while (length > 0 && (length === wanted.length || wanted[length] !== line)) length = fallbacks[length - 1] ?? 0;
    return wanted[length] === line ? length + 1 : length;
  };
  for (let at = 1, matched = 0; at < wanted.length; at += 1) {
    matched = advance(matched, wanted[at]);
    fallbacks[at] = matched;
  }
  return shown.reduce(advance, 0);
}
