import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openRaw } from '../support/raw-database.ts';
import { join } from 'node:path';
import { openDataFolder } from '../../src/app/installations/data-folder.ts';
import { SqliteFile } from '../../src/store/sqlite/files/sqlite-file.ts';
import { readDocument, readText, readTranscript } from '../../src/store/sqlite/items/documents.ts';
import { columnsOf, textOf } from '../../src/store/sqlite/items/document-text.ts';
import { accountSchema } from '../../src/store/sqlite/schema.ts';
import { saveAndProcess } from '../contracts/store-items.ts';
import { ManualClock } from '../support/clock.ts';
import { temporaryFolder } from './temporary-folder.ts';

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
        const passages = some.map(({ gap, passage }, ordinal) => {
          const start = text.length + gap.length;
          text += gap + passage;
          return { ordinal, start, end: text.length };
        });
        text += end;
        const row = { ...columnsOf({ text, blocks }, passages), documentId: 7 };
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
      { ordinal: 0, start: 0, end: passage.length },
      { ordinal: 1, start: passage.length + 2, end: text.length },
    ];
    const row = columnsOf({ text, blocks }, passages);
    expect(row).toMatchObject({ isInPassages: 1, text: '\u001f\n\n\u001f', packed: null });
  });

  test.each([
    ['has no passages', []],
    [
      'has passages that overlap',
      [
        { ordinal: 0, start: 0, end: 9 },
        { ordinal: 1, start: 8, end: 13 },
      ],
    ],
    [
      'has words that are in no passage',
      [
        { ordinal: 0, start: 0, end: 3 },
        { ordinal: 1, start: 9, end: 13 },
      ],
    ],
    [
      'has passages that are read in another order',
      [
        { ordinal: 1, start: 0, end: 4 },
        { ordinal: 0, start: 5, end: 15 },
      ],
    ],
    [
      'has passages that part a character',
      [
        { ordinal: 0, start: 0, end: 14 },
        { ordinal: 1, start: 14, end: 15 },
      ],
    ],
  ])('stands in its row when it %s', (_, passages) => {
    const text = 'Feed the fox.😀';
    const row = { ...columnsOf({ text, blocks }, passages), documentId: 7 };
    expect(row.isInPassages).toBe(0);
    expect(textOf(row, () => []).text).toBe(text);
  });

  test('is damaged when a passage is missing', () => {
    const passages = [
      { ordinal: 0, start: 0, end: 5 },
      { ordinal: 1, start: 5, end: 13 },
    ];
    const row = { ...columnsOf({ text: 'Feed the fox.', blocks }, passages), documentId: 7 };
    expect(() => textOf(row, () => ['Feed '])).toThrow('The stored text of an item is damaged.');
  });

  test.each([
    ['readDocument', (file: SqliteFile, id: string) => readDocument(file, id)?.transcript.text],
    ['readText', (file: SqliteFile, id: string) => readText(file, id)?.text],
    ['readTranscript', readTranscript],
  ])('is of one moment when passages are replaced while it is read (%s)', async (_, read) => {
    const folder = temporaryFolder();
    const stores = await openDataFolder({ folder: folder.path, clock: new ManualClock() });
    const id = await saveAndProcess(await stores.open('local'), 'a', { text: 'Feed the fox.', passageLength: 5 });
    await stores.close();
    const path = join(folder.path, 'accounts', 'local.db');
    const other = openRaw(path);
    let statements = 0;
    const replaceOnce = () => {
      statements += 1;
      if (statements !== 2) return;
      other.exec(`DELETE FROM passages; UPDATE documents SET text = 'Another one.', text_in_passages = 0`);
    };
    const file = SqliteFile.open({
      path,
      schema: accountSchema,
      readOnly: false,
      beforeStatement: replaceOnce,
    });
    expect(read(file, id)).toBe('Feed the fox.');
    expect(read(file, id)).toBe('Another one.');
    file.close();
    other.close();
    await folder.remove();
  });
});
