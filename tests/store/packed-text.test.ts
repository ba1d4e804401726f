import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { packText, unpackText } from '../../src/store/sqlite/items/packed-text.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.lorem({ maxCount: 200 }),
  fc.constantFrom('', '\u0000', 'a\ud800b', '😀'.repeat(300), 'fox '.repeat(10_000)),
);

test('a packed text is the same when it is unpacked, but for halves of characters, which no column of text holds', () => {
  fc.assert(
    fc.property(text, fc.json(), (written, blocks) => {
      const columns = packText({ text: written, blocks });
      const stored = columns.packed === null ? columns.text : unpackText(columns).text;
      expect(stored.toWellFormed()).toBe(written.toWellFormed());
      expect(unpackText(columns).blocks).toBe(blocks.toWellFormed());
      expect(columns.packed === null || (columns.text === '' && columns.blocks === '')).toBe(true);
    }),
  );
});

test('a text is packed when that makes it smaller', () => {
  expect(packText({ text: 'Feed the fox.', blocks: '[]' }).packed).toBeNull();
  const { packed } = packText({ text: 'Feed the fox. '.repeat(1_000), blocks: '[]' });
  expect(packed?.length).toBeLessThan(200);
});

test('a damaged text is not taken for another one', () => {
  const { packed } = packText({ text: 'Feed the fox. '.repeat(1_000), blocks: '[]' });
  expect(() => unpackText({ text: '', blocks: '', packed: packed!.subarray(0, 20) })).toThrow(
    'The stored text of an item is damaged.',
  );
});
