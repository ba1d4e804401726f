import { expect, it } from 'vitest';
import { readSegments } from '../../../src/sources/pdf/segments.ts';

const size = 10;

/** Items as pdf.js gives them: texts from these places to the right, a space as a separate item. */
function textOf(...parts: (readonly [text: string, x0: number, x1: number])[]): string {
  const items = parts.map(([str, x0, x1]) => ({
    str,
    dir: /[\u0590-\u08ff]/.test(str) ? 'rtl' : 'ltr',
    width: x1 - x0,
    height: size,
    transform: [size, 0, 0, size, x0, 100],
    fontName: 'f1',
    hasEOL: false,
  }));
  return readSegments(items, [1, 0, 0, -1, 0, 792], () => false)
    .map(({ text }) => text)
    .join('|');
}

it('A space that pdf.js inserts within a word without room for one is removed', () => {
  // Fonts of pictures, which TeX made for decades, move "b" and "ox" apart by a fortieth of their size.
  expect(textOf(['a b', 72, 85], [' ', 85, 85.3], ['ox', 85.3, 95])).toBe('a box');
  expect(textOf(['a', 72, 77], [' ', 77, 79], ['box', 79, 94])).toBe('a box');
});

it('A space in the file is kept where the widths of its glyphs are wrong', () => {
  expect(textOf(['too wide', 72, 120], [' ', 108, 110], ['a word', 118, 140])).toBe('too wide a word');
});

it('Full-width Latin letters and digits become plain ones, with spaces between their words', () => {
  expect(textOf(['Ｌａｍｐ', 72, 112], [' ', 112, 117], ['ｏｉｌ', 117, 147], ['　１２', 147, 177])).toBe(
    'Lamp oil 12',
  );
  expect(textOf(['灯', 72, 82], ['台', 84, 94])).toBe('灯台');
});

it('A line of Arabic letters drawn one by one from left to right has its spaces between words', () => {
  const drawn = ['ب', 'ا', 'ب', ' ', 'ن', 'م', ' ', 'L', 't', 'd', ' ', 'C', 'o', ' ', 'و', 'ه'];
  const parts = drawn.map((letter, i) => [letter, 72 + i * 6, 78 + i * 6] as const);
  expect(textOf(...parts)).toBe('هو Ltd Co من باب');
  // Drawn from the right, the letters are in the same places.
  expect(textOf(...parts.toReversed())).toBe('هو Ltd Co من باب');
});

it('Arabic words in a line of another language are reversed, and so are mirrored brackets', () => {
  const draw = (letters: string[]) => textOf(...letters.map((letter, i) => [letter, 72 + i * 6, 78 + i * 6] as const));
  expect(draw(['See ', 'book ', 'ب', 'ا', 'ب', ' ', 'ن', 'م', ' here'])).toBe('See book من باب here');
  expect(draw(['»', 'ب', 'ا', 'ب', '«', ' ', 'ن', 'م', 'ا', 'ن'])).toBe('نامن «باب»');
});
