import { eastAsianWidth } from 'get-east-asian-width';

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
const plainAscii = /^[ -~]*$/;
const drawnAsNothing = /^[\p{Mark}\p{Control}\p{Format}\p{Default_Ignorable_Code_Point}]/v;
const emoji = /[\p{Emoji_Presentation}\ufe0f]/u;

/** How many columns of a terminal the text takes. */
export function columnsOf(text: string): number {
  if (plainAscii.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of segmenter.segment(text)) columns += columnsOfGrapheme(segment);
  return columns;
}

function columnsOfGrapheme(grapheme: string): number {
  if (emoji.test(grapheme)) return 2;
  return drawnAsNothing.test(grapheme) ? 0 : eastAsianWidth(grapheme.codePointAt(0) ?? 0x20);
}

/**
 * Splits a word where a line may break: before and after characters that are two columns wide, as Chinese and Japanese
 * are written without spaces. No line begins with a punctuation mark.
 */
export function breakable(word: string): string[] {
  if (plainAscii.test(word)) return [word];
  const parts: string[] = [];
  let wasWide = false;
  for (const { segment } of segmenter.segment(word)) {
    const isWide = columnsOfGrapheme(segment) === 2;
    const last = parts.length - 1;
    if (last >= 0 && ((!isWide && !wasWide) || /^\p{P}/u.test(segment))) parts[last] += segment;
    else parts.push(segment);
    wasWide = isWide;
  }
  return parts;
}

/** The beginning of a text that fits, with an ellipsis if something is left out. */
export function fitting(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let shown = '';
  let taken = 1;
  for (const { segment } of segmenter.segment(text)) {
    taken += columnsOfGrapheme(segment);
    if (taken > columns) break;
    shown += segment;
  }
  return `${shown}…`;
}
