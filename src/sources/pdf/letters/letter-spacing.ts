import type { TextItem } from './text-segment.ts';

const spaced = /^\S(?: \S)+$/u;
/** Fewer letters may stand apart for another reason. */
const minLetters = 5;

/**
 * Removes the spaces that pdf.js sees between the letters of texts that are set with wide gaps (`T H E  L A M P`). A line
 * is one if all of its texts are single characters with spaces between them.
 */
export function withoutLetterSpacing(items: readonly TextItem[]): TextItem[] {
  const joined: TextItem[] = [];
  let line: TextItem[] = [];
  const flush = (): void => {
    for (const item of isSpacedLine(line) ? line.map(unspaced) : line) joined.push(item);
    line = [];
  };
  for (const item of items) {
    const last = line.at(-1);
    if (last !== undefined && Math.abs((last.transform[5] ?? 0) - (item.transform[5] ?? 0)) > item.height * 0.2)
      flush();
    line.push(item);
  }
  flush();
  return joined;
}

function isSpacedLine(line: readonly TextItem[]): boolean {
  const texts = line.map(({ str }) => str.trim()).filter((text) => text !== '');
  if (!texts.some((text) => spaced.test(text)) || !texts.every((text) => spaced.test(text) || text.length === 1))
    return false;
  const letters = [...texts.join('').replaceAll(/[^\p{L}]/gu, '')];
  const isAlphabet = letters.every(
    (letter, i) => i === 0 || letter.codePointAt(0) === (letters[i - 1]?.codePointAt(0) ?? 0) + 1,
  );
  return letters.length >= minLetters && letters.length * 2 > texts.join('').replaceAll(' ', '').length && !isAlphabet;
}

function unspaced(item: TextItem): TextItem {
  return { ...item, str: item.str.replaceAll(/(?<=\S) (?=\S)/gu, '') };
}
