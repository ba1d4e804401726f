/** Made with the first text that needs it, which takes milliseconds. */
let segmenter: Intl.Segmenter | undefined;

/** A place in a text: `text.slice(start, end)`, UTF-16 units. */
export interface TextSpan {
  start: number;
  end: number;
}

/** Grapheme boundaries of one text. Offsets outside the text are clamped. */
export interface Graphemes {
  /** The start of the grapheme that contains `offset`; `offset` itself at a boundary. */
  floor(offset: number): number;
  /** The end of the grapheme that contains `offset`; `offset` itself at a boundary. */
  ceil(offset: number): number;
}

/** Prepares `text` once; each lookup then takes microseconds, whatever the length of the text. */
export function graphemesOf(text: string): Graphemes {
  let segments: Intl.Segments | undefined;

  function around(offset: number): TextSpan | undefined {
    if (offset <= 0 || offset >= text.length) return undefined;
    const before = text.charCodeAt(offset - 1);
    // Characters below U+0300 never join into one grapheme, except CR and LF.
    if (before < 0x300 && text.charCodeAt(offset) < 0x300 && before !== 0x0d) return undefined;
    segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' });
    segments ??= segmenter.segment(text);
    const found = segments.containing(offset);
    if (found === undefined || found.index === offset) return undefined;
    return { start: found.index, end: found.index + found.segment.length };
  }

  const clamp = (offset: number): number => Math.min(Math.max(offset, 0), text.length);
  return {
    floor: (offset) => around(offset)?.start ?? clamp(offset),
    ceil: (offset) => around(offset)?.end ?? clamp(offset),
  };
}

/**
 * The part of `start`–`end` from its first to its last visible character, or undefined when there is none.
 * White space that carries a combining mark is kept.
 */
export function trimSpan(text: string, start: number, end: number, graphemes: Graphemes): TextSpan | undefined {
  let from = start;
  let to = end;
  while (from < to && isBlank(text.charCodeAt(from))) from += 1;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to -= 1;
  if (from >= to) return undefined;
  return { start: Math.max(start, graphemes.floor(from)), end: Math.min(end, graphemes.ceil(to)) };
}

/** Whether a UTF-16 unit is white space, as defined by `\s`. */
export function isBlank(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  return code >= 0xa0 && /\s/.test(String.fromCharCode(code));
}
