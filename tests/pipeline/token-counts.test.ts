import { expect, test } from 'vitest';
import { counterFor } from '../../src/pipeline/splitting/split.ts';

const ofModel = { countSlicesOf: () => () => -1 };
const counterOf = (language: string | null, text: string) =>
  counterFor({ language, transcript: { text, blocks: [] } }, ofModel);

test.each([
  ['en-GB', 'Words of a text', -1],
  [null, 'Words of a text', -1],
  ['es', 'The presidents of Costa Rica, Peru and Chile', -1],
  [null, 'Слова одного текста', 5],
  ['ru', 'Слова одного текста', 5],
  ['de', 'Wörter eines Textes', 5],
  ['zh', '图书馆', 3],
  ['hi', 'किताबों', 1],
  ['th', 'ห้องสมุด', 2],
])('a text in %j is counted by the model or by characters: %j', (language, text, expected) => {
  expect(counterOf(language, text)(0, text.length)).toBe(expected);
});

test('a passage of Russian has about as many characters as one of English', () => {
  const text = 'Слова одного текста. '.repeat(100);
  expect(counterOf('ru', text)(500, 1_500)).toBe(250);
});
