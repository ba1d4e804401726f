import { expect, test } from 'vitest';
import { withoutNoteMarks } from '../../../src/domain/text/sentences.ts';

test.each([
  ['Water is wet.[2][13] Fire, too.', 'Water is wet. Fire, too.'],
  ['The server runs anyway¹, he said “no.”² Then', 'The server runs anyway, he said “no.” Then'],
  ['20 m² of 10⁶ km³, and (a + b)²', '20 m² of 10⁶ km³, and (a + b)²'],
  ['the first is list[0], the text [1] stands alone', 'the first is list[0], the text [1] stands alone'],
])('the note marks are removed from %s: %s', (text, left) => {
  expect(withoutNoteMarks(text)).toBe(left);
});
