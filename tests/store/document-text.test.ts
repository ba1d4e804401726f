import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columnsOf, textOf } from '../../src/store/sqlite/items/document-text.ts';

const blocks = '[{"start":0,"end":3,"kind":"paragraph"}]';

/** What a column of text gives back of a string. */
const stored = (text: string) => text.toWellFormed();

/** Texts and white space in turns, as a splitter parts them. */
const parts = fc.array(
  fc.record({
    gap: fc.constantFrom('', ' ', '\n', '\n\n', '\r\n\t', '\u2003'),
    passage: fc.oneof(
      fc.string({ unit: 'binary', minLength: 1 }),
      fc.lorem({ maxCount: 40 }),
      fc.constantFrom('😀', 'a\ud800b', '\u001f', '\u001fa\u001f', ' '),
    ),
  }),
  { maxLength: 40 },
);

describe('the text of a document', () => {
  test('is the same when it is put together from its passages', () => {
    fc.assert(
      fc.property(parts, fc.constantFrom('', '\n'), (some, end) => {
        let text = '';
        const passages = some.map(({ gap, passage }) => {
          const start = text.length + gap.length;
          text += gap + passage;
          return { start, end: text.length };
        });
        text += end;
        const row = { ...columnsOf({ text, blocks }, passages), textOf: 7 };
        const read = textOf(row, (document) => {
          expect(document).toBe(7);
          return passages.map((passage) => stored(text.slice(passage.start, passage.end)));
        });
        expect(stored(read.text)).toBe(stored(text));
        expect(read.blocks).toBe(blocks);
      }),
    );
  });

  test('does not stand in its row as well', () => {
    const passage = 'Feed the fox and then the hens, but never at once. '.repeat(20);
    const text = `${passage}\n\n${passage}`;
    const passages = [
      { start: 0, end: passage.length },
      { start: passage.length + 2, end: text.length },
    ];
    const row = columnsOf({ text, blocks }, passages);
    expect(row).toMatchObject({ isInPassages: 1, text: '\u001f\n\n\u001f', packed: null });
  });

  test.each([
    ['has no passages', []],
    [
      'has passages that overlap',
      [
        { start: 0, end: 9 },
        { start: 8, end: 13 },
      ],
    ],
    [
      'has words that are in no passage',
      [
        { start: 0, end: 3 },
        { start: 9, end: 13 },
      ],
    ],
    [
      'has passages that part a character',
      [
        { start: 0, end: 14 },
        { start: 14, end: 15 },
      ],
    ],
  ])('stands in its row when it %s', (_, passages) => {
    const text = 'Feed the fox.😀';
    const row = { ...columnsOf({ text, blocks }, passages), textOf: 7 };
    expect(row.isInPassages).toBe(0);
    expect(textOf(row, () => []).text).toBe(text);
  });

  test('is damaged when a passage is missing', () => {
    const passages = [
      { start: 0, end: 5 },
      { start: 5, end: 13 },
    ];
    const row = { ...columnsOf({ text: 'Feed the fox.', blocks }, passages), textOf: 7 };
    expect(() => textOf(row, () => ['Feed '])).toThrow('The stored text of an item is damaged.');
  });
});
